"""A poor answer of the metformin example, and the work that improves it."""

from typing import Any

import samples
from api_client import Api
from app.ai_router.router import Providers
from app.ai_router.types import ChatRouter
from app.answering.refine.job import refine
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.platform.errors import TransientProviderError
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Verdict
from scripted_router import ScriptedRouter
from verdict_world import settings, verdict

NOTES = [
    {"title": document.title, "content": document.content, "source_key": document.id}
    for document in (*samples.DOCUMENTS, samples.KIDNEY)
]
BODY = {
    "question": samples.QUESTION,
    "answer": samples.FIRST_ANSWER,
    "sources": [{"title": d.title, "content": d.content} for d in samples.DOCUMENTS],
    "profile": samples.PROFILE,
    "slots": {"나이": 60, "성별": "남성", "질환": ["2형 당뇨병"]},
}


MODEL = "openai:stub"
QUICK = {"retry_base": 0.001, "retry_max": 0.001}


class Models:
    """In place of Providers: one scripted model answers and judges."""

    def __init__(self, router: ChatRouter) -> None:
        self._router = router

    def router(self, model: str, *, deadline: float) -> ChatRouter:
        return self._router

    async def context_tokens(self, model: str) -> int | None:
        return None


def poor_verdict(**changes: object) -> Verdict:
    """On the first answer, by the scripted model."""
    good = verdict(0.3, provider="stub", model="scripted", prompt_version=DEFAULT_PROMPT)
    scores = {"correctness": 0.3, "utility": 0.4, "confidence": "low"} | changes
    return good._replace(evaluation=good.evaluation.model_copy(update=scores))


async def judged_answer(api: Api) -> str:
    """The id of an evaluation that has its verdict."""
    imported = await api.client.post("/notes/import", json={"notebook": "약", "notes": NOTES})
    assert imported.status_code == 200
    created = await api.client.post("/qa-evaluations", json=BODY)
    await by_scripted_judge(api)
    await api.judge_next(poor_verdict())
    return str(created.json()["id"])


async def by_scripted_judge(api: Api) -> None:
    """Has the model that is scripted be the judge of the answers that wait for one."""
    await api.world.rows(
        "UPDATE qa_evaluations SET judge_model = %s, evaluators = '{search_qa}'", MODEL
    )


async def work(api: Api, *replies: Any, **changes: object) -> ScriptedRouter:
    """Does the next job as a worker does, with these replies of the model. changes: of settings."""
    router = ScriptedRouter(*replies)
    given = settings(answer_model=MODEL, judge_model=MODEL, **QUICK | changes)
    await work_with(api, given, Models(router))  # type: ignore[arg-type]  # the one method used
    return router


async def work_with(api: Api, given: Settings, providers: Providers) -> None:
    """Does the next job as a worker does."""
    (row,) = await api.world.rows("SELECT id FROM jobs WHERE status IN ('queued', 'retrying')")
    (job,) = await api.world.jobs.claim([row["id"]], ["refine"], 1)
    context = api.world.job_context(job, given, providers)
    try:
        await refine(job, context)
    except TransientProviderError:
        assert await api.world.jobs.retry(job, "transient: busy", 0)
    else:
        assert await api.world.jobs.finish(job)


SCRIPT = (
    samples.evaluation(),
    samples.REWRITTEN,
    samples.BETTER_ANSWER,
    samples.praise(),
    samples.judged(),
)
