"""Ask, answer, verdict: by stream, by subscription, by poll, in the table and in Flower."""

import asyncio
import os
import signal
import uuid
from typing import Any

import httpx
import pytest
from event_stream import Event, all_events, events
from users import QUESTION, ask

from cases import TIMEOUT_SECONDS, eventually

pytestmark = pytest.mark.acceptance

ELSEWHERE = {
    "question": "변성 온도는?",
    "answer": "변성은 95도에서 합니다. [노트 1]",
    "sources": [{"title": "PCR", "content": "변성은 95도에서 30초 동안 한다."}],
}


async def poll(client: httpx.AsyncClient, evaluation_id: str) -> dict[str, Any]:
    """The verdict once it is there."""

    async def final() -> dict[str, Any] | None:
        view = (await client.get(f"/qa-evaluations/{evaluation_id}")).json()
        return view if view["status"] in {"succeeded", "failed", "skipped"} else None

    view = await eventually(final)
    assert view is not None
    return view


ABOUT = {"evaluation_id", "degraded", "judged_by", "provider", "model"}


def without_about(event: Event) -> dict[str, Any]:
    """What was found, without whose verdict it is and who gave it."""
    return {name: value for name, value in event.data.items() if name not in ABOUT}


async def test_by_stream_in_the_order_of_the_contract(stack, client):
    async with events(client, "/ai/stream", method="POST", body=QUESTION) as stream:
        seen = [event async for event in stream]

    names = [event.name for event in seen]
    done = next(place for place, event in enumerate(seen) if event.data == "[DONE]")
    assert names[0] == "metadata"
    assert seen[0].data["matched_notes"][0]["title"] == "PCR 조건"
    assert set(names[1 : done + 1]) == {"message"}
    assert names[done + 1 :] == ["evaluation", "quality", "qa_evaluation", "feedback"]
    text = "".join(event.data["chunk"] for event in seen[1:done])
    assert "95도" in text
    view = await poll(client, seen[done + 1].data["id"])
    assert view["answer"] == text
    assert view["answer_id"] == seen[0].data["answer_id"]
    assert (view["status"], view["degraded"]) == ("succeeded", False)
    assert view["qa_evaluation"] == without_about(seen[-2])
    assert view["feedback"] == without_about(seen[-1])
    assert view["quality"] == without_about(seen[-3])
    assert view["qa_evaluation"]["source_coverage"][0]["cited"] is True


@pytest.mark.parametrize("feature", ["writing", "insight"])
async def test_writing_streams_its_checklist(stack, client, feature):
    """By rules, and nothing else: it was not made from notes."""
    body = {"feature": feature, "content": "PCR 장비의 사용 안내문을 써 주세요."}
    async with events(client, "/ai/stream", method="POST", body=body) as stream:
        seen = [event async for event in stream]

    done = next(place for place, event in enumerate(seen) if event.data == "[DONE]")
    assert [event.name for event in seen[done + 1 :]] == ["evaluation", "quality"]
    assert len(seen[-1].data["items"]) == 4
    view = await poll(client, seen[done + 1].data["id"])
    assert (view["status"], view["judge_model"]) == ("succeeded", "offline:rules")
    assert view["qa_evaluation"] is None
    assert view["cost_usd"] in (None, 0)


async def test_by_subscription_and_by_poll(stack, client):
    evaluation_id = await ask(client)

    seen = await all_events(client, f"/qa-evaluations/{evaluation_id}/events")

    view = await poll(client, evaluation_id)
    names = [event.name for event in seen][-4:]
    assert names == ["evaluation", "quality", "qa_evaluation", "feedback"]
    assert seen[-4].data["status"] == "succeeded"
    assert without_about(seen[-2]) == view["qa_evaluation"]


async def test_in_the_table(stack, client):
    evaluation_id = await ask(client)
    view = await poll(client, evaluation_id)

    (row,) = await stack.rows("SELECT * FROM qa_evaluations WHERE id = %s", evaluation_id)

    verdict = view["qa_evaluation"]
    assert (row["status"], row["attempt"], row["tries"]) == ("succeeded", 1, 0)
    assert (row["correctness"], row["utility"]) == (verdict["correctness"], verdict["utility"])
    assert (row["confidence"], row["summary"]) == (verdict["confidence"], verdict["summary"])
    assert (row["provider"], row["model"]) == ("offline", "rules")
    assert row["finished_at"] >= row["started_at"] >= row["created_at"]


async def test_in_flower_by_ids_alone(stack, client):
    evaluation_id = await ask(client)

    async def succeeded() -> list[dict[str, Any]]:
        async with stack.flower() as flower:
            tasks = (await flower.get("/api/tasks")).raise_for_status().json().values()
        mine = [task for task in tasks if evaluation_id in (task["args"] or "")]
        return tasks if any(task["state"] == "SUCCESS" for task in mine) else []

    for task in await eventually(succeeded):
        assert task["name"] in {"searchqa.judge", "searchqa.job"}
        assert task["kwargs"] == "{}"
        for id_ in task["args"].strip("([]),").replace("'", "").split(","):
            uuid.UUID(id_.strip())


async def test_flower_lists_the_workers_of_a_ready_stack(stack):
    async with stack.flower() as flower:
        shown = (await flower.get("/workers?json=1")).raise_for_status().json()["data"]
        queried = (await flower.get("/api/workers?refresh=1")).raise_for_status().json()
    names = {"worker-1", "bulk"}
    assert {worker["hostname"].partition("@")[0] for worker in shown} == names
    assert {worker.partition("@")[0] for worker in queried} == names


async def test_flower_is_closed_and_can_change_nothing(stack):
    async with stack.flower(auth=None) as stranger:
        assert (await stranger.get("/api/tasks")).status_code == 401
    async with stack.flower(auth=("operator", "wrong")) as stranger:
        assert (await stranger.get("/api/tasks")).status_code == 401

    async with stack.flower() as flower:
        for worker in (await flower.get("/api/workers?refresh=1")).json():
            refused = await flower.post(f"/api/worker/shutdown/{worker}")
            assert refused.status_code == 403


async def test_the_api_is_closed_without_a_token(stack):
    async with stack.client() as stranger:
        assert (await stranger.get("/healthz")).status_code == 200
        for path in ("/qa-evaluations", "/qa-evaluations/events", "/notes", "/metrics", "/docs"):
            assert (await stranger.get(path)).status_code == 401
        assert (await stranger.post("/ai/stream", json=QUESTION)).status_code == 401


async def test_a_second_stack_on_the_folder_is_refused_with_the_pid(stack):
    ran = await stack.typed("up", "--port", "0", "--flower-port", "0")

    assert ran.code == 1
    assert f"(pid {stack.process.pid})" in ran.err
    async with stack.client() as anyone:
        assert (await anyone.get("/readyz")).status_code == 200


async def test_a_reader_cut_off_anywhere_comes_back_to_all_that_is_left(stack, client):
    path = f"/qa-evaluations/{await ask(client)}/events"
    await all_events(client, path)
    whole = await all_events(client, path, last_id="0-0")
    assert len(whole) == 6

    for place in range(len(whole) + 1):
        seen = whole[:place]
        last_id = next((event.id for event in reversed(seen) if event.id), "0-0")
        rest = await all_events(client, path, last_id=last_id)
        assert rest == whole[len(whole) - len(rest) :]
        assert place + len(rest) >= len(whole), f"lost after {place} events"


async def test_a_reader_survives_a_crash_of_the_api(stack, client):
    path, logged_before = "/qa-evaluations/events", len(stack.log)
    seen: list[Event] = []
    following = asyncio.Event()

    async def follow_until_cut_off() -> None:
        async with events(client, path) as stream:
            following.set()
            async for event in stream:
                seen.append(event)  # noqa: PERF401  what came before the cut is kept

    reader = asyncio.create_task(follow_until_cut_off())
    await asyncio.wait_for(following.wait(), TIMEOUT_SECONDS)
    new = await asyncio.gather(*(client.post("/qa-evaluations", json=ELSEWHERE) for _ in range(20)))
    asked = {response.json()["id"] for response in new}
    os.kill(stack.part("app.api"), signal.SIGKILL)
    with pytest.raises(httpx.TransportError):
        await reader
    await stack.logged("api exited with code -9; restarting", after=logged_before)
    await eventually(lambda: is_ready(client))
    last_id = next((event.id for event in reversed(seen) if event.id), "0-0")
    async with asyncio.timeout(TIMEOUT_SECONDS), events(client, path, last_id=last_id) as stream:
        while not asked <= {e.data["evaluation_id"] for e in seen if e.name == "feedback"}:
            seen.append(await anext(stream))

    rows = await stack.rows(
        "SELECT xid::text || '-' || id AS cursor FROM verdict_events "
        "WHERE evaluation_id::text = ANY(%s) ORDER BY xid, id",
        list(asked),
    )
    happened = [row["cursor"] for row in rows]
    assert [event.id for event in seen if event.id in happened] == happened


async def is_ready(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get("/readyz")).status_code == 200
    except httpx.TransportError:
        return False
