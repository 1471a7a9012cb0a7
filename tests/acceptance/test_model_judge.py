"""A judge that is a model: slow, talking nonsense, down, refusing, and dying under our worker."""

import json
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import pytest_asyncio
from event_stream import Event, events
from users import QUESTION, ask

from cases import eventually
from judge_replies import CLAIMS, CORRECTNESS, VERDICT, Gate, by_request, schema_name, well
from live_stack import LiveStack, open_with_notes
from stub_server import Behaviour, Exchange, answer, reply_text, reset, status

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

MODEL = "openai:gpt-4o-mini"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(judged: LiveStack) -> AsyncIterator[httpx.AsyncClient]:
    token = await open_with_notes(judged, "reader")
    async with judged.client(token) as client:
        yield client


def once(first: Behaviour) -> Behaviour:
    """Behaves so at the first request for each schema, and well afterwards."""
    asked: Counter[str] = Counter()

    async def behave(exchange: Exchange) -> None:
        name = schema_name(exchange.request.json)
        asked[name] += 1
        await (first if asked[name] == 1 else well())(exchange)

    return behave


async def wait_for_values(
    client: httpx.AsyncClient, evaluation_id: str, **wanted: Any
) -> dict[str, Any]:
    """The evaluation once it has these values."""

    async def found() -> dict[str, Any]:
        view: dict[str, Any] = (await client.get(f"/qa-evaluations/{evaluation_id}")).json()
        return view if {name: view[name] for name in wanted} == wanted else {}

    return await eventually(found)


async def test_the_judge_is_asked_in_the_trace_of_the_question(reader, judge):
    trace_id, span_id = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    headers = {"traceparent": f"00-{trace_id}-{span_id}-01"}

    response = await reader.post("/ai/chat", json=QUESTION, headers=headers)
    await wait_for_values(reader, response.json()["quality"]["evaluation_id"], status="succeeded")

    parts = [part.partition(";dur=")[0] for part in response.headers["Server-Timing"].split(", ")]
    assert parts == ["search", "generate", "store", "total"]
    version, asked_in, asked_by, flags = judge.requests[-1].headers["traceparent"].split("-")
    assert (version, asked_in, flags) == ("00", trace_id, "01")
    assert asked_by != span_id


async def test_the_answer_is_complete_before_the_judge_has_said_anything(judged, reader, judge):
    judge.default = gate = Gate()
    seen: list[Event] = []

    async with events(reader, "/ai/stream", method="POST", body=QUESTION) as stream:
        async for event in stream:
            seen.append(event)
            if event.name == "evaluation":
                break
        id_ = seen[-1].data["id"]
        await judge.until_in_flight(1)
        assert judge.count == 1, "the call to the judge has not ended"
        assert seen[-2].data == "[DONE]"
        assert "95도" in "".join(event.data["chunk"] for event in seen[1:-2])
        pending = (await reader.get(f"/qa-evaluations/{id_}")).json()
        assert (pending["status"], pending["qa_evaluation"]) == ("running", None)
        gate.open.set()
        rest = [event async for event in stream]

    assert [event.name for event in rest] == ["quality", "qa_evaluation", "feedback"]
    view = await wait_for_values(reader, id_, status="succeeded")
    named = {name: view[name] for name in ("judged_by", "provider", "model")}
    about = {"evaluation_id": id_, "degraded": False} | named
    assert rest[0].data == view["quality"] | about
    assert rest[1].data == view["qa_evaluation"] | about
    assert view["qa_evaluation"]["correctness"] == CORRECTNESS
    assert view["qa_evaluation"]["confidence"] == "high"
    assert (view["provider"], view["attempt"]) == ("openai", 1)
    calls = await judged.rows("SELECT * FROM judge_calls WHERE evaluation_id = %s", id_)
    assert [json.loads(call["content"]).keys() >= {"claims", "checklist"} for call in calls] == [
        True
    ]
    assert all(call["error"] is None and call["prompt_tokens"] == 100 for call in calls)
    key = judged.environment["OPENAI_API_KEY"]
    assert judge.requests[0].headers["authorization"] == f"Bearer {key}"
    assert key not in judged.log


async def test_garbage_is_asked_again_once(judged, reader, judge):
    judge.default = once(answer(reply_text("The answer looks fine to me! {")))

    id_ = await ask(reader)

    view = await wait_for_values(reader, id_, status="succeeded")
    assert (view["degraded"], view["attempt"]) == (False, 1)
    assert view["qa_evaluation"]["correctness"] == CORRECTNESS
    assert Counter(schema_name(request.json) for request in judge.requests) == {VERDICT: 2}
    calls = await judged.rows("SELECT content FROM judge_calls WHERE evaluation_id = %s", id_)
    assert sum("looks fine" in call["content"] for call in calls) == 1


async def test_a_judge_that_is_down_is_tried_again_then_rules_stand_in(judged, reader, judge):
    judge.script(status(500, "overloaded"))
    judge.default = reset()

    id_ = await ask(reader)

    retrying = await wait_for_values(reader, id_, status="retrying")
    assert retrying["reason"] == "transient_failure"
    assert "HTTP 500" in retrying["error"]
    assert retrying["next_attempt_at"] is not None
    (row,) = await judged.rows("SELECT * FROM qa_evaluations WHERE id = %s", id_)
    assert (row["correctness"], row["utility"], row["confidence"]) == (None, None, None)
    view = await wait_for_values(reader, id_, status="succeeded")
    assert (view["degraded"], view["provider"], view["model"]) == (True, "offline", "rules")
    assert view["attempt"] == 2
    assert "connection" in view["error"]
    assert judge.count == 2
    assert await judged.rows("SELECT * FROM judge_pauses") == []
    scores = await judged.rows("SELECT source FROM qa_scores WHERE evaluation_id = %s", id_)
    assert {score["source"] for score in scores} == {"rules"}


async def test_a_refused_key_pauses_the_judge_until_somebody_resumes_it(judged, reader, judge):
    judge.default = status(401, {"error": {"message": "Incorrect API key provided"}})

    id_ = await ask(reader)

    waiting = await wait_for_values(reader, id_, reason="judge_paused")
    assert (waiting["status"], waiting["qa_evaluation"]) == ("queued", None)
    another = await ask(reader)
    (paused,) = (await reader.get("/judges/paused")).json()
    assert json.loads(await judged.succeed("api", "GET", "/judges/paused")) == [paused]
    assert paused["judge_model"] == MODEL
    assert (paused["code"], paused["kind"]) == ("invalid_api_key", "configuration")
    doctor = await judged.run("doctor", "--json")
    assert doctor.code == 1
    broken = [f for f in json.loads(doctor.out) if f["state"] == "broken"]
    assert [finding["about"] for finding in broken] == ["Paused judge"]
    assert f"searchqa api POST /judges/{quote(MODEL)}/resume" in broken[0]["mend"]
    assert (await reader.get(f"/qa-evaluations/{another}")).json()["status"] == "queued"
    assert judge.count == 1, "nobody asks a paused judge"
    judge.default = well()

    await judged.succeed("api", "POST", f"/judges/{quote(MODEL)}/resume")

    for evaluation in (id_, another):
        view = await wait_for_values(reader, evaluation, status="succeeded")
        assert (view["degraded"], view["qa_evaluation"]["correctness"]) == (False, CORRECTNESS)
    assert (await reader.get("/judges/paused")).json() == []
    (row,) = await judged.rows("SELECT tries FROM qa_evaluations WHERE id = %s", id_)
    assert row["tries"] == 0


async def test_a_worker_killed_in_the_middle_of_a_call_loses_nothing_and_pays_once(
    judged, reader, judge
):
    logged_before = len(judged.log)
    gate = Gate()
    judge.default = by_request(**{VERDICT: gate})
    policy = "/settings/evaluation"
    apart = await reader.put(policy, json={"phases": ["groundedness:model"]})
    assert apart.status_code == 200, apart.text
    try:
        id_ = await ask(reader)
    finally:
        await reader.put(policy, json={})

    async def claims_are_stored() -> bool:
        query = "SELECT 1 FROM judge_calls WHERE evaluation_id = %s AND content IS NOT NULL"
        return bool(await judged.rows(query, id_)) and judge.count == 2

    await eventually(claims_are_stored)
    os.kill(judged.part("worker-1@"), signal.SIGKILL)
    judge.default = well()
    gate.open.set()
    await judged.logged("worker-1 exited with code -9; restarting", after=logged_before)

    view = await wait_for_values(reader, id_, status="succeeded")
    assert (view["attempt"], view["degraded"]) == (2, False)
    assert view["qa_evaluation"]["correctness"] == CORRECTNESS
    asked = Counter(schema_name(request.json) for request in judge.requests)
    assert asked == {CLAIMS: 1, VERDICT: 2}, "a stored reply is not paid for again"
    happened = await judged.rows(
        "SELECT status FROM verdict_events WHERE evaluation_id = %s ORDER BY xid, id", id_
    )
    assert [row["status"] for row in happened] == [
        *("queued", "running"),
        *("retrying", "running", "succeeded"),
    ]
    (row,) = await judged.rows("SELECT tries, crashes FROM qa_evaluations WHERE id = %s", id_)
    assert (row["tries"], row["crashes"]) == (0, 1)
