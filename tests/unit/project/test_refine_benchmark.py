"""The figures that benchmarks/refine.py prints are what they are called."""

import runpy
from pathlib import Path

import pytest

from app.answering.refine.state import Iteration, RefinementState
from app.judges.published.refinement import Document, result

FIGURES = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "bench_refine.py"))


def found(names: str) -> list[Document]:
    return [Document(id=name, title=name, content=name) for name in names]


@pytest.mark.parametrize(
    ("names", "relevant", "precision", "recall", "hit", "reciprocal_rank"),
    [
        ("abcde", "c", 0.2, 1.0, 0.0, 1 / 3),
        ("abcde", "ax", 0.2, 0.5, 1.0, 1.0),
        ("abc", "x", 0.0, 0.0, 0.0, 0.0),
        ("", "x", 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_retrieval(names, relevant, precision, recall, hit, reciprocal_rank):
    figures = [FIGURES["RETRIEVAL"][name] for name in ("precision", "recall", "hit@1", "MRR")]
    documents = found(names)
    assert [figure(documents, frozenset(relevant)) for figure in figures] == [
        precision,
        recall,
        hit,
        reciprocal_rank,
    ]


@pytest.mark.parametrize(
    ("answer", "held"), [("1989년 2월 15일이다.", 1), ("2월 15일", 0), (None, 0)]
)
def test_an_expected_answer_is_found_whatever_its_spacing(answer, held):
    assert FIGURES["holds"](answer, "1989년  2월15일") == held


def test_the_report_shows_first_last_and_offered(capsys):
    iterations = tuple(
        Iteration(
            query="q",
            rewritten_by=None if number == 0 else "keywords",
            documents=tuple(found(names)),
            answer=answer,
            evaluation=result(
                *(score, score, score),
                missing_info=[],
                improvement_suggestions=[],
                reason="",
                heuristic=True,
                threshold=0.5,
            ),
        )
        for number, (names, answer, score) in enumerate(
            [("ab", "모름", 0.2), ("xa", "58도", 0.4), ("bc", "모름", 0.3)]
        )
    )
    case = FIGURES["Case"]("clear", "vague", "58도", "title", frozenset("x"))
    state = RefinementState(question="vague", iterations=iterations, stop="no_gain")
    FIGURES["summarise"]([FIGURES["Outcome"](case, tuple(found("x")), state)])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["hit@1", "1.000", "0.000", "0.000", "1.000"] in lines
    assert ["overall", "score", "0.200", "0.400", "+100.0%"] in [line[:5] for line in lines]
    assert "no_gain 1" in " ".join(map(" ".join, lines))
    assert ["expected", "answer", "gained", "by", "1", "questions,", "lost", "by", "0"] in lines
