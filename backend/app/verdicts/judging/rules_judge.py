"""The judges without prompts: rules in child processes, and detectors in this process."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement, phases_of
from app.judges.local.detector import Draft, LocalVerdict, verdict_of
from app.judges.local.judge import local_judge
from app.judges.phases.run import FeedbackResult
from app.platform.errors import ConfigurationError, TransientProviderError
from app.platform.processes.calls import Limits, ProcessDied
from app.platform.processes.pool import ChildrenBusy, quick_lane
from app.platform.processes.system import usable_cores
from app.platform.settings import Settings
from app.text.packs.models import DomainPack
from app.verdicts.judging import rules_verdict
from app.verdicts.lifecycle.retry import UNUSABLE_FOLDER

CORES = usable_cores()
# A lease outlasts the deadline by ten seconds; what cannot begin by then is released.
MAX_CHILD_WAIT_SECONDS = 8.0

Value = TypeVar("Value")
Work = Callable[[DomainPack, AnswerToJudge, Evaluators], Value]


class RulesJudge:
    """A Judge whose answers are each read in a child process that is ended when it exceeds
    `limits`. Its methods raise LimitExceeded for the one that did."""

    def __init__(self, pack: DomainPack, limits: Limits) -> None:
        self._pack = pack
        self._limits = limits

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Waits for a child as long as it takes."""
        found, _ = await self._in_child(rules_verdict.time_judge_by_rules, subject, evaluators)
        return found

    async def judge_soon(
        self,
        subject: AnswerToJudge,
        evaluators: Evaluators,
        max_wait: float = MAX_CHILD_WAIT_SECONDS,
    ) -> tuple[Judgement, float] | None:
        """With the milliseconds that it took; None when no child becomes free within so many
        seconds."""
        await quick_lane().ready(rules_verdict.__name__)
        try:
            return await self._in_child(
                rules_verdict.time_judge_by_rules, subject, evaluators, max_wait
            )
        except ChildrenBusy:
            return None

    async def draft(
        self, subject: AnswerToJudge, evaluators: Evaluators
    ) -> tuple[Draft, Judgement]:
        """See draft_for_detector. Waits for a child as long as it takes."""
        return await self._in_child(rules_verdict.draft_for_detector, subject, evaluators)

    async def _in_child(
        self,
        work: Work[Value],
        subject: AnswerToJudge,
        evaluators: Evaluators,
        max_wait: float | None = None,
    ) -> Value:
        given = (self._pack, subject, evaluators)
        try:
            return await quick_lane().run(self._limits, work, *given, max_wait=max_wait)
        except ProcessDied:  # perhaps of what others did, as when the machine has no memory left
            return await quick_lane().run(self._limits, work, *given, max_wait=max_wait)


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
