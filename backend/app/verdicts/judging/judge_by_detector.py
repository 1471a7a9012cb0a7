"""Verdicts by a detector in this process; rules add what no detector says."""

import asyncio
import logging
from dataclasses import replace
from time import perf_counter

from app.ai_router.router import parse_model_name
from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement, phases_of
from app.judges.local.judge import local_judge
from app.judges.local.verdict import LocalVerdict, verdict_of
from app.judges.phases.feedback import FeedbackResult
from app.platform.errors import ConfigurationError, TransientProviderError
from app.platform.processes import quick_lane
from app.platform.settings import Settings
from app.verdicts.judging import rules_verdict
from app.verdicts.judging.judge_by_rules import JudgeByRules
from app.verdicts.lifecycle.outcome import Lease, Verdict
from app.verdicts.lifecycle.pause_reasons import UNUSABLE_FOLDER
from app.verdicts.policy.evaluation_policy import prompt_version

logger = logging.getLogger(__name__)


class DetectorJudge:
    """A Judge: the detector of `local:FOLDER` gives the verdict and its claims, rules the
    checklist and the other phases. settings.judge.deadline_seconds bounds the detector,
    queueing included."""

    def __init__(self, model: str, rules: JudgeByRules, settings: Settings) -> None:
        self._model = model
        self._rules = rules
        self._settings = settings

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Raises ConfigurationError besides when the folder cannot be used."""
        if "search_qa" not in evaluators or not subject.has_notes:
            return await self._rules.judge(subject, evaluators)
        try:
            detector = local_judge(self._model, self._settings)
            draft, by_rules = await self._rules.draft(subject, evaluators)
            async with asyncio.timeout(self._settings.judge.deadline_seconds):
                found = verdict_of(draft, await detector.findings(draft))
        except TimeoutError:
            seconds = self._settings.judge.deadline_seconds
            raise TransientProviderError(f"{self._model} took more than {seconds:g} s.") from None
        except ConfigurationError as error:
            logger.warning("The judge %s cannot be used: %s", self._model, error)
            raise ConfigurationError(str(error), cause=UNUSABLE_FOLDER) from error
        return _together(found, by_rules, evaluators)


class JudgeByDetector:
    """Judges one held evaluation with the detector that it names."""

    def __init__(self, rules: JudgeByRules, settings: Settings) -> None:
        self._rules = rules
        self._settings = settings

    async def verdict(self, lease: Lease) -> Verdict:
        """Raises ProviderError and LimitExceeded."""
        await quick_lane().ready(rules_verdict.__name__)
        start = perf_counter()
        judge = DetectorJudge(lease.judge_model, self._rules, self._settings)
        found = await judge.judge(lease.subject, lease.evaluators)
        provider, model = parse_model_name(lease.judge_model)
        return Verdict(
            found.evaluation,
            found.quality,
            feedback=found.feedback,
            provider=provider,
            model=model,
            prompt_version=prompt_version(lease.judge_model, lease.evaluators),
            judge_ms=(perf_counter() - start) * 1000,
            quality_by_rules=found.quality is not None,
        )


def _together(found: LocalVerdict, by_rules: Judgement, evaluators: Evaluators) -> Judgement:
    feedback = by_rules.feedback
    if "groundedness" in phases_of(evaluators):
        feedback = feedback or FeedbackResult()
        sources = {**feedback.sources, "groundedness": "judge"}
        feedback = replace(feedback, phase3=found.groundedness, sources=sources)
    return Judgement(found.evaluation, by_rules.quality, feedback)
