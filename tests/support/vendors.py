"""A vendor of several models, and the worker that asks them."""

import asyncio
import uuid
from typing import Any

from judge_replies import well
from stub_server import Behaviour, Exchange
from verdict_world import World
from worker.judge_loop import JudgeLoop


class Vendor:
    """A model server whose models behave each in its own way; well, where nothing else is said."""

    def __init__(self) -> None:
        self.models: dict[str, Behaviour] = {}
        self.asked: list[str] = []

    async def __call__(self, exchange: Exchange) -> None:
        model = exchange.request.json["model"]
        self.asked.append(model)
        await self.models.get(model, well())(exchange)


async def run(world: World, loop: JudgeLoop, id_: uuid.UUID, *, times: int = 1) -> dict[str, Any]:
    """Judges as one message has it judged, as often as that; a retry is due at once."""
    for _ in range(times):
        await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE status = 'retrying'")
        await asyncio.wrap_future(loop.submit([id_]))
    return await world.row(id_)
