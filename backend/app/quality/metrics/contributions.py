"""Which group of answers a change of their mean comes from.

With w and m the share and mean of a group before (0) and after (1), and M the mean of all, the
change M1 - M0 is the sum over groups of w1 (m1 - M0) - w0 (m0 - M0): groups that got worse, and
worse groups that grew. If all answers changed alike, a group would have the part w0 of the change.
What it has beyond that is its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

# A group is named if this part of the change is its own, and if chance hardly gives as much: so
# many standard errors, as many groups are looked at.
MIN_PART = 0.3
MIN_ERRORS = 4.0
# Answers after the change before anything is said of it.
MIN_ANSWERS = 10


@dataclass(frozen=True, slots=True)
class Sums:
    """Of a figure over answers: how many, its sum, and that of its squares."""

    answers: int
    total: float
    squares: float

    @property
    def mean(self) -> float | None:
        return self.total / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that share `value` in `dimension`, before and after the change. name: of the value
    where that is an id."""

    dimension: str
    value: str
    name: str | None
    before: Sums
    after: Sums


@dataclass(frozen=True, slots=True)
class Contribution:
    """part: of the change that is the group's own, 0 to about 1."""

    group: Group
    part: float


def contributions(before: Sums, after: Sums, groups: Iterable[Group]) -> list[Contribution]:
    """The group of each dimension that stands out most, the largest part first; none where nothing
    stands out. before, after: of all answers. Answers are taken as independent."""
    if not before.answers or after.answers < MIN_ANSWERS:
        return []
    found: dict[str, Contribution] = {}
    for group in groups:
        part, errors = _own_part(before, after, group)
        best = found.get(group.dimension)
        if part >= MIN_PART and errors >= MIN_ERRORS and (best is None or part > best.part):
            found[group.dimension] = Contribution(group, part)
    return sorted(found.values(), key=lambda each: -each.part)


def _own_part(before: Sums, after: Sums, group: Group) -> tuple[float, float]:
    """The part of the change that is the group's own, and how many standard errors that is: the
    difference of the means of (inside - w0) (x - M0), `inside` being 1 for answers of the group."""
    centre = before.total / before.answers
    share = group.before.answers / before.answers
    means, variance = [], 0.0
    for whole, inside in ((before, group.before), (after, group.after)):
        (total, squares), (of_group, squares_of_group) = (
            (s.total - centre * s.answers, s.squares - 2 * centre * s.total + centre**2 * s.answers)
            for s in (whole, inside)
        )
        mean = ((1 - share) * of_group - share * (total - of_group)) / whole.answers
        square = (1 - share) ** 2 * squares_of_group + share**2 * (squares - squares_of_group)
        means.append(mean)
        variance += max(square / whole.answers - mean**2, 0.0) / whole.answers
    change = after.total / after.answers - centre
    own = means[1] - means[0]
    if not change or own * change <= 0:
        return 0.0, 0.0
    return own / change, abs(own) / sqrt(variance) if variance > 1e-18 else float("inf")
