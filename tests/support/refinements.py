"""A poor answer of the metformin example, and the work that improves it."""

from typing import Any

import metformin
from api_client import Api
from app.ai_router.types import ChatRouter
from app.errors import TransientProviderError
from app.jobs.job import JobContext
from app.refine.job import refine
from scripted_router import ScriptedRouter
from verdict_world import settings, verdict

NOTES = [
    {"title": document.title, "content": document.content, "source_key": document.id}
    for document in (*metformin.DOCUMENTS, metformin.KIDNEY)
]
BODY = {
    "question": metformin.QUESTION,
    "answer": metformin.FIRST_ANSWER,
    "sources": [{"title": d.title, "content": d.content} for d in metformin.DOCUMENTS],
    "profile": metformin.PROFILE,
    "slots": {"나이": 60, "성별": "남성", "질환": ["2형 당뇨병"]},
}


class Models:
    """In place of Providers: one scripted model answers and judges."""

    def __init__(self, router: ChatRouter) -> None:
        self._router = router

    def router(self, model: str, *, deadline: float) -> ChatRouter:
        return self._router


async def judged_answer(api: Api) -> str:
    """The id of an evaluation that has its verdict."""
    imported = await api.client.post("/notes/import", json={"notebook": "약", "notes": NOTES})
    assert imported.status_code == 200
    created = await api.client.post("/qa-evaluations", json=BODY)
    await api.judge_next(verdict())
    return str(created.json()["id"])


async def work(api: Api, *replies: Any, **changes: object) -> ScriptedRouter:
    """Does the next job as a worker does, with these replies of the model. changes: of settings."""
    router = ScriptedRouter(*replies)
    (row,) = await api.world.rows("SELECT id FROM jobs WHERE status IN ('queued', 'retrying')")
    (job,) = await api.world.jobs.claim([row["id"]], ["refine"], 1)
    context = JobContext(
        job=job,
        settings=settings(answer_model="openai:stub", judge_model="openai:stub", **changes),
        sessions=api.world.sessions,
        providers=Models(router),  # type: ignore[arg-type]  # the one method that is used
        wake=lambda _: None,
        extend=api.world.jobs.extend,
    )
    try:
        await refine(job, context)
    except TransientProviderError:
        assert await api.world.jobs.retry(job, "transient: busy", 0)
    else:
        assert await api.world.jobs.finish(job)
    return router


SCRIPT = (
    metformin.evaluation(),
    metformin.REWRITTEN,
    metformin.BETTER_ANSWER,
    metformin.praise(),
)
