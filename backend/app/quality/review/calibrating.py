"""Guarantees for "high": from people's labels of drawn answers, the lowest score of each judge
above which as many of its high verdicts are right as is to be promised."""

import asyncio
import uuid
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import InvalidRequest
from app.platform.settings import Settings
from app.quality.metrics.calibration import Threshold, labels_needed, lowest_threshold
from app.quality.review import calibration_labels as labelled
from app.verdicts.policy import calibrations
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.service import policy_of

Outcome = Literal["guaranteed", "not_reached", "too_few_labels", "no_highs", "not_in_policy"]

DEFAULT_PRECISION = 0.95
DEFAULT_CONFIDENCE = 0.9


class Target(BaseModel):
    """At least a share `precision` of what is called high is to be right, with this confidence;
    both between 0 and 1."""

    precision: float
    confidence: float


class TestedThreshold(BaseModel):
    """Of `labels` labelled high verdicts with a correctness of at least `score`, people found
    `right` right: with the wanted confidence more than a share `bound` of all such answers."""

    score: float
    labels: int
    right: int
    bound: float


class CalibratedJudge(BaseModel):
    """What came of one judge and prompt version.

    outcome: guaranteed; not_reached: no threshold has the precision; too_few_labels: not even if
    all of them were right; no_highs: it calls none of the answers high that could have been drawn;
    not_in_policy: the policy names it, or this prompt, no more.
    highs: its high verdicts on answers that could have been drawn; covered: those of which this
    speaks, `strata` the names of the others; labels: of high verdicts, used: of these, those left
    after thinning to one chance for all. stays_high: share of highs with a score of at least
    the threshold. best: where there is no threshold, the one with the highest bound. more_labels:
    how many more above it would do if all were right. withdrawn: an earlier guarantee that asked no
    more than this one is deleted.
    """

    judge_model: str
    prompt_version: str
    outcome: Outcome
    highs: int = 0
    covered: int = 0
    labels: int = 0
    used: int = 0
    strata: list[str] = []
    threshold: TestedThreshold | None = None
    stays_high: float | None = None
    best: TestedThreshold | None = None
    more_labels: int = 0
    withdrawn: bool = False


class CalibrationResult(Target):
    """stored: whether anything was; not on a dry run."""

    stored: bool
    judges: list[CalibratedJudge]


async def calibrate(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    settings: Settings,
    target: Target,
    *,
    judge_model: str | None = None,
    dry_run: bool = False,
) -> CalibrationResult:
    """Looks for the threshold of each judge of which drawn answers are labelled, or of that one,
    and stores what is found; the caller commits. Raises InvalidRequest where there is no label."""
    policy = await policy_of(session, workspace_id, settings)
    current, cascade = policy.judge_versions, policy.active_cascade
    frame, judges = await labelled.read_labels(session, workspace_id, judge_model, cascade)
    if not any(answers.labels for answers in judges.values()):
        if judge_model is not None:
            raise InvalidRequest.worded("no-labels-of-judge", judge=judge_model)
        raise InvalidRequest.worded("no-labels")
    before = await calibrations.calibrations_of(session, workspace_id, current, cascade)
    found: list[CalibratedJudge] = []
    new: list[calibrations.NewCalibration] = []
    for version, answers in judges.items():
        if version not in current:
            if answers.labels:
                found.append(CalibratedJudge(**_named(version), outcome="not_in_policy"))
            continue
        one = await asyncio.to_thread(_searched, version, answers, frame, target)
        if one.threshold:
            new.append(_stored(one, answers, frame, target, cascade))
        one.withdrawn = (
            not dry_run and one.outcome == "not_reached" and _refutes(one, before, target)
        )
        found.append(one)
    withdrawn = [(one.judge_model, one.prompt_version) for one in found if one.withdrawn]
    stored = bool(new or withdrawn) and not dry_run
    if stored:
        await calibrations.save_calibrations(session, workspace_id, new, withdrawn=withdrawn)
    return CalibrationResult(**target.model_dump(), stored=stored, judges=found)


async def guarantee_of(
    session: AsyncSession, workspace_id: uuid.UUID, policy: EvaluationPolicy
) -> calibrations.CalibrationRead | None:
    """The one that holds for the policy's judge."""
    now = policy.judge_versions, policy.active_cascade
    for each in await calibrations.calibrations_of(session, workspace_id, *now):
        if each.judge_model == policy.judge_model and not each.lapsed:
            return each
    return None


async def calibrate_successor(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    target: Target,
    version: labelled.JudgeVersion,
    trials: Sequence[labelled.TrialVerdict],
    *,
    dry_run: bool = False,
) -> CalibratedJudge:
    """The guarantee of a judge without stored verdicts, which judges alone, by its trials on drawn
    and labelled answers; stored where there is one. The caller commits."""
    frame, judges = await labelled.read_labels(session, workspace_id, version[0], (), trials)
    answers = judges.get(version, labelled.JudgedAnswers())
    one = await asyncio.to_thread(_searched, version, answers, frame, target)
    if one.threshold and not dry_run:
        stored = _stored(one, answers, frame, target, ())
        await calibrations.save_calibrations(session, workspace_id, [stored])
    return one


def _refutes(
    one: CalibratedJudge, before: Sequence[calibrations.CalibrationRead], target: Target
) -> bool:
    """Whether there is a guarantee that today's labels speak against: it promises as much as was
    asked for now, or more."""
    return any(
        (each.judge_model, each.prompt_version) == (one.judge_model, one.prompt_version)
        and each.precision >= target.precision
        and each.confidence >= target.confidence
        for each in before
    )


def _named(version: labelled.JudgeVersion) -> dict[str, str]:
    return {"judge_model": version[0], "prompt_version": version[1]}


def _searched(
    version: labelled.JudgeVersion,
    answers: labelled.JudgedAnswers,
    frame: labelled.Frame,
    target: Target,
) -> CalibratedJudge:
    sample = labelled.thinned(answers, frame)
    about: dict[str, Any] = _named(version) | {
        "highs": sample.highs,
        "covered": sample.covered,
        "labels": sum(label.high for label in answers.labels),
        "used": len(sample.scores),
        "strata": sample.missing,
    }
    if not sample.highs:
        return CalibratedJudge(**about, outcome="no_highs")
    wanted = target.model_dump()
    guarantee = lowest_threshold(sample.scores, sample.right, list(answers.candidates), **wanted)
    if found := guarantee.threshold:
        about |= {
            "threshold": _tested(found, target),
            "stays_high": answers.candidates[found.score] / sample.highs,
        }
        return CalibratedJudge(**about, outcome="guaranteed")
    if best := guarantee.best(target.confidence):
        about |= {"best": _tested(best, target), "more_labels": best.more_labels(**wanted)}
        return CalibratedJudge(**about, outcome="not_reached")
    used, right = len(sample.right), int(sample.right.sum())
    more = labels_needed(**wanted, wrong=used - right) - used
    return CalibratedJudge(**about, outcome="too_few_labels", more_labels=more)


def _stored(
    one: CalibratedJudge,
    answers: labelled.JudgedAnswers,
    frame: labelled.Frame,
    target: Target,
    cascade: Sequence[str],
) -> calibrations.NewCalibration:
    assert one.threshold
    assert one.stays_high is not None
    curve = labelled.chances(answers, frame)
    return calibrations.NewCalibration(
        **target.model_dump(),
        judge_model=one.judge_model,
        prompt_version=one.prompt_version,
        threshold=one.threshold.score,
        labels=one.threshold.labels,
        labels_right=one.threshold.right,
        stays_high=one.stays_high,
        cascade=[*cascade] or None,
        scores=curve.scores,
        chances=curve.chances,
    )


def _tested(found: Threshold, target: Target) -> TestedThreshold:
    return TestedThreshold(
        score=found.score,
        labels=found.answers,
        right=found.right,
        bound=found.bound(target.confidence),
    )
