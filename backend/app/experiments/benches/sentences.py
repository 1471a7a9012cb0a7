"""Results of a bench in plain sentences, English and Korean (sentences.yaml)."""

from math import ceil
from typing import Literal

from app.experiments.benches.views import BenchFrame, Compared, Told
from app.experiments.parts import texts_beside
from app.quality.metrics.statistics import Interval

# Costs whose ratio lies between are about the same.
_SAME_COST = (0.9, 1.1)


def _text(name: str, **values: object) -> Told:
    """The text of that name. Values may be texts themselves, and words with a Korean one."""
    en = {key: value.en if isinstance(value, Told) else value for key, value in values.items()}
    ko = {key: value.ko if isinstance(value, Told) else value for key, value in values.items()}
    texts = texts_beside(__file__)
    words, text = texts["words"], texts[name]
    ko = {key: words.get(value, value) for key, value in ko.items()}
    return Told(en=text["en"].format(**en), ko=text["ko"].format(**ko))


def _join(*texts: Told) -> Told:
    return Told(en=" ".join(one.en for one in texts), ko=" ".join(one.ko for one in texts))


def comparison_sentence(found: Compared) -> Told:
    """The judge with the higher agreement, its certainty, and the price."""
    if found.note is not None:
        more = found.more_labels
        needed = _text("needs_labels", more=more) if more else _text("lacks_answers")
        about = {"first": found.first, "second": found.second, "labels": found.labels}
        return _text(found.note, **about, needed=needed)
    agreement = _undecided(found) if found.winner is None else _decided(found)
    return _join(agreement, *_scores(found), _costs(found))


def describe_labels(
    source: Literal["file", "feedback"], frame: BenchFrame | None, items: int
) -> Told:
    """The labels that a bench rests on, and the answers they represent."""
    if frame is None:
        return _text("file_labels", items=items) if source == "file" else _text("all_labels")
    parts = [_text("drawn_labels", labels=frame.labels, covered=frame.covered)]
    if frame.weighted:
        parts.append(_text("weighted"))
    if frame.strata:
        parts.append(_text("strata_left_out", strata=", ".join(frame.strata)))
    return _join(*parts)


def _decided(found: Compared) -> Told:
    winner, loser = _winner_first(found)
    low, high = _bounds(found.agreement.interval, turned=winner == found.first)
    return _text(
        "decided",
        winner=winner,
        loser=loser,
        by=_per_100(abs(found.agreement.difference)),
        low=_per_100(low),
        high=_per_100(high),
    )


def _undecided(found: Compared) -> Told:
    low, high = _bounds(found.agreement.interval)
    needed = _text("more_labels_do_not")
    if found.more_labels:
        needed = _text("more_labels_do", needed=_rounded_up(found.more_labels))
    return _text(
        "undecided",
        first=found.first,
        second=found.second,
        labels=found.labels,
        fewer=_per_100(-low),
        more=_per_100(high),
        needed=needed,
    )


def _scores(found: Compared) -> list[Told]:
    """The judge whose scores are closer to the labels, if the difference is significant."""
    interval = found.error.interval
    if interval is None or interval.low <= 0 <= interval.high:
        return []
    second_closer = interval.high < 0
    closer = found.second if second_closer else found.first
    low, high = _bounds(interval, turned=second_closer)
    return [_text("closer", closer=closer, by=abs(found.error.difference), low=low, high=high)]


def _costs(found: Compared) -> Told:
    one, other = _winner_first(found)
    costs = dict(zip((found.first, found.second), found.costs_per_1000_usd, strict=True))
    mine, others = costs[one], costs[other]
    compared = _text("not_compared")
    if mine and others:
        compared = _ratio(mine / others)
    return _text(
        "costs",
        one=one,
        mine=_dollars(mine),
        other=other,
        others=_dollars(others),
        compared=compared,
    )


def _ratio(ratio: float) -> Told:
    low, high = _SAME_COST
    if low < ratio < high:
        return _text("about_the_same")
    if ratio > 1:
        return _text("times_as_much", times=f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}")
    return _text("over_99_less") if ratio < 0.01 else _text("less", share=1 - ratio)


def _winner_first(found: Compared) -> tuple[str, str]:
    if found.winner == found.second:
        return found.second, found.first
    return found.first, found.second


def _bounds(interval: Interval | None, *, turned: bool = False) -> tuple[float, float]:
    assert interval is not None, "there are enough labels"
    return (-interval.high, -interval.low) if turned else (interval.low, interval.high)


def _per_100(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _rounded_up(count: int) -> int:
    """To two digits."""
    step: int = 10 ** max(len(str(count)) - 2, 0)
    return ceil(count / step) * step


def _dollars(cost: float | None) -> str:
    if cost is None:
        return "an unknown amount"
    return f"${cost:,.{2 if cost >= 0.05 else 4}f}" if cost else "nothing"
