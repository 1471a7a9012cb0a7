"""The results of a bench as labelled answers of a cascade."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.experiments.benches.views import BenchFrame
from app.judges.judge_names import takes_prompts
from app.platform.errors import InvalidRequest
from app.platform.ids import unit_hash
from app.quality.metrics.cascade import LEARN_SHARE, JudgedSample

# A row of `queries.bench_results`.
Result = Mapping[str, Any]


def judged_sample(
    results: Sequence[Result], judges: Sequence[str], frame: BenchFrame | None
) -> tuple[JudgedSample, int]:
    """The answers that the last judge has a verdict on, in an order that no label decides, and how
    many it has none on. Where answers had different chances of a label, as many are left out as
    make them alike. Raises InvalidRequest without the cost of a judge, and for results of an
    earlier release."""
    by_position: defaultdict[int, dict[str, Result]] = defaultdict(dict)
    for row in results:
        by_position[row["position"]][row["judge"]] = row
    rows = [found for found in by_position.values() if set(judges) <= found.keys()]
    good = [found for found in rows if found[judges[-1]]["score"] is not None]
    kept = sorted((each for each in good if _is_kept(each[judges[-1]], frame)), key=_hash_order)
    by_judge = [[found[judge] for found in kept] for judge in judges]
    scores = np.array([[row["score"] for row in rows] for rows in by_judge], dtype=np.float64)
    levels = np.array([[row["confidence"] or "" for row in rows] for rows in by_judge], np.str_)
    if (~np.isnan(scores) & (levels == "")).any():
        raise InvalidRequest.worded("bench-too-old")
    sample = JudgedSample(
        right=np.array([_is_right(row) for row in by_judge[-1]], dtype=np.bool_),
        scores=scores,
        high=levels == "high",
        low=levels == "low",
        costs=tuple(map(_cost, judges, by_judge)),
    )
    return sample, len(rows) - len(good)


def halves(sample: JudgedSample) -> tuple[JudgedSample, JudgedSample]:
    """The part that orders the tests, and the part that tests."""
    learning = round(sample.size * LEARN_SHARE)
    places = np.arange(sample.size)
    return sample.part(places[:learning]), sample.part(places[learning:])


def _is_right(row: Result) -> bool:
    """People call it right, all of it."""
    return not row["hallucinated"] if row["grade"] is None else row["grade"] == 1


def _cost(judge: str, rows: Sequence[Result]) -> float:
    """US dollars for an answer, failures included."""
    if not takes_prompts(judge):
        return 0.0
    costs = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
    if not costs and rows:
        raise InvalidRequest.worded("unpriced-model", judge=judge)
    return float(sum(costs)) / len(costs) if costs else 0.0


def _is_kept(row: Result, frame: BenchFrame | None) -> bool:
    """Thinned to the smallest chance that an answer had of being labelled."""
    if frame is None or row["cell"] is None:
        return True
    shares = [cell.labels / cell.answers for cell in frame.cells]
    return unit_hash(row["ref"].encode(), b"thin") < min(shares) / shares[row["cell"]]


def _hash_order(found: Mapping[str, Result]) -> tuple[float, int]:
    row = next(iter(found.values()))
    return unit_hash(row["ref"].encode(), b"order"), row["position"]
