"""An answer that is longer than a prompt is cut between sentences, and all of it is there."""

import itertools

from app.judges.answer_parts import (
    MAX_PARTS,
    PART_CHARS,
    answer_parts,
    judged_chars,
    mark_spans,
    parts_needed,
)
from app.text.sentences import split_sentences
from cases import for_each

SENTENCES = (
    "변성은 95도에서 30초 동안 한다. [노트 1]",
    "신장은 72.5도이다 [노트 2, 3].",
    "- 3.5 mL를 넣고 2024. 3. 12.에 확인했다 (note 4).",
    "The second step takes 1.5 hours [Note 1]. [2]",
    "정말인가요?",
)


def text(chars: int) -> str:
    lines = itertools.cycle(SENTENCES)
    written = ""
    for number, line in enumerate(lines):
        if len(written) + len(line) > chars - 2:
            return (written + "가" * chars)[: max(0, chars - 1)] + "."[:chars]
        written += line + ("\n" if number % 3 else " ")
    raise AssertionError


@for_each("chars", [0, 1, PART_CHARS])
def test_what_fits_into_a_prompt_is_one_part(chars):
    answer = text(chars)
    (part,) = answer_parts(answer)
    assert (part.number, part.total, part.start, part.text) == (1, 1, 0, answer)


@for_each("chars", [PART_CHARS + 1, 13_066, 24_001, 36_500, 44_000])
def test_the_parts_are_the_whole_answer(chars):
    answer = text(chars)
    parts = answer_parts(answer)
    assert "".join(part.text for part in parts) == answer
    assert [part.number for part in parts] == list(range(1, parts[0].total + 1))
    assert all(0 < len(part.text) <= PART_CHARS for part in parts)
    assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert len(parts) == parts_needed(chars)


@for_each("chars", [13_066, 30_000, 44_000])
def test_no_sentence_and_no_mark_is_cut(chars):
    answer = text(chars)
    spans = [(one.start, one.end) for one in split_sentences(answer)] + mark_spans(answer)
    for part in answer_parts(answer)[:-1]:
        assert not [span for span in spans if span[0] < part.end < span[1]]


def test_the_parts_are_of_about_one_length():
    lengths = [len(part.text) for part in answer_parts(text(13_066))]
    assert max(lengths) - min(lengths) < 200


def test_beyond_the_limit_the_rest_is_left_and_counted():
    answer = text(MAX_PARTS * PART_CHARS + 5_000)
    parts = answer_parts(answer)
    assert len(parts) == MAX_PARTS == parts_needed(len(answer))
    assert {part.total for part in parts} == {MAX_PARTS + 1}
    assert MAX_PARTS * PART_CHARS * 0.98 < parts[-1].end <= MAX_PARTS * PART_CHARS
    assert answer.startswith("".join(part.text for part in parts))
    assert judged_chars(answer, parts) == parts[-1].end


def test_a_sentence_longer_than_a_part_ends_between_words_outside_of_marks():
    answer = ("단어 " * 5_998)[:-1] + " [노트 1, 2, 3]" + " 단어" * 6_000
    parts = answer_parts(answer)
    assert "".join(part.text for part in parts) == answer
    for start, end in mark_spans(answer):
        assert not [part for part in parts if start < part.end < end]
    assert all(part.text.rstrip().endswith(("단어", "]")) for part in parts)


def test_text_without_any_space_is_cut_all_the_same():
    answer = "가" * 30_000
    assert "".join(part.text for part in answer_parts(answer)) == answer


def test_blanks_at_the_end_are_no_part_and_judged_with_the_rest():
    answer = text(PART_CHARS) + "\n " * 20_000
    parts = answer_parts(answer)
    assert len(parts) == 1
    assert len(parts[0].text) == PART_CHARS
    assert judged_chars(answer, parts) == len(answer)
