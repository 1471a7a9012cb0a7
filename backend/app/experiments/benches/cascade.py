"""Thresholds of a workspace's cascade, from a bench of its judges on labelled answers."""

import asyncio
import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictBool
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.benches.judging import EVALUATORS
from app.experiments.benches.request import judge_and_prompt
from app.experiments.benches.service import bench_detail
from app.experiments.benches.views import BenchFrame, Told
from app.judges.judge_names import takes_prompts
from app.platform.errors import Conflict, InvalidRequest
from app.platform.ids import unit_hash
from app.platform.jobs.status import RunStatus
from app.platform.settings import Settings
from app.quality.metrics.calibration import labels_needed
from app.quality.metrics.cascade import (
    LEARN_SHARE,
    CascadeSearch,
    JudgedSample,
    Played,
    search_cuts,
)
from app.verdicts.policy.calibrations import cascade_problems, save_cascade
from app.verdicts.policy.cascade import CascadeCalibration, StepThresholds
from app.verdicts.policy.document import Model, Number
from app.verdicts.policy.evaluation_policy import EvaluationPolicy, prompt_version
from app.verdicts.policy.service import policy_of

Outcome = Literal["calibrated", "not_reached", "no_saving", "too_few_labels"]

DEFAULT_MAX_LOSS = 0.01
DEFAULT_CONFIDENCE = 0.9


class CascadeCreate(BaseModel):
    """bench_id: a completed bench of all its judges. judges: the cascade, the policy's judge last;
    that of the policy where it is left out. max_loss: the share of answers, 0 to 1, that may get a
    worse verdict than the last judge would give. dry_run: says what would be stored, and stores
    nothing."""

    model_config = ConfigDict(extra="forbid")

    bench_id: uuid.UUID
    judges: Annotated[list[Model], Field(min_length=2, max_length=5)] | None = None
    max_loss: Annotated[float, Field(ge=0.001, le=0.5), Number] = DEFAULT_MAX_LOSS
    confidence: Annotated[float, Field(ge=0.5, le=0.999), Number] = DEFAULT_CONFIDENCE
    dry_run: StrictBool = False


class CascadeCandidate(BaseModel):
    """A cascade as it would have judged the tested answers. steps: the thresholds of its judges but
    the last, by name. decided: the share of answers that each decides. agreement: share of answers
    that it calls high if people call them right, and not high otherwise. worse, better: answers
    with a worse or better verdict than the last judge's, by the label; false_highs: wrong answers
    that it calls high, new_false_highs: of those the ones that the last judge does not. loss:
    worse less better, loss_bound: the bound on worse, as shares of the answers. cost_per_1000_usd:
    checks included. passed: the test of that bound."""

    steps: dict[str, StepThresholds]
    decided: dict[str, float]
    agreement: float
    worse: int
    better: int
    false_highs: int
    new_false_highs: int
    loss: float
    loss_bound: float
    cost_per_1000_usd: float
    passed: bool


class CascadeResult(BaseModel):
    """What came of a calibration.

    outcome: calibrated; not_reached: the strictest thresholds were not shown to keep the loss;
    no_saving: what keeps it is not cheaper than the last judge alone, or no other judge is ever
    sure; too_few_labels: not even if no verdict were worse, and `needed` labels would do then.
    labels: those that are used, of which `learned_on` gave the order of the tests and `tested_on`
    tested; left_out: answers that the last judge had no verdict on. alone: the last judge without a
    cascade. tested: in their order, the last of which may not have passed; chosen: the cheapest
    that did. stored: whether the policy has it now. basis: what the labels speak of.
    """

    outcome: Outcome
    judges: list[str]
    max_loss: float
    confidence: float
    labels: int
    learned_on: int
    tested_on: int
    left_out: int
    needed: int
    alone: CascadeCandidate | None
    tested: list[CascadeCandidate]
    chosen: CascadeCandidate | None
    stored: bool
    basis: Told


async def calibrate_cascade(
    session: AsyncSession, workspace_id: uuid.UUID, settings: Settings, request: CascadeCreate
) -> CascadeResult:
    """Looks for the thresholds, and stores them with the policy; the caller commits. Raises
    NotFound for a bench that there is not, Conflict for one under way, InvalidRequest for judges
    that cannot make a cascade or are not in it."""
    bench = await bench_detail(session, workspace_id, request.bench_id)
    policy = await policy_of(session, workspace_id, settings)
    wanted = tuple(request.judges or policy.document.cascade or ())
    _check(wanted, policy, settings)
    if bench.status != RunStatus.COMPLETED:
        raise Conflict.worded("bench-under-way", status=bench.status)
    if missing := [judge for judge in wanted if judge not in bench.judges]:
        raise InvalidRequest.worded("judge-not-measured", judges=", ".join(missing))
    results = await queries.bench_results(session, workspace_id, request.bench_id)
    sample, left_out = judged_sample(results, wanted, bench.frame)
    check = policy.document.cascade_check or 0.0
    found = await asyncio.to_thread(_result, request, sample, wanted, check, left_out, bench.basis)
    if found.chosen and not request.dry_run:
        stored = _calibration(found, policy.versions_of(wanted))
        await save_cascade(session, workspace_id, stored)
        found.stored = True
    return found


def _check(wanted: Sequence[str], policy: EvaluationPolicy, settings: Settings) -> None:
    if not wanted:
        raise InvalidRequest.worded("no-cascade", judge=policy.judge_model)
    cascade = policy.document.model_copy(update={"cascade": [*wanted]})
    for problem in cascade_problems(cascade, settings):
        raise problem
    for judge, used in zip(wanted, policy.versions_of(wanted), strict=True):
        model, prompt = judge_and_prompt(judge)
        measured = prompt_version(model, EVALUATORS, prompt)
        if measured != used:
            raise InvalidRequest.worded("unusable-cascade", measured=measured, used=used)


def _result(
    request: CascadeCreate,
    sample: JudgedSample,
    judges: Sequence[str],
    check: float,
    left_out: int,
    basis: Told,
) -> CascadeResult:
    learn, test = halves(sample)
    max_loss, confidence = request.max_loss, request.confidence
    to_test = labels_needed(1 - max_loss, confidence)
    found = None
    if test.size >= to_test:
        found = search_cuts(learn, test, max_loss=max_loss, confidence=confidence, check=check)
    candidate = partial(_candidate, judges, confidence)
    return CascadeResult(
        outcome=_outcome(found),
        judges=[*judges],
        max_loss=max_loss,
        confidence=confidence,
        labels=sample.size,
        learned_on=learn.size,
        tested_on=test.size,
        left_out=left_out,
        needed=_labels_for_tests(to_test),
        alone=candidate(found.alone, passed=True) if found else None,
        tested=[candidate(one, passed=n < found.passed) for n, one in enumerate(found.tested)]
        if found
        else [],
        chosen=candidate(found.chosen, passed=True) if found and found.chosen else None,
        stored=False,
        basis=basis,
    )


def _outcome(found: CascadeSearch | None) -> Outcome:
    """found: None where no cascade could be tested."""
    if found is None:
        return "too_few_labels"
    if found.chosen:
        return "calibrated"
    return "no_saving" if found.passed or not found.tested else "not_reached"


def _labels_for_tests(to_test: int) -> int:
    """The fewest labels of which `to_test` are not needed for learning."""
    return next(size for size in count(to_test) if size - round(size * LEARN_SHARE) >= to_test)


def _candidate(
    judges: Sequence[str], confidence: float, one: Played, *, passed: bool
) -> CascadeCandidate:
    n = max(one.labels, 1)
    steps = {
        judge: StepThresholds(low=cut.low, high=cut.high)
        for judge, cut in zip(judges[:-1], one.cuts, strict=True)
        if cut.decides
    }
    decided = zip(judges[:-1], one.decided, strict=True)
    return CascadeCandidate(
        steps=steps,
        decided={judge: answers / n for judge, answers in decided if judge in steps},
        agreement=one.agreeing / n,
        worse=one.worse,
        better=one.better,
        false_highs=one.false_highs,
        new_false_highs=one.new_false_highs,
        loss=(one.worse - one.better) / n,
        loss_bound=one.bound(confidence),
        cost_per_1000_usd=1000 * one.cost,
        passed=passed,
    )


def _calibration(found: CascadeResult, versions: Sequence[str]) -> CascadeCalibration:
    assert found.chosen
    assert found.alone
    saved = 1 - found.chosen.cost_per_1000_usd / found.alone.cost_per_1000_usd
    return CascadeCalibration(
        judges=found.judges,
        prompt_versions=[*versions],
        steps=found.chosen.steps,
        max_loss=found.max_loss,
        confidence=found.confidence,
        labels=found.tested_on,
        worse=found.chosen.worse,
        loss_bound=found.chosen.loss_bound,
        decided=sum(found.chosen.decided.values()),
        saving=saved,
        calibrated_at=dt.datetime.now(dt.UTC),
    )


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
    kept = sorted((each for each in good if is_kept(each[judges[-1]], frame)), key=_hash_order)
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


def is_kept(row: Result, frame: BenchFrame | None) -> bool:
    """Thinned to the smallest chance that an answer had of being labelled."""
    if frame is None or row["cell"] is None:
        return True
    shares = [cell.labels / cell.answers for cell in frame.cells]
    return unit_hash(row["ref"].encode(), b"thin") < min(shares) / shares[row["cell"]]


def _hash_order(found: Mapping[str, Result]) -> tuple[float, int]:
    row = next(iter(found.values()))
    return unit_hash(row["ref"].encode(), b"order"), row["position"]
