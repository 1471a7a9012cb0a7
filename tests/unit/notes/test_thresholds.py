"""Which chunks a threshold lets through, on sets of keys small enough to try all."""

import random
import re
from itertools import combinations
from typing import Any

import pytest

from app.notes import candidates
from app.notes.candidates import Sample, WeightedKey, heaviest

ALL = [frozenset(held) for count in range(9) for held in combinations(range(8), count)]


def matches(query: str, held: set[str]) -> bool:
    python = re.sub(r"\w+", lambda name: str(name[0] in held), query)
    return bool(eval(python.replace("&", " and ").replace("|", " or ")))


def weight(keys: list[WeightedKey], held: frozenset[int]) -> float:
    return sum(keys[at].weight for at in held)


def found(keys: list[WeightedKey], query: str) -> list[frozenset[int]]:
    return [held for held in ALL if matches(query, {keys[at].key for at in held})]


def some_keys(source: random.Random, count: int) -> list[WeightedKey]:
    return [WeightedKey(f"k{at}", source.uniform(0.5, 12), 100) for at in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_what_weighs_more_is_found_first(seed):
    source = random.Random(seed)
    keys = some_keys(source, 8)
    sample = Sample({held: source.randint(1, 5) for held in source.sample(ALL, 60) if held}, 16)

    best = heaviest(keys, sample, least=1, most=600)

    heavy = found(keys, best.query)
    kept = [at for at, key in enumerate(keys) if key.key in best.query]
    lightest = min(weight(keys, held & frozenset(kept)) for held in heavy)
    assert best.chunks <= 600
    assert best.chunks == 16 * sum(
        n
        for held, n in sample.chunks.items()
        if weight(keys, held & frozenset(kept)) >= lightest - 0.001
    )
    assert len(heavy) == sum(
        weight(keys, held & frozenset(kept)) >= lightest - 0.001 for held in ALL
    )


def test_all_chunks_with_a_key_where_they_are_few():
    keys = [WeightedKey("a", 5, 10), WeightedKey("b", 1, 30)]

    best = heaviest(keys, Sample({frozenset([1]): 3}, 4), least=1, most=100)

    assert best.query == "(a | b)"


def test_similar_weights_are_not_distinguished():
    keys = [WeightedKey("a", 5, 9_000), WeightedKey("b", 4, 9_500)]
    sample = Sample({frozenset([0]): 30, frozenset([1]): 30}, 256)

    best = heaviest(keys, sample, least=1, most=600)

    assert (best.query, best.above, best.chunks) == ("a", "a & b", 30 * 256)


def test_keys_are_not_read_for_chunks_that_weigh_little():
    """Whatever has `a` is few chunks, and to find `b` with `c` all of `b` would have to be read."""
    keys = [WeightedKey("a", 9, 400), WeightedKey("b", 3, 80_000), WeightedKey("c", 2, 90_000)]
    sample = Sample({frozenset([1, 2]): 2, frozenset([1]): 300, frozenset([2]): 300}, 256)

    assert heaviest(keys, sample, least=1, most=600).query == "a"


def test_one_chunk_of_a_sample_does_not_tell_how_many_it_stands_for():
    keys = [WeightedKey("a", 9, 400), WeightedKey("b", 5, 900), WeightedKey("c", 3, 9_000)]
    sample = Sample({frozenset([0, 1, 2]): 1, frozenset([0]): 3, frozenset([2]): 40}, 256)

    best = heaviest(keys, sample, least=1, most=600)

    assert (best.query, best.chunks) == ("a", 4 * 256)


def test_a_long_question_is_a_short_query():
    keys = some_keys(random.Random(1), 60)
    sample = Sample({frozenset(range(at, at + 9)): 9 for at in range(50)}, 256)

    best = heaviest(keys, sample, least=1, most=600)

    assert best.query.count("k") <= 40
    assert best.above is None or best.above.count("k") <= 40


def test_a_page_of_text_is_soon_a_short_query(monkeypatch):
    tries: list[int] = []
    levels = candidates._levels

    def counted(*given: Any) -> list[tuple[float, float]]:
        tries.append(1)
        return levels(*given)

    monkeypatch.setattr(candidates, "_levels", counted)
    sample = Sample({frozenset(range(at, at + 30)): 2 for at in range(0, 600, 7)}, 16)

    heaviest(some_keys(random.Random(1), 640), sample, least=25, most=600)

    assert len(tries) <= 30


def test_a_key_of_every_chunk_is_asked_for_alone():
    every = WeightedKey("a", 8e-6, 61_000)

    best = heaviest([every], Sample({frozenset([0]): 3_800}, 16), least=25, most=600)

    assert (best.query, best.above) == ("a", None)


def test_what_weighs_less_is_taken_where_too_few_weigh_more():
    keys = [WeightedKey("a", 6, 2), WeightedKey("b", 0.1, 1_000)]
    sample = Sample({frozenset([0]): 2, frozenset([1]): 1_000}, 1)

    assert heaviest(keys, sample, least=2, most=600).query == "a"
    assert heaviest(keys, sample, least=3, most=600).query == "(a | b)"
