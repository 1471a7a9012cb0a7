"""A test case says what is wrong with it; a sample gives every note its share."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.experiments.datasets.cases import MAX_ID_CHARS, MAX_QUESTION_CHARS, CaseNote, TestCase
from app.experiments.datasets.generation import sample_chunks
from app.experiments.datasets.rule_questions import SourceChunk
from app.platform.errors import InvalidRequest

NOTES = (CaseNote(title="PCR", content="변성은 95도"),)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"question": " \n"}, "question is empty"),
        ({"question": "x" * (MAX_QUESTION_CHARS + 1)}, "question is longer"),
        ({"question": "a\0b"}, "holds NUL"),
        ({"question": "a\ud800b"}, "surrogate"),
        ({"reference_answer": ""}, "reference_answer is empty"),
        ({"ground_truth_chunk_ids": ()}, "name 1 to 1,000 chunks"),
        ({"ground_truth_chunk_ids": ("a", "a")}, "names a chunk twice"),
        ({"ground_truth_chunk_ids": ("a b",)}, "no blanks"),
        ({"ground_truth_chunk_ids": ("",)}, "no blanks"),
        ({"id": "x" * (MAX_ID_CHARS + 1)}, "id must have"),
        ({"lang": "de"}, "lang must be ko or en"),
        ({"expects_refusal": True}, "expects_refusal takes notes"),
        (
            {"notes": NOTES, "expects_refusal": True, "reference_answer": "95"},
            "no reference_answer",
        ),
        ({"notes": NOTES * 201}, "at most 200 notes"),
    ],
)
def test_one_sentence_says_what_is_wrong(change, problem):
    good = {
        "question": "변성 온도는?",
        "ground_truth_chunk_ids": ("c1",),
        "reference_answer": None,
        "lang": "ko",
    }
    with pytest.raises(InvalidRequest) as caught:
        TestCase(**(good | change))  # type: ignore[arg-type]
    assert problem in caught.value.detail["en"]
    assert caught.value.detail["ko"] != caught.value.detail["en"]


def test_cases_are_the_same_whatever_case_blanks_and_closing_marks_of_the_question():
    def key(question: str, *contents: str) -> str | None:
        notes = tuple(CaseNote(content=content) for content in contents)
        return TestCase(question, () if notes else ("c",), None, "en", notes=notes).key

    same = key("How hot is it?", "95 °C")
    assert key("  how HOT\u3000is it ", "95 °C") == same is not None
    assert key("How hot is it?", "95 °C", "37 °C") != same != key("How cold is it?", "95 °C")
    assert key("How hot is it?") is None


def chunks(**sizes: int) -> list[SourceChunk]:
    return [
        SourceChunk(f"{note}{n}", note, "", "") for note, size in sizes.items() for n in range(size)
    ]


def shares(sample: list[SourceChunk]) -> Counter[str]:
    return Counter(chunk.note_id for chunk in sample)


def test_each_note_gets_one_chunk_and_the_rest_goes_by_size():
    assert shares(sample_chunks(chunks(a=1, b=10, c=90), 13, seed=1)) == {"a": 1, "b": 2, "c": 10}


def test_another_seed_draws_other_chunks():
    of_seeds = {tuple(sample_chunks(chunks(a=100), 5, seed=seed)) for seed in range(5)}
    assert len(of_seeds) == 5


def test_a_sample_needs_room():
    with pytest.raises(ValueError, match="at least 1"):
        sample_chunks(chunks(a=1), 0, seed=1)


@given(
    st.lists(st.integers(1, 30), max_size=12),
    st.integers(1, 120),
    st.integers(),
    st.randoms(use_true_random=False),
)
def test_a_sample_is_full_fair_and_does_not_depend_on_the_order(sizes, room, seed, random):
    everything = chunks(**{f"n{index}": size for index, size in enumerate(sizes)})
    sample = sample_chunks(everything, room, seed)
    assert len(sample) == len(set(sample)) == min(room, len(everything))
    assert len(shares(sample)) == min(room, len(sizes))
    shuffled = list(everything)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sample_chunks(shuffled, room, seed) == sample or room >= len(everything)
