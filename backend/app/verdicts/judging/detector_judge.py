"""Judges by a detector in this process; rules add what no detector gives."""

import asyncio
import logging
from dataclasses import replace

from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement, phases_of
from app.judges.local.judge import local_judge
from app.judges.local.verdict import LocalVerdict, verdict_of
from app.judges.phases.feedback import FeedbackResult
from app.platform.errors import ConfigurationError, TransientProviderError
from app.platform.settings import Settings
from app.verdicts.judging.rules_judge import RulesJudge
from app.verdicts.lifecycle.retry import UNUSABLE_FOLDER

logger = logging.getLogger(__name__)


class DetectorJudge:
    """A Judge: the detector of `local:FOLDER` gives the verdict and its claims, rules the
    checklist and the other phases. settings.judge.deadline_seconds bounds the detector,
    queueing included."""

    def __init__(self, model: str, rules: RulesJudge, settings: Settings) -> None:
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
        return _merge(found, by_rules, evaluators)


def _merge(found: LocalVerdict, by_rules: Judgement, evaluators: Evaluators) -> Judgement:
    feedback = by_rules.feedback
    if "groundedness" in phases_of(evaluators):
        feedback = feedback or FeedbackResult()
        sources = {**feedback.sources, "groundedness": "judge"}
        feedback = replace(feedback, phase3=found.groundedness, sources=sources)
    return Judgement(found.evaluation, by_rules.quality, feedback)
