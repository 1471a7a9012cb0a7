"""What differs between two releases, by the sums of their scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.quality.drift.series import Sums
from app.quality.metrics.ppi import Difference, welch
from app.quality.metrics.statistics import CONFIDENCE, holm

# Fewer scored answers on either side are not compared.
MIN_ANSWERS = 10


class GroupKey(NamedTuple):
    """topic: None where nothing names one."""

    lang: str
    topic: str | None


@dataclass(frozen=True, slots=True)
class Lost:
    """The group that takes the largest part in a drop: its means before and after, and how many
    answers it has since."""

    key: GroupKey
    answers: int
    before: float
    after: float


def variance(sums: Sums) -> float:
    """Of a single value, from at least two."""
    mean = sums.total / sums.answers
    return max(sums.squares - sums.answers * mean**2, 0.0) / (sums.answers - 1)


def difference(before: Sums, after: Sums) -> Difference | None:
    """Of the means of two samples (Welch 1947); None below MIN_ANSWERS on either side."""
    if min(before.answers, after.answers) < MIN_ANSWERS:
        return None
    parts = [variance(each) / each.answers for each in (before, after)]
    found = after.total / after.answers - before.total / before.answers
    return welch(found, parts, [each.answers - 1 for each in (before, after)])


def most_lost(before: Mapping[GroupKey, Sums], after: Mapping[GroupKey, Sums]) -> Lost | None:
    """Of the groups that are worse beyond chance, for as many as are looked at (Holm 1979), the one
    that lowers the mean most; None where there is none, or only one group."""
    keys = [key for key in after if key in before]
    compared = {key: found for key in keys if (found := difference(before[key], after[key]))}
    if len({*before, *after}) < 2:
        return None
    p_values = holm([found.p_value for found in compared.values()])
    worse = [
        key
        for (key, found), p_value in zip(compared.items(), p_values, strict=True)
        if found.difference < 0 and p_value < 1 - CONFIDENCE
    ]
    if not worse:
        return None
    key = min(worse, key=lambda each: compared[each].difference * after[each].answers)
    means = [sums[key].total / sums[key].answers for sums in (before, after)]
    return Lost(key, after[key].answers, *means)


def by_release(
    rows: Iterable[Sequence[object]],
) -> Mapping[str, Mapping[GroupKey, Sums]]:
    """rows: release, language, topic, and the three sums."""
    found: dict[str, dict[GroupKey, Sums]] = {}
    for version, lang, topic, *sums in rows:
        key = GroupKey(str(lang), None if topic is None else str(topic))
        found.setdefault(str(version), {})[key] = Sums(*sums)  # type: ignore[arg-type]  # a row's
    return found
