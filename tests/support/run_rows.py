"""Datasets and runs for tests, over HTTP; the test itself is the worker."""

import itertools
import uuid
from typing import Any
from unittest.mock import patch

from api_client import Api, json_of
from app.experiments.runs.job import evaluate_cases
from app.platform.errors import TransientProviderError
from app.platform.jobs import job as jobs
from app.platform.jobs.job import Deferred
from app.platform.jobs.service import enqueue
from app.workspaces.service import ensure_workspace
from scripted_router import ScriptedRouter
from verdict_world import World, settings

NOTES = [
    {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
    {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."},
    {"title": "냉동고", "content": "냉동고는 영하 80도로 유지한다."},
]
QUESTIONS = ["PCR 변성은 몇 도에서 하나요?", "배양기는 몇 도로 맞추나요?"]


class Models:
    """In place of Providers: one scripted model answers and judges; without one, the offline
    models do."""

    def __init__(self, router: ScriptedRouter | None) -> None:
        self._router = router

    def router(self, model: str, *, deadline: float) -> ScriptedRouter:
        return self._router or ScriptedRouter()

    async def context_tokens(self, model: str) -> int | None:
        return None


async def chunk_ids(api: Api) -> list[str]:
    """Of the notes, in their order."""
    imported = await api.client.post("/notes/import", json={"notebook": "실험실", "notes": NOTES})
    assert imported.status_code == 200
    rows = await api.world.rows(
        "SELECT c.id FROM note_chunks c JOIN notes n ON n.id = c.note_id"
        " ORDER BY n.title = %s DESC, n.title = %s DESC",
        NOTES[0]["title"],
        NOTES[1]["title"],
    )
    return [str(row["id"]) for row in rows]


async def stored(api: Api, *truth: list[str], name: str = "baseline") -> dict[str, Any]:
    cases = [
        {"question": question, "ground_truth_chunk_ids": ids}
        for question, ids in zip(itertools.cycle(QUESTIONS), truth, strict=False)
    ]
    body = {"name": name, "test_cases": cases}
    return await json_of(api.client.post("/evaluation/datasets", json=body), 201)


async def stored_cases(api: Api, count: int) -> dict[str, Any]:
    """A dataset of so many cases, each with the chunk that answers it."""
    return await stored(api, *([id_] for id_ in (await chunk_ids(api))[:count]))


async def started(api: Api, dataset_id: str, **body: object) -> str:
    response = await api.client.post(f"/evaluation/datasets/{dataset_id}/runs", json=body)
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


async def work(api: Api, *replies: Any, providers: Any = None, **changes: object) -> int:
    """Does the jobs that are due, as a worker does. Gives how many replies nobody asked for. With
    replies cases are measured one after another, so that each gets those meant for it."""
    router = ScriptedRouter(*replies) if replies else None
    rows = await api.world.rows("SELECT id FROM jobs WHERE status IN ('queued', 'retrying')")
    for job in await api.world.jobs.claim([row["id"] for row in rows], ["evaluate_cases"], 10):
        context = api.world.job_context(job, settings(**changes), providers or Models(router))
        at_once = 1 if replies else jobs._ITEMS_AT_ONCE
        try:
            with patch.object(jobs, "_ITEMS_AT_ONCE", at_once):
                await evaluate_cases(job, context)
        except Deferred as deferred:
            await api.world.jobs.defer(job, str(deferred), deferred.seconds)
        except TransientProviderError:
            await api.world.jobs.retry(job, "transient: busy", 0)
        else:
            await api.world.jobs.finish(job)
    return router.unused_replies if router else 0


async def detail(api: Api, run_id: str) -> dict[str, Any]:
    return (await api.client.get(f"/evaluation/runs/{run_id}")).json()


KIND = "count"


async def put(
    world: World,
    kind: str = KIND,
    *,
    workspace: str = "default",
    dedupe_key: str | None = None,
    **payload: object,
) -> uuid.UUID:
    """A committed job."""
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
        return await enqueue(session, workspace_id, kind, payload, dedupe_key)


async def job(world: World, id_: uuid.UUID) -> dict[str, Any]:
    return (await world.rows("SELECT * FROM jobs WHERE id = %s", id_))[0]


async def end_lease(world: World, id_: uuid.UUID) -> None:
    """What the time does to a job of a worker that gives no sign of life."""
    await world.rows("UPDATE jobs SET lease_until = now() WHERE id = %s", id_)
