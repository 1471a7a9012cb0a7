"""How many answers of each stratum are drawn, and which."""

import uuid
from collections import Counter

import pytest

from app.quality.metrics.inclusion import allocate, pick


@pytest.mark.parametrize(
    ("available", "size", "expected"),
    [
        ([100], 10, [10]),
        ([400, 100], 30, [20, 10]),  # in proportion to 20 and 10, the square roots
        ([10_000, 4], 20, [18, 2]),
        ([10_000, 1], 20, [19, 1]),
        ([5, 3], 100, [5, 3]),
        ([7, 0], 5, [5, 0]),
        ([], 5, []),
    ],
)
def test_small_strata_get_more_than_their_share(available, size, expected):
    assert allocate(available, size) == expected


def test_equal_seeds_draw_the_same():
    strata = [[uuid.UUID(int=n) for n in range(start, start + 50)] for start in (0, 100)]
    first, again, other = (pick(strata, [5, 3], seed) for seed in (1, 1, 2))
    assert first == again != other
    assert Counter(place for place, _ in first) == {0: 5, 1: 3}
    assert len({id_ for _, id_ in first}) == 8
    assert all(id_ in strata[place] for place, id_ in first)


def test_every_answer_has_its_chance_and_every_place():
    ids = [uuid.UUID(int=n) for n in range(10)]
    draws = [pick([ids], [3], seed) for seed in range(2_000)]
    picked = Counter(id_ for draw in draws for _, id_ in draw)
    first = Counter(draw[0][1] for draw in draws)
    # 600 and 200 are expected; five standard deviations.
    assert all(500 < picked[id_] < 700 for id_ in ids)
    assert all(130 < first[id_] < 270 for id_ in ids)


def test_strata_are_mixed_in_the_order():
    strata = [[uuid.UUID(int=n) for n in range(start, start + 20)] for start in (0, 100)]
    orders = [[place for place, _ in pick(strata, [10, 10], seed)] for seed in range(50)]
    assert all(sorted(order) != order for order in orders)
