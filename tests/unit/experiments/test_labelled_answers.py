"""Labelled answers as files carry them, and samples of them."""

import json
from typing import Any

import pytest

from app.experiments.benches.labelled import LabelledItem, parse_labelled, read_labelled, sample
from app.experiments.benches.views import BadLine
from app.platform.errors import InvalidRequest

GOOD: dict[str, Any] = {
    "question": "PCR 변성은 몇 도인가요?",
    "passages": ["변성은 95도에서 30초."],
    "answer": "90도입니다.",
    "hallucinated": True,
    "spans": [{"start": 0, "end": 3}],
}


def lines(*objects: object) -> bytes:
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in objects).encode()


def test_a_line_is_read_and_other_fields_are_ignored():
    found = read_labelled(lines(GOOD | {"id": "a1", "model": "m"}))

    assert found.bad == []
    expected = LabelledItem(
        ref="a1",
        question=GOOD["question"],
        passages=("변성은 95도에서 30초.",),
        answer="90도입니다.",
        hallucinated=True,
        spans=((0, 3),),
    )
    assert found.items == [expected]
    assert found.items[0].lang == "ko"


def test_what_may_be_left_out():
    bare = {name: GOOD[name] for name in ("passages", "answer", "hallucinated")}
    (item,) = read_labelled(b"\n" + lines(bare)).items
    assert (item.ref, item.question, item.spans) == ("2", "", None)


def test_spans_may_be_pairs():
    (item,) = read_labelled(lines(GOOD | {"spans": [[0, 2], [3, 7]]})).items
    assert item.spans == ((0, 2), (3, 7))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hallucinated": 1}, "hallucinated: Input should be a valid boolean"),
        ({"hallucinated": "true"}, "hallucinated: Input should be a valid boolean"),
        ({"passages": []}, "passages: List should have at least 1 item"),
        ({"passages": [" "]}, "passages: Value error, all are blank"),
        ({"passages": ["a" * 100_001] * 2}, "passages: Value error, together they have more than"),
        ({"answer": " "}, "answer: Value error, it is blank"),
        ({"answer": "a\x00b"}, "answer: Value error, it holds NUL or half a character"),
        ({"answer": "90 \ud800!"}, "answer: Value error, it holds NUL or half a character"),
        ({"spans": [[5, 5]]}, "spans: Value error, 5 to 5 is no place in an answer of 7"),
        ({"spans": [[0, 8]]}, "spans: Value error, 0 to 8 is no place in an answer of 7"),
        ({"spans": [[-1, 3]]}, "spans.0.start: Input should be greater than or equal to 0"),
        ({"spans": "none"}, "spans: Input should be a valid list"),
    ],
)
def test_bad_lines_are_told_by_number_and_left_out(change, reason):
    found = parse_labelled([GOOD, GOOD | change, GOOD])

    assert len(found.items) == 2
    (bad,) = found.bad
    assert bad.line == 2
    assert bad.reason.startswith(reason)


def test_lines_that_are_no_objects_are_told_too():
    found = read_labelled(b"{\n[]\n\xff\n" + lines(GOOD))
    assert [one.line for one in found.bad] == [1, 2, 3]
    assert found.bad[1] == BadLine(2, "this is JSON but not an object; write {…} on the line.")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"not json\n"])
def test_a_file_without_a_good_line_is_refused(data):
    with pytest.raises(InvalidRequest, match="is a labelled answer"):
        read_labelled(data)


def labelled(*labels: int) -> list[LabelledItem]:
    return [LabelledItem(str(n), "", ("a",), "b", bool(label)) for n, label in enumerate(labels)]


def test_a_sample_keeps_the_share_of_the_labels_and_the_order():
    items = labelled(*[1] * 30, *[0] * 70)

    drawn = sample(items, 20, seed=0)

    assert sum(item.hallucinated for item in drawn) == 6
    assert len(drawn) == 20
    assert [int(item.ref) for item in drawn] == sorted(int(item.ref) for item in drawn)
    assert drawn == sample(items, 20, seed=0)
    assert drawn != sample(items, 20, seed=1)


def test_a_sample_has_both_labels_where_there_is_room():
    items = labelled(1, *[0] * 99)
    assert sum(item.hallucinated for item in sample(items, 2, seed=3)) == 1
    assert len(sample(items, 1, seed=3)) == 1
    assert sample(items, 100, seed=3) == items
    assert len(sample(labelled(1, 1, 1), 2, seed=0)) == 2
