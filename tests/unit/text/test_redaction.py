"""Personal data in texts: what is found, what is not, marks that can be compared, and cost."""

import re

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import judge
from app.text.redaction import BadPattern, Redactor, check_pattern
from cases import for_each

KEY = b"k" * 32
REDACTOR = Redactor(KEY, r"EMP-\d{4,8}|(?P<card_number>(\d{4}-){3}\d{4})|김철수 \S+@\S+")


def mark(value: str) -> str:
    return REDACTOR.redact(value)


@for_each(
    ("text", "kinds"),
    [
        ("메일은kim@example.com으로", ["email"]),
        ("홍길동@회사.한국 <a.b+c@mail.example.co.kr>", ["email", "email"]),
        ("kim%40example.com kim＠example.com", ["email", "email"]),
        ("josé@example.com", ["email"]),
        ("@handle, a@b, 5 @ 3.com", []),
        ("010-1234-5678 01012345678 (02)987-6543 070.1234.5678", ["phone"] * 4),
        ("+82 10 1234 5678, +1 415 555 2671, (415) 555-2671, 0049 30 901820", ["phone"] * 4),
        ("2024-01-01 1588-1234 0.0212345678 10.20.30.40 1764312345678 12-345-67890", []),
        ("010 - 1234 - 5678 / 010–1234‑5678 / ０１０－１２３４－５６７８", ["phone"] * 3),
        ("2026 - 11 - 28, 10:00 - 12:00, 010 - 020, 182-10-1234-5678, 82 100 2000", []),
        ("900101-1234567 / 900101 - 1234567", ["resident number"] * 2),
        ("９００１０１－１２３４５６７ 900101—1234567", ["resident number"] * 2),
        ("201006-3000000 900101-1******", ["resident number"] * 2),
        # No such day; a wrong check digit without a dash; a right one; one of a foreigner.
        ("901301-1234567 9001011234567", []),
        ("9001011234568 9001015015233", ["resident number"] * 2),
        ("EMP-123456 1234-5678-1234-5678", ["private", "card number"]),
        # Two that overlap are one.
        ("김철수 kim@example.com.", ["private"]),
        ("", []),
    ],
)
def test_finds(text, kinds):
    found = REDACTOR.redact(text)

    assert re.findall(r"\[([a-z ]+) \d{5}\]", found) == kinds
    assert not kinds or found != text


@for_each(
    ("one", "other"),
    [
        ("kim@example.com", "KIM＠Example.com"),
        ("010-1234-5678", "+82 (0)10 1234.5678"),
        ("010-1234-5678", "0082-10-1234-5678"),
        ("010-1234-5678", "82-10-1234-5678"),
        ("+1 415 555 2671", "(415) 555-2671"),
        ("010-1234-5678", "０１０–1234 - 5678"),
        ("900101-1234568", "9001011234568"),
    ],
)
def test_one_value_has_one_mark_however_it_is_written(one, other):
    assert mark(one) == mark(other)
    assert mark(one) != Redactor(b"another").redact(one), "of each workspace its own"


def test_an_object_has_marks_in_names_texts_and_whole_numbers():
    given = {"kim@example.com": [9001011234568, "EMP-1234", 3, True, None], "n": {"m": 0.5}}

    found = REDACTOR.values(given)

    marks = [mark("9001011234568"), mark("EMP-1234"), 3, True, None]
    assert found == {mark("kim@example.com"): marks, "n": {"m": 0.5}}


def test_what_is_redacted_stays_and_a_mark_that_somebody_types_is_text():
    once = REDACTOR.redact("[email 12345] kim@example.com [phone 1] EMP-1234 [card number 12345]")

    assert Redactor(KEY, r"\d{5}|(?P<card_number>x)").redact(once) == once
    assert once.startswith("[email 12345] [email ")
    assert REDACTOR.redact("[email 12345]") == "[email 12345]"


@for_each("name", ["note", "Notes", "노트", "note_"])
def test_a_group_makes_no_mark_that_cites_a_note(name):
    redactor = Redactor(KEY, rf"(?P<{name}>EMP-\d+)")
    once = redactor.redact("EMP-1234")

    assert re.fullmatch(r"\[private \d{5}\]", once)
    assert redactor.redact(once) == once


@for_each(
    ("pattern", "reason"),
    [
        ("(", "broken"),
        (r"(?=a)b", "broken"),
        (r"(.)\1", "broken"),
        (r"(\w{1,500}){2}", "too-large"),
        (r"((a?){50}){20}b", "too-large"),
        # A mark of it for each character would fill the memory.
        (rf"(?P<{'a' * 900}>\d)", "too-large"),
        (".*", "too-broad"),
        ("x?", "too-broad"),
        (r"[\s\S]", "too-broad"),
        (r"[가-힣]+", "too-broad"),
    ],
)
def test_refuses_patterns(pattern, reason):
    with pytest.raises(BadPattern) as refused:
        check_pattern(pattern)
    assert refused.value.reason == reason


def test_takes_patterns():
    for pattern in (r"EMP-\d{6}", r"(a+)+b", r"(?P<card_number>\d{4}-\d{4})|김철수"):
        check_pattern(pattern)


NOTES = {
    "환불 문의는 어디로 하나요?": "환불 문의는 {x}로 보내시면 됩니다. 채용 문의는 {y}로 보냅니다.",
    "담당자 연락처는?": "담당자는 김민수(전화 {x})입니다. 야간에는 이영희(전화 {y})입니다.",
    "Who do I contact about refunds?": "Refund requests go to {x}. Billing questions go to {y}.",
}
ANSWERS = {
    "환불 문의는 어디로 하나요?": "환불 문의는 {x}로 보내시면 됩니다. [노트 1]",
    "담당자 연락처는?": "담당자는 김민수(전화 {x})입니다. [노트 1]",
    "Who do I contact about refunds?": "Refund requests go to {x}. [Note 1]",
}


@for_each("question", NOTES)
@for_each(
    "values",
    [("kim@a.com", "lee@b.org", "x@c.net"), ("010-1234-5678", "02-987-6543", "010-9999-0000")],
)
def test_the_rules_still_see_a_swapped_value(question, values):
    x, y, other = values
    lang = "en" if question.isascii() else "ko"
    note = REDACTOR.redact(NOTES[question].format(x=x, y=y))

    def outcome(value: str) -> str | None:
        answer = REDACTOR.redact(ANSWERS[question].format(x=value))
        return judge(AnswerToJudge.from_texts(question, answer, [note], [""], lang=lang)).outcome

    assert outcome(x) in {"matches", "undecided"}
    assert {outcome(y), outcome(other)} == {"mismatch"}


@for_each(
    ("question", "answer", "note"),
    [
        (
            "{x}의 남은 휴가는 며칠인가요?",
            "{x}의 남은 휴가는 3일입니다. [노트 1]",
            "김민수 사원의 남은 휴가는 3일이다.",
        ),
        (
            "When is the booking of {x}?",
            "The booking of {x} is on 3 May. [Note 1]",
            "The booking is on 3 May at 2 pm.",
        ),
    ],
)
@for_each("value", ["kim@example.com", "010-1234-5678"])
def test_whose_data_the_question_asks_for_need_not_stand_in_the_notes(
    question, answer, note, value
):
    question, answer = (REDACTOR.redact(text.format(x=value)) for text in (question, answer))
    lang = "en" if note.isascii() else "ko"

    found = judge(AnswerToJudge.from_texts(question, answer, [note], [""], lang=lang))

    assert found.outcome != "mismatch"
