"""Sentences that come back are not analysed again."""

import pytest

from app.text import term_cache
from app.text.morphemes import morphemes
from app.text.term_cache import MAX_KEPT, TermCache

TEXTS = ["시료는 냉동고에 둔다.", "The samples are frozen.", "", "시료는 냉동고에 둔다."]


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that went through the analysis, in order."""
    seen: list[str] = []

    def record(texts: list[str]) -> list[list[str]]:
        seen.extend(texts)
        return [morphemes(text) for text in texts]

    monkeypatch.setattr(term_cache, "morphemes_of_many", record)
    return seen


def test_terms_are_the_morphemes_of_each_text() -> None:
    assert TermCache().of_many(TEXTS) == [frozenset(morphemes(text)) for text in TEXTS]
    assert TermCache().of_many([]) == []


def test_a_text_is_analysed_once(analysed: list[str]) -> None:
    cache = TermCache()
    assert cache.of_many(TEXTS) == cache.of_many(TEXTS)
    assert analysed == TEXTS[:3]


def test_what_was_asked_for_longest_ago_is_forgotten(analysed: list[str]) -> None:
    cache = TermCache(size=2)
    for text in "가나가다가나":
        cache.of_many([text])
    assert analysed == ["가", "나", "다", "나"]


def test_long_texts_are_not_kept(analysed: list[str]) -> None:
    long = "가 " * MAX_KEPT
    cache = TermCache()
    cache.of_many([long])
    cache.of_many([long])
    assert analysed == [long, long]
