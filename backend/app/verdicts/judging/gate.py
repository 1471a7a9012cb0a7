"""A verdict by rules within a time budget, before an answer is shown."""

import asyncio
import logging
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.judges.answer import AnswerToJudge, Outcome
from app.judges.judge import Judgement
from app.judges.phases.groundedness import AnswerClaim
from app.platform.errors import error_text
from app.platform.processes.calls import LimitExceeded, Limits
from app.platform.processes.turns import charged_to
from app.platform.settings import Settings
from app.text.packs.loader import load_pack
from app.verdicts.judging.context import share_of
from app.verdicts.judging.rules_judge import RulesJudge

logger = logging.getLogger(__name__)

Decision = Literal["allow", "hold", "unknown"]
# Why there is no verdict.
Unjudged = Literal["no_notes", "over_budget", "overloaded", "failed"]
GateOutcome = Literal[Outcome, Unjudged]

_DECISIONS: Mapping[str, Decision] = {
    "matches": "allow",
    "rightly_refused": "allow",
    "mismatch": "hold",
    "falsely_refused": "hold",
}
_EVALUATORS = ("search_qa", "groundedness")
# Answers that wait or are judged: of one workspace; and of all, but for workspaces without one.
MAX_OF_WORKSPACE = 16
MAX_IN_FLIGHT = 64


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """outcome: of the rules, or why they gave none. reason: one line, in the answer's language."""

    outcome: GateOutcome
    reason: str
    claims: tuple[AnswerClaim, ...] = ()

    @property
    def decision(self) -> Decision:
        return _DECISIONS.get(self.outcome, "unknown")


class Gate:
    """Of one process. A workspace that sends too much is refused at once, and takes no turn of
    another; see `app.platform.processes.turns`. Raises SetupError when the domain pack cannot be
    read."""

    def __init__(self, settings: Settings) -> None:
        self._pack = load_pack(settings.evaluation.domain_pack)
        self._megabytes = settings.texts.memory_limit_megabytes
        self._in_flight: Counter[uuid.UUID] = Counter()

    async def judge(
        self, workspace_id: uuid.UUID, subject: AnswerToJudge, seconds: float
    ) -> GateVerdict:
        """Within so many seconds, waiting for a child process included. Raises nothing but for
        cancellation."""
        if not subject.has_notes:
            return _unjudged("no_notes", subject)
        if seconds <= 0:
            return _unjudged("over_budget", subject)
        if self._is_full(workspace_id):
            return _unjudged("overloaded", subject)
        self._in_flight[workspace_id] += 1
        try:
            return await self._judge(workspace_id, subject, seconds)
        except (TimeoutError, LimitExceeded):
            return _unjudged("over_budget", subject)
        except Exception:
            logger.exception("The gate failed in our own code")
            return _unjudged("failed", subject)
        finally:
            self._in_flight[workspace_id] -= 1
            if not self._in_flight[workspace_id]:
                del self._in_flight[workspace_id]

    async def _judge(
        self, workspace_id: uuid.UUID, subject: AnswerToJudge, seconds: float
    ) -> GateVerdict:
        rules = RulesJudge(self._pack, Limits(seconds, self._megabytes))
        with charged_to(share_of(workspace_id, subject)):
            async with asyncio.timeout(seconds):
                judged = await rules.judge_soon(subject, _EVALUATORS, max_wait=seconds)
        return _unjudged("over_budget", subject) if judged is None else _verdict(judged[0], subject)

    def _is_full(self, workspace_id: uuid.UUID) -> bool:
        own = self._in_flight[workspace_id]
        total = self._in_flight.total()
        return own >= MAX_OF_WORKSPACE or (own > 0 and total >= MAX_IN_FLIGHT)


def _verdict(found: Judgement, subject: AnswerToJudge) -> GateVerdict:
    verdict = found.evaluation
    if verdict is None or verdict.outcome is None:
        return _unjudged("no_notes", subject)
    issues = verdict.grounding_issues if _DECISIONS.get(verdict.outcome) == "hold" else []
    reason = " ".join((issues or [verdict.summary])[0].split())
    claims = found.feedback.phase3.claims if found.feedback and found.feedback.phase3 else ()
    return GateVerdict(verdict.outcome, reason, tuple(claims))


def _unjudged(why: Unjudged, subject: AnswerToJudge) -> GateVerdict:
    lang = subject.lang
    match why:
        case "no_notes":
            reason = error_text("gate-no-notes", lang)
        case "over_budget":
            reason = error_text("gate-over-budget", lang)
        case "overloaded":
            reason = error_text("gate-overloaded", lang)
        case "failed":
            reason = error_text("gate-failed", lang)
    return GateVerdict(why, reason)
