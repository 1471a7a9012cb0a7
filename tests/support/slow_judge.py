"""A stub judge that is slow for one model and quick for the others."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from judge_replies import good_reply
from stub_server import Exchange, StubServer, answer
from verdict_world import settings

SLOW, QUICK, RULES = "openai:slow", "openai:quick", "offline:rules"


class SlowJudge:
    """Requests to the model `slow` wait until `let` is set; the others are answered at once.
    headers: of all replies."""

    def __init__(self, headers: Mapping[str, str] | None = None) -> None:
        self._headers = headers
        self.let = asyncio.Event()
        self.in_flight = self.most_in_flight = 0

    async def __call__(self, exchange: Exchange) -> None:
        if exchange.request.json["model"] == "slow":
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            try:
                await self.let.wait()
            finally:
                self.in_flight -= 1
        await answer(good_reply, headers=self._headers)(exchange)


def one_call(stub: StubServer, judge_model: str = SLOW) -> dict[str, Any]:
    """Settings by which an answer takes one call."""
    return {
        "judge_model": judge_model,
        "openai_base_url": stub.base_url,
        "quality_gate": False,
        "phases": (),
    }


def by(judge_model: str) -> EvaluationPolicy:
    """The policy of a workspace that has chosen this judge."""
    policy = EvaluationPolicy.from_settings(settings(quality_gate=False, phases=()))
    return replace(policy, judge_model=judge_model)
