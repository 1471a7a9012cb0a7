"""Results of a bench in plain sentences, English and Korean."""

from math import ceil
from typing import Literal

from app.experiments.benches.request import STORED
from app.experiments.benches.views import BenchFrame, Compared, Told
from app.judges.judge_names import RULES_MODEL
from app.quality.metrics.statistics import Interval

# Costs whose ratio lies between are about the same.
_SAME_COST = (0.9, 1.1)
_KOREAN_NAMES = {STORED: "저장된 평가", RULES_MODEL: "규칙 평가"}


def sentence_of(found: Compared) -> Told:
    """The judge with the higher agreement, its certainty, and the price."""
    if found.note == "too_few_labels":
        return _too_few(found)
    if found.note == "labels_alike":
        return _alike(found)
    agreement = _undecided(found) if found.winner is None else _decided(found)
    scores, costs = _scores(found), _costs(found)
    return Told(en=agreement.en + scores.en + costs.en, ko=agreement.ko + scores.ko + costs.ko)


def basis_of(source: Literal["file", "feedback"], frame: BenchFrame | None, items: int) -> Told:
    """The labels that a bench rests on, and the answers they represent."""
    if frame is None and source == "file":
        return Told(
            en=f"Rests on {items:,} labelled answers of a file, all of which weigh the same.",
            ko=f"파일의 라벨 {items:,}개에 따른 결과이며 가중치는 모두 같습니다.",
        )
    if frame is None:
        return Told(
            en="Rests on all labels, whoever picked the answers. People label doubtful answers"
            " more often, so it does not speak of answers in general; `searchqa review sample`"
            " draws some at random.",
            ko="누가 고른 답변이든 모든 라벨에 따른 결과입니다. 의심스러운 답변에 라벨이 더 많이"
            " 붙으므로 답변 전체를 대표하지 않습니다. `searchqa review sample`로 무작위로 추출할 수"
            " 있습니다.",
        )
    labels, covered = f"{frame.labels:,}", f"{frame.covered:,}"
    told = Told(
        en=f"Rests on {labels} labels of answers drawn at random, which stand for {covered} stored"
        " answers.",
        ko=f"무작위로 추출한 답변의 라벨 {labels}개에 따른 결과이며, 저장된 답변 {covered}개를"
        " 대표합니다.",
    )
    if frame.weighted:
        told.en += (
            " Their chances of being drawn differ: where judges are compared each label is weighed,"
            " in the figures of one judge it is not."
        )
        told.ko += (
            " 추출 확률이 서로 달라 평가 모델을 비교할 때는 라벨에 가중치를 주고, 각 모델의"
            " 지표에는 주지 않습니다."
        )
    if frame.strata:
        strata = ", ".join(frame.strata)
        told.en += f" Left out, since nothing is labelled there: {strata}."
        told.ko += f" 라벨이 없어 제외한 층: {strata}."
    return told


def _too_few(found: Compared) -> Told:
    first, second = _korean(found.first), _korean(found.second)
    labels, more = f"{found.labels:,}", found.more_labels
    needed = f"{more:,} more are needed" if more else "there are not enough answers for more"
    needed_ko = f"{more:,}개가 더 필요합니다" if more else "더 붙일 답변이 없습니다"
    return Told(
        en=f"{labels} labels are too few to say whether {found.first} or {found.second} agrees"
        f" more with people; {needed}.",
        ko=f"라벨 {labels}개로는 {first}, {second} 중 어느 쪽이 사람과 더 일치하는지 알 수"
        f" 없습니다. {needed_ko}.",
    )


def _alike(found: Compared) -> Told:
    first, second = _korean(found.first), _korean(found.second)
    return Told(
        en=f"All {found.labels:,} labels say the same, and a judge that always says so agrees with"
        f" every one; {found.first} and {found.second} can be compared once labels differ.",
        ko=f"라벨 {found.labels:,}개가 모두 같아, 항상 그렇게만 평가해도 전부 일치합니다. 다른"
        f" 라벨이 생기면 {first}, {second}의 비교가 가능합니다.",
    )


def _decided(found: Compared) -> Told:
    winner, loser = _in_order(found)
    by = _of_100(abs(found.agreement.difference))
    low, high = _ends(found.agreement.interval, turned=winner == found.first)
    return Told(
        en=f"{winner} agrees with people on {by} of 100 answers more than {loser}"
        f" ({_of_100(low)} to {_of_100(high)}).",
        ko=f"{_korean(winner)} 쪽이 {_korean(loser)}보다 답변 100개당 {by}개({_of_100(low)}~"
        f"{_of_100(high)}개) 더 사람과 일치합니다.",
    )


def _undecided(found: Compared) -> Told:
    low, high = _ends(found.agreement.interval)
    fewer, more = _of_100(-low), _of_100(high)
    first, second = _korean(found.first), _korean(found.second)
    needed = found.more_labels and f"{_rounded_up(found.more_labels):,}"
    enough = (
        f"about {needed} more would do if the difference is as found"
        if needed
        else "more labels would hardly change that"
    )
    enough_ko = (
        f"차이가 지금과 같다면 라벨이 약 {needed}개 더 필요합니다"
        if needed
        else "라벨을 더 붙여도 알기 어렵습니다"
    )
    return Told(
        en=f"{found.first} and {found.second} cannot be told apart with {found.labels:,} labels: of"
        f" 100 answers, {found.second} agrees with people on between {fewer} fewer and {more} more;"
        f" {enough}.",
        ko=f"라벨 {found.labels:,}개로는 {first}, {second}의 차이를 알 수 없습니다. 답변 100개당"
        f" {second} 쪽이 {fewer}개 덜에서 {more}개 더까지 사람과 일치할 수 있으며, {enough_ko}.",
    )


def _scores(found: Compared) -> Told:
    """Whose scores are closer to the labels, where that can be told."""
    interval = found.error.interval
    if interval is None or interval.low <= 0 <= interval.high:
        return Told(en="", ko="")
    second_closer = interval.high < 0
    closer = found.second if second_closer else found.first
    low, high = (f"{end:.2f}" for end in _ends(interval, turned=second_closer))
    by = f"{abs(found.error.difference):.2f}"
    return Told(
        en=f" The scores of {closer} are closer to the labels, by {by} ({low} to {high}).",
        ko=f" 점수는 {_korean(closer)} 쪽이 라벨에 {by}({low}~{high}) 더 가깝습니다.",
    )


def _costs(found: Compared) -> Told:
    one, other = _in_order(found)
    costs = dict(zip((found.first, found.second), found.costs_per_1000_usd, strict=True))
    mine, others = costs[one], costs[other]
    en = f" Per 1,000 answers {one} costs {_dollars(mine)} and {other} {_dollars(others)}"
    ko = (
        f" 답변 1,000개당 비용은 {_korean(one)} {_dollars_ko(mine)}, {_korean(other)}"
        f" {_dollars_ko(others)}입니다"
    )
    if mine and others:
        low, high = _SAME_COST
        ratio = mine / others
        if low < ratio < high:
            return Told(en=f"{en}, about the same.", ko=f"{ko}(거의 같음).")
        if ratio > 1:
            times = f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"
            return Told(en=f"{en}: {times} times as much.", ko=f"{ko}({times}배).")
        if ratio < 0.01:
            return Told(en=f"{en}: over 99% less.", ko=f"{ko}(99% 넘게 적음).")
        return Told(en=f"{en}: {1 - ratio:.0%} less.", ko=f"{ko}({1 - ratio:.0%} 적음).")
    return Told(en=f"{en}.", ko=f"{ko}.")


def _in_order(found: Compared) -> tuple[str, str]:
    """The winner first, where there is one."""
    if found.winner == found.second:
        return found.second, found.first
    return found.first, found.second


def _ends(interval: Interval | None, *, turned: bool = False) -> tuple[float, float]:
    assert interval is not None, "there are enough labels"
    return (-interval.high, -interval.low) if turned else (interval.low, interval.high)


def _korean(judge: str) -> str:
    return _KOREAN_NAMES.get(judge, judge)


def _of_100(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _rounded_up(count: int) -> int:
    """To two digits."""
    step: int = 10 ** max(len(str(count)) - 2, 0)
    return ceil(count / step) * step


def _dollars(cost: float | None, unknown: str = "an unknown amount", free: str = "nothing") -> str:
    if cost is None:
        return unknown
    return f"${cost:,.{2 if cost >= 0.05 else 4}f}" if cost else free


def _dollars_ko(cost: float | None) -> str:
    return _dollars(cost, "알 수 없음", "없음")
