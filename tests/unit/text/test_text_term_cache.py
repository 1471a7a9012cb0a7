"""Sentences that come back are not analysed again."""

from collections.abc import Sequence

from app.text.morphemes import MAX_KEPT, SentenceCache, morphemes

TEXTS = ["시료는 냉동고에 둔다.", "The samples are frozen.", "", "시료는 냉동고에 둔다."]


class Recorder:
    """An analysis that keeps the texts it was given, in order."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[str]]:
        self.seen.extend(texts)
        return [morphemes(text) for text in texts]


def test_terms_are_the_morphemes_of_each_text():
    cache = SentenceCache(Recorder())
    assert cache.of_many(TEXTS) == [morphemes(text) for text in TEXTS]
    assert cache.of_many([]) == []


def test_a_text_is_analysed_once():
    analysed = Recorder()
    cache = SentenceCache(analysed)
    assert cache.of_many(TEXTS) == cache.of_many(TEXTS)
    assert analysed.seen == TEXTS[:3]


def test_what_was_asked_for_longest_ago_is_forgotten():
    analysed = Recorder()
    cache = SentenceCache(analysed, size=2)
    for text in "가나가다가나":
        cache.of_many([text])
    assert analysed.seen == ["가", "나", "다", "나"]


def test_long_texts_are_not_kept():
    long = "가 " * MAX_KEPT
    analysed = Recorder()
    cache = SentenceCache(analysed)
    cache.of_many([long])
    cache.of_many([long])
    assert analysed.seen == [long, long]
