"""Statements that are nearly equal, what a group of them is called, and which release is older."""

import datetime as dt
import uuid

from app.quality.failures.grouping import (
    Groups,
    Topic,
    analysed_statements,
    is_older,
    name_of,
    signature,
)
from cases import for_each

TOPIC = Topic("contradicted", "note")
THEN = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
ID = uuid.UUID(int=1)


def groups(*founders: str) -> Groups:
    found = Groups()
    for number, statement in enumerate(analysed_statements(founders), start=1):
        name = signature(TOPIC, statement.terms)
        found.add(uuid.UUID(int=number), name, [TOPIC], statement.terms)
    return found


@for_each(
    ("founder", "statement", "alike"),
    [
        ("환불 기한은 30일입니다.", "환불 기한은 14일까지입니다. [노트 1]", True),
        ("환불 기한은 구매 후 30일입니다.", "환불 기한은 30일이다.", True),
        ("직원은 연차를 3일 전에 신청한다.", "연차는 최소 5일 전에 신청한다.", True),
        ("The refund period is 30 days.", "Refund period: 14 days", True),
        # All but what they are about is the same.
        ("환불 기한은 구매 후 30일입니다.", "교환 기한은 구매 후 30일입니다.", False),
        ("변성은 95도에서 한다.", "배양기는 95도로 맞춘다.", False),
        ("The refund period is 30 days.", "The warranty period is 30 days.", False),
        ("변성은 95도에서 한다.", "", False),
        ("😀", "😀", True),
        ("1,000", "1000", True),
    ],
)
def test_statements_are_alike_by_their_words_without_numbers(founder, statement, alike):
    (found,) = analysed_statements([statement])
    assert (groups(founder).nearest(TOPIC, found.terms) is not None) is alike
    assert groups(founder).nearest(TOPIC._replace(note="other"), found.terms) is None


def test_the_nearest_group_counts_whatever_the_order():
    founders = ["환불 기한은 구매 후 30일입니다.", "환불 기한은 30일입니다."]
    (statement,) = analysed_statements(["환불 기한은 20일입니다."])
    one, other = groups(*founders), groups(*founders[::-1])
    assert one.nearest(TOPIC, statement.terms) == uuid.UUID(int=2)
    assert other.nearest(TOPIC, statement.terms) == uuid.UUID(int=1)


def test_looking_for_a_group_hashes_no_words_of_others():
    class Word(str):
        hashed = 0

        def __hash__(self) -> int:
            Word.hashed += 1
            return super().__hash__()

    found = Groups()
    for number in range(50):
        words = [Word(f"{number} {each}" if each % 2 else each) for each in range(40)]
        found.add(uuid.UUID(int=number), str(number), [TOPIC], words)
    Word.hashed = 0
    assert found.nearest(TOPIC, words) == uuid.UUID(int=49)
    assert Word.hashed == len(words)


@for_each(
    ("statements", "name"),
    [
        (["환불 기한은 구매 후 30일입니다."], "환불 기한 · 30일"),
        # Most say this value; without such a one the next words follow.
        (["환불 기한은 30일", "환불 기한은 14일", "환불 기한은 30일"], "환불 기한 · 30일"),
        (["환불 기한은 구매 후 30일", "환불 기한은 구매 후 14일"], "환불 기한 · 구매 후"),
        (["원심분리기는 12,000 rpm으로 돌립니다"], "원심분리기 · 12,000 rpm"),
        (["부가세 10%가 포함된 가격입니다"], "부가세 · 10%"),
        (["The refund period is 30 days."], "refund period · 30 days"),
        (["재택근무는 할 수 있다"], "재택근무"),
        (["😀"], ""),
    ],
)
def test_a_group_is_called_by_its_commonest_words(statements, name):
    assert name_of(analysed_statements(statements)) == name


@for_each(
    ("release", "than", "older"),
    [
        ("1.4.1", "1.4.2", True),
        ("1.4.10", "1.4.9", False),
        ("v1.4", "1.4.0", False),
        ("1.4.2-rc1", "1.4.2", True),
        ("1.4.2", "1.4.2-rc1", False),
        (None, "1.4.2", False),
        ("1.4.1", None, False),
        # Without numbers of both, the first seen counts.
        ("9f3a1c", "1.4.2", True),
        ("2026", "blue", True),
    ],
)
def test_a_release_is_older_by_its_numbers_or_its_first_answer(release, than, older):
    assert is_older(release, than, THEN, THEN + DAY) is older
    if older and release and than and "." not in release:
        assert not is_older(release, than, THEN + DAY, THEN)
