"""The timeline of a verdict: each part of the way, as it was stored, and what is not known."""

import datetime as dt
import uuid
from typing import Any

from api_client import QUESTION, import_notes
from app.platform.db.pool import create_pool
from app.quality.review.explorer import judge_calls, timeline
from app.quality.review.timeline import SpanView, TimelineView
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading import event_hub
from app.verdicts.reading.event_hub import EventHub
from batch_world import all_judged, batch_settings, batching, rows_for_batches, stub_with_batches
from cases import eventually
from judge_replies import saying
from stub_server import answer, reply_text, status
from verdict_world import World, judged, settings, store_answers, verdict
from worker.judge_loop import JudgeLoop
from workers import Vendor, run, set_cascade, started

MODEL = "openai:gpt-4o-mini"


async def timeline_of(world: World, id_: uuid.UUID) -> TimelineView:
    workspace_id = (await world.row(id_))["workspace_id"]
    async with world.sessions() as session:
        return await timeline(session, workspace_id, id_)


async def calls_of(world: World, id_: uuid.UUID) -> list[dict[str, Any]]:
    workspace_id = (await world.row(id_))["workspace_id"]
    async with world.sessions() as session:
        found = await judge_calls(session, workspace_id, id_, bodies=False)
    return [call.model_dump() for call in found]


def of_kind(found: TimelineView, kind: str) -> list[SpanView]:
    return [span for span in found.spans if span.kind == kind]


def kinds(found: TimelineView) -> list[str]:
    return [span.kind for span in found.spans]


async def test_an_answer_from_question_to_reader(api):
    """Search and model are what the API measured, the rest is what was stored."""
    await import_notes(api)
    asked = (await api.client.post("/ai/chat", json=QUESTION)).json()
    await api.judge_next(verdict())

    path = f"/qa-evaluations/{asked['quality']['evaluation_id']}/timeline"
    found = TimelineView.model_validate((await api.client.get(path)).json())

    assert kinds(found) == ["search", "generate", "queue", "attempt", "record"]
    search, generate, queue, attempt, record = found.spans
    assert search.end == generate.start
    assert generate.end == queue.start
    assert queue.end == attempt.start
    assert attempt.end == record.start == found.end
    assert (attempt.attempt, attempt.status, attempt.judge_ms) == (1, "succeeded", 12.5)
    assert found.start == search.start
    assert generate.model == "offline:extractive"
    assert found.unknown == ["deliver"], "no reader had a stream open"
    assert found.awaited == []


async def test_what_went_wrong_stands_in_its_place(world, judge):
    """An attempt that failed, the wait behind it, and a reply that had to be asked for again."""
    server = settings(
        openai_base_url=judge.base_url, judge_model=MODEL, max_attempts=3, retry_base=0.01
    )
    judge.script(status(503), answer(reply_text("no json")))
    (new,) = await store_answers(world, policy=EvaluationPolicy.from_settings(server))
    async with started(JudgeLoop(server, world.url)) as loop:
        row = await run(world, loop, new.evaluation_id, times=2)

    assert row["status"] == "succeeded"
    found = await timeline_of(world, new.evaluation_id)
    assert [kind for kind in kinds(found) if kind != "call"] == [
        *("queue", "attempt", "wait", "attempt", "record")
    ]
    (wait,) = of_kind(found, "wait")
    assert (wait.status, wait.reason) == ("retrying", "transient_failure")
    assert [(each.attempt, each.status) for each in of_kind(found, "attempt")] == [
        (1, "retrying"),
        (2, "succeeded"),
    ]
    failed, unusable, good = of_kind(found, "call")
    assert failed.error is not None
    assert failed.duration_ms is not None, "that of a call that failed is known too"
    assert failed.retry_after is None
    assert (unusable.re_ask, good.re_ask) == (False, True)
    assert (unusable.retry_after, good.retry_after) == ("transient", "transient")
    assert {call.purpose for call in (failed, unusable, good)} == {"search_qa_verdict"}
    assert all(call.start >= found.start for call in (failed, unusable, good) if call.start)
    stored = await calls_of(world, new.evaluation_id)
    assert [call["purpose"] for call in stored] == ["search_qa_verdict"] * 3
    assert stored[0]["latency_ms"] is None


async def test_a_verdict_under_way_says_what_is_there_and_what_is_awaited(world, judge):
    """Four calls side by side, of which one does not come: the others are there already."""
    asked = ("search_qa", "groundedness:model", "next_steps:model")
    server = settings(openai_base_url=judge.base_url, judge_model=MODEL, judge_deadline=60)
    policy = EvaluationPolicy.from_settings(server)
    (new,) = await store_answers(world, policy=policy)
    await world.rows("UPDATE qa_evaluations SET evaluators = %s", list(asked))
    (lease,) = await world.lifecycle.claim([new.evaluation_id])
    await world.rows(
        "INSERT INTO judge_calls (id, workspace_id, evaluation_id, attempt, request_hash, provider,"
        " model, content, purpose, elapsed_ms) SELECT gen_random_uuid(), workspace_id, id, 1, 'x',"
        " 'openai', 'gpt-4o-mini', '{}', 'claims', 1200 FROM qa_evaluations"
    )

    found = await timeline_of(world, lease.id)

    assert [(each.purpose, each.answered, each.calls) for each in found.awaited] == [
        ("search_qa_verdict", 0, 1),
        ("claims", 1, 1),
        ("next_steps", 0, 1),
    ]
    (attempt,) = of_kind(found, "attempt")
    assert (attempt.open, attempt.duration_ms, attempt.model) == (True, None, MODEL)
    (call,) = of_kind(found, "call")
    assert call.start is not None
    assert call.end == call.start + dt.timedelta(seconds=1.2)
    assert found.end == found.now


async def test_each_call_of_a_cascade_is_of_its_step(world, judge):
    judge.default = vendor = Vendor()
    vendor.models["small"] = saying("partly")
    server = settings(openai_base_url=judge.base_url)
    await set_cascade(world, server, ("openai:small", "openai:large"))
    async with started(JudgeLoop(server, world.url)) as loop:
        (new,) = await store_answers(world)
        await run(world, loop, new.evaluation_id)

    found = await timeline_of(world, new.evaluation_id)

    assert [(call.model, call.cascade_step) for call in of_kind(found, "call")] == [
        ("openai:small", 1),
        ("openai:large", 2),
    ]
    assert [(each.model, each.status) for each in of_kind(found, "attempt")] == [
        ("openai:small", "queued"),
        ("openai:large", "succeeded"),
    ]
    assert all(each.judge_ms for each in of_kind(found, "attempt"))
    (wait,) = of_kind(found, "wait")
    assert wait.reason == "cascade"


async def test_a_batch_has_its_wait_and_its_time_at_the_provider(world):
    async with stub_with_batches() as stub:
        ids = await rows_for_batches(world, 1)
        async with batching(world, **batch_settings(stub)):
            await all_judged(world, ids)

    found = await timeline_of(world, ids[0])

    assert [batch.reason for batch in of_kind(found, "batch")] == ["for_batch", "in_batch"]
    assert not any(batch.open for batch in of_kind(found, "batch"))
    (call,) = of_kind(found, "call")
    assert (call.batched, call.purpose, call.duration_ms) == (True, "search_qa_verdict", None)
    assert "calls" not in found.unknown, "nobody knows how long a line takes"
    assert found.judged_again
    assert not of_kind(found, "generate"), "the answer is older than this verdict"


async def test_an_answer_of_another_application_has_no_invented_moments(world):
    new = await judged(world, latency_ms=812.0)

    found = await timeline_of(world, new.evaluation_id)

    (generate,) = of_kind(found, "generate")
    assert (generate.start, generate.duration_ms) == (None, 812.0)
    assert found.unknown == ["search", "generate", "deliver"]


async def test_what_retention_has_deleted_is_said_to_be_unknown(world):
    new = await judged(world)
    await world.rows("DELETE FROM verdict_events WHERE status IN ('queued', 'running')")

    found = await timeline_of(world, new.evaluation_id)

    assert kinds(found) == ["queue", "attempt", "record"]
    assert "history" in found.unknown

    await world.rows("DELETE FROM verdict_events")
    found = await timeline_of(world, new.evaluation_id)
    assert kinds(found)[:2] == ["queue", "attempt"]
    assert "history" in found.unknown


async def test_the_first_reader_of_a_verdict_is_noted(world, monkeypatch):
    monkeypatch.setattr(event_hub, "DELIVERY_SECONDS", 0.0)
    (new,) = await store_answers(world)
    workspace_id = (await world.row(new.evaluation_id))["workspace_id"]
    async with create_pool(world.url) as pool:
        hub = EventHub(pool)
        await hub.start()
        async with hub.subscribe(workspace_id, new.evaluation_id):
            (lease,) = await world.lifecycle.claim([new.evaluation_id])
            await world.lifecycle.record([(lease, verdict())])
            found = await delivered(world, new.evaluation_id)
        await hub.stop()

    (deliver,) = of_kind(found, "deliver")
    assert deliver.start == of_kind(found, "record")[0].start
    assert deliver.duration_ms is not None
    assert deliver.duration_ms >= 0
    assert found.unknown == ["search", "generate"]


async def delivered(world: World, id_: uuid.UUID) -> TimelineView:
    return await eventually(
        lambda: timeline_of(world, id_), when=lambda found: of_kind(found, "deliver")
    )
