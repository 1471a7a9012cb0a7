"""SearchQA's own spans, from a request to its verdict, as a collector gets them."""

import asyncio
import json
import threading
import uuid
from collections.abc import Iterator

import pytest

from api_client import QUESTION, import_notes, open_api
from app.platform.spans import start_spans, stop_spans
from cases import TIMEOUT_SECONDS
from judge_replies import well
from otlp import Collector, ExportedSpan, collector
from stub_server import StubServer, answer, reply_text, status
from verdict_world import World, settings, store_answers
from worker.judge_loop import JudgeLoop

pytestmark = pytest.mark.slow

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MODEL = "openai:stub"
SECRET_OF_NOTES = "변성"


@pytest.fixture
def exported(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Collector]:
    """Spans of this process, there once `stop_spans` was called. The parameter, if any: whether
    they hold texts."""
    content = getattr(request, "param", False)
    with collector() as server:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
        start_spans(settings(otel_traces=True, otel_content=content), "test")
        yield server
        stop_spans()


async def judge(world: World, url: str, *ids: uuid.UUID, **changes: object) -> str:
    loop = JudgeLoop(settings(openai_base_url=url, **changes), world.url)
    await asyncio.to_thread(loop.start)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        ends = await asyncio.wrap_future(loop.submit(ids))
    await asyncio.to_thread(loop.close)
    return ends.line


async def answered_and_judged(
    world: World, redis_url: str, path: str, headers: dict[str, str]
) -> list[str]:
    """Answers a question by a model, judges the answer, and ends the exporting. Returns the
    traceparents that the model was sent."""
    async with StubServer(answer(reply_text("95도입니다. [노트 1]"))) as model:
        changes = {"answer_model": MODEL, "openai_base_url": model.base_url, "stream_wait": 0.05}
        async with open_api(world, redis_url, **changes) as api:
            await import_notes(api)
            response = await api.client.post(path, json=QUESTION, headers=headers)
            assert response.status_code == 200, response.text
            await world.rows("UPDATE qa_evaluations SET judge_model = %s", MODEL)
            (row,) = await world.rows("SELECT id FROM qa_evaluations")
            async with StubServer(well()) as judging:
                assert await judge(world, judging.base_url, row["id"]) == "1 judged"
        # The API has stopped, and with it the exporting.
        return [one.headers["traceparent"] for one in (*model.requests, *judging.requests)]


def only(spans: list[ExportedSpan], name: str) -> ExportedSpan:
    (found,) = [span for span in spans if span.name == name]
    return found


@pytest.mark.parametrize("headers", [{}, {"traceparent": CALLER}])
@pytest.mark.parametrize("path", ["/ai/chat", "/ai/stream"])
async def test_one_trace_leads_from_the_request_to_the_verdict(
    world, redis_url, exported, path, headers
):
    sent = await answered_and_judged(world, redis_url, path, headers)

    spans = exported.spans
    request, attempt = only(spans, f"POST {path}"), only(spans, "judge answer")
    answering, judging = (span for span in spans if span.name == "chat stub")
    parents = {span.name: span.parent for span in spans if span.name != "chat stub"}
    assert request.parent == ((headers and CALLER[36:52]) or "")
    assert {span.trace_id for span in spans} == {request.trace_id}
    assert parents == {
        f"POST {path}": request.parent,
        "store answer": request.id,
        "send live": request.id,
        "judge answer": request.id,
        "claim": attempt.id,
        "record": attempt.id,
    }
    assert (answering.parent, judging.parent) == (request.id, attempt.id)
    # The model server gets the span of that very call.
    assert [one[36:52] for one in sent] == [answering.id, judging.id]
    (row,) = await world.rows("SELECT id, judge_model FROM qa_evaluations")
    assert attempt.attributes == {
        "searchqa.evaluation.id": str(row["id"]),
        "searchqa.attempt": 1,
        "searchqa.judge": MODEL,
        "searchqa.end": "judged",
    }
    assert answering.attributes["gen_ai.usage.output_tokens"] > 0
    assert judging.attributes.items() >= {
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.request.model", "stub"),
    }


@pytest.mark.parametrize("exported", [False, True], indirect=True)
async def test_texts_are_exported_only_where_that_is_switched_on(
    world, redis_url, exported, request
):
    await answered_and_judged(world, redis_url, "/ai/chat", {})

    switched_on = request.node.callspec.params["exported"]
    sent = b"".join(exported.bodies).decode("utf-8", "replace")
    assert (SECRET_OF_NOTES in sent) is switched_on
    if switched_on:
        answering = next(span for span in exported.spans if span.name == "chat stub")
        (message,) = json.loads(answering.attributes["gen_ai.output.messages"])
        assert message == {
            "role": "assistant",
            "parts": [{"type": "text", "content": "95도입니다. [노트 1]"}],
        }


async def test_each_attempt_is_a_span_and_a_failed_call_names_its_error(world, exported):
    (new,) = await store_answers(world, traceparent=CALLER)
    await world.rows("UPDATE qa_evaluations SET judge_model = %s", MODEL)
    async with StubServer(status(500)) as broken:
        ended = await judge(world, broken.base_url, new.evaluation_id, retry_base=0.001)
        assert ended.startswith("1 to be tried again: ")
    await world.rows("UPDATE qa_evaluations SET run_at = now()")
    async with StubServer(well()) as judging:
        await judge(world, judging.base_url, new.evaluation_id)
    await asyncio.to_thread(stop_spans)

    attempts = [span for span in exported.spans if span.name == "judge answer"]
    assert [span.attributes["searchqa.attempt"] for span in attempts] == [1, 2]
    assert {span.parent for span in attempts} == {CALLER[36:52]}
    failed, replied = (span for span in exported.spans if span.name == "chat stub")
    assert failed.failed
    assert failed.attributes["error.type"] == "TransientProviderError"
    assert not replied.failed


async def test_a_collector_that_is_away_holds_up_nothing(world, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    # Seconds. An exporter that goes on trying would disturb other tests of this process.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    start_spans(settings(otel_traces=True), "test")
    (new,) = await store_answers(world)
    try:
        assert await judge(world, "http://127.0.0.1:1", new.evaluation_id) == "1 judged"
    finally:
        await asyncio.to_thread(stop_spans)
        for thread in threading.enumerate():
            if thread.name in {"spans", "OtelBatchSpanRecordProcessor"}:
                await asyncio.to_thread(thread.join)
