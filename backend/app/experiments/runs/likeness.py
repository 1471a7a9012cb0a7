"""Comparability of two runs: their differences, and the means that these rule out.

    dataset    other questions or ground truth      means of the search
    k          another number of results            means of the search
    answers    only one of them generated answers   means of the answers
    judge      another judge                        means of the answers
    prompt     another prompt of the judge          means of the answers

Retrieval, embedding model and answer model are what runs are made to compare.
"""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.ai_router.types import Lang
from app.experiments.models import EvalResult, EvaluationType, Retrieval
from app.experiments.parts import texts_beside
from app.judges.answer import confidence_of
from app.platform.errors import Conflict
from app.quality.metrics.retrieval import MEANS, RIGHTLY_REFUSED
from app.verdicts.reading.state import AnswerState, Findings, answer_state

# The figure of a case that each mean of the answers is taken over.
ANSWER_MEANS = {"mean_faithfulness": "faithfulness", "mean_answer_relevancy": "answer_relevancy"}
COMPARED = {**MEANS, **ANSWER_MEANS}

Because = Literal["dataset", "k", "answers", "judge", "prompt"]

Pair = tuple[EvalResult, EvalResult]


class ComparedRun(BaseModel):
    """A run as far as it says what was measured, and how."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    name: str
    dataset_id: uuid.UUID | None
    dataset_name: str
    dataset_version: int
    k: int
    evaluation_type: EvaluationType
    retrieval: Retrieval
    embedding_model: str | None
    answer_model: str
    judge_model: str
    prompt_version: str | None
    created_at: dt.datetime

    @property
    def dataset(self) -> str:
        return f"{self.dataset_name} v{self.dataset_version}"

    @property
    def prompt(self) -> str:
        return self.prompt_version or "?"

    @property
    def answers(self) -> bool:
        return self.evaluation_type is EvaluationType.FULL_RAG


@dataclass(frozen=True, slots=True)
class Measured:
    """A completed run with the results of its cases."""

    run: ComparedRun
    results: Sequence[EvalResult]


class NotCompared(BaseModel):
    """Means that cannot be compared, and what the runs differ in that they depend on."""

    because: Because
    names: list[str]


def not_compared(first: Measured, second: Measured) -> list[NotCompared]:
    """Empty for runs that are alike."""
    a, b = first.run, second.run
    search, answers = list(MEANS), list(ANSWER_MEANS)
    judged = a.answers and b.answers
    unlike: list[tuple[Because, bool, list[str]]] = [
        ("dataset", _cases(first) != _cases(second), search),
        ("k", a.k != b.k, search),
        ("answers", a.answers != b.answers, answers),
        ("judge", judged and a.judge_model != b.judge_model, answers),
        ("prompt", judged and a.prompt_version != b.prompt_version, answers),
    ]
    return [NotCompared(because=because, names=names) for because, is_so, names in unlike if is_so]


def _cases(measured: Measured) -> Counter[tuple[str, frozenset[str]]]:
    """Questions with their ground truth, kept with the results when the dataset is deleted."""
    return Counter(
        (each.question, frozenset(each.ground_truth_chunk_ids)) for each in measured.results
    )


def incomparable(
    unlike: Sequence[NotCompared], first: ComparedRun, second: ComparedRun
) -> Conflict:
    """For two runs that have nothing left to compare: what they differ in, and how the second has
    to be run again."""
    texts = [texts_beside(__file__)[each.because] for each in unlike]

    def written(part: str, lang: Lang) -> list[str]:
        return [text[part][lang].format(a=first, b=second) for text in texts]

    return Conflict(
        f"The run “{second.name}” cannot be compared with “{first.name}”:"
        f" {', and '.join(written('differ', 'en'))}. Run it again"
        f" {', '.join(written('again', 'en'))}.",
        ko=f"“{second.name}” 실행은 “{first.name}” 실행과 비교할 수 없습니다."
        f" {' '.join(written('differ', 'ko'))} 다음 설정으로 다시 실행하세요:"
        f" {', '.join(written('again', 'ko'))}.",
        code=f"runs-differ-in-{unlike[0].because}",
    )


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two runs with the cases that both have. fields: what can be compared, the name of a mean to
    the figure of a case that it is taken over."""

    pairs: Sequence[Pair]
    fields: Mapping[str, str]
    unlike: Sequence[NotCompared]


def align(first: Measured, second: Measured) -> Aligned:
    """Raises Conflict for runs that are so unlike that no figure of any case can be compared."""
    unlike = not_compared(first, second)
    refused = {name for each in unlike for name in each.names}
    fields = {name: field for name, field in COMPARED.items() if name not in refused}
    pairs = [(a, b) for a, b in common_cases([first.results, second.results])]
    if unlike and not any(both_figures(pair, field) for pair in pairs for field in fields.values()):
        raise incomparable(unlike, first.run, second.run)
    return Aligned(pairs, fields, unlike)


def common_cases(runs: Sequence[Sequence[EvalResult]]) -> list[tuple[EvalResult, ...]]:
    """The cases that all runs have, in the order of the first; in each tuple one of every run.

    Cases are the same where their questions are. A question that a dataset has more than once is
    matched by its ground truth.
    """
    keyed = [_keyed(results) for results in runs]
    return [
        tuple(each[key] for each in keyed) for key in keyed[0] if all(key in each for each in keyed)
    ]


def _keyed(results: Sequence[EvalResult]) -> dict[tuple[str, int], EvalResult]:
    """In the order given, by question and the number of the case among those that ask it, by
    ground truth."""
    asked: Counter[str] = Counter()
    numbers = {}
    for each in sorted(results, key=lambda one: sorted(one.ground_truth_chunk_ids)):
        numbers[each.position] = asked[each.question]
        asked[each.question] += 1
    return {(each.question, numbers[each.position]): each for each in results}


def figure(result: EvalResult, field: str) -> float | None:
    """A figure of a case; None where it was not measured, rules could not tell, or the answer is a
    right refusal. A reply of the judge that could not be read is stored as 0.0, which says nothing
    of the answer."""
    if field == "faithfulness" and result.faithfulness_decided is False:
        return None
    if field in ANSWER_MEANS.values() and result.outcome == RIGHTLY_REFUSED:
        return None
    if field in ANSWER_MEANS.values() and getattr(result, f"{field}_parsed") is False:
        return None
    value = getattr(result, field)
    return None if value is None else float(value)


def state_of(result: EvalResult) -> AnswerState | None:
    """What a judged answer comes to in one word, from its scores; None where a reply of the judge
    could not be read. Nothing is kept of single claims: an answer that differs from the notes is
    not called contradicted."""
    scores = figure(result, "faithfulness"), figure(result, "answer_relevancy")
    correctness, utility = (0.0 if score is None else score for score in scores)
    is_mismatch = result.outcome == "mismatch"
    if None in scores and (result.outcome is None or is_mismatch):
        return None
    found = {
        "outcome": None if is_mismatch else result.outcome,
        "correctness": correctness,
        "utility": utility,
        "confidence": "low" if is_mismatch else confidence_of(correctness, utility),
        "issues": int(is_mismatch),
        "whole": True,
    }
    return answer_state(Findings.model_validate(found))


def is_unread(result: EvalResult, field: str) -> bool:
    """Whether the judge was asked for this figure, and could not say."""
    asked = getattr(result, field) is not None and result.outcome != RIGHTLY_REFUSED
    return asked and figure(result, field) is None


def both_figures(pair: Pair, field: str) -> tuple[float, float] | None:
    """A figure in either run; None where one of them has none."""
    first, second = figure(pair[0], field), figure(pair[1], field)
    return None if first is None or second is None else (first, second)
