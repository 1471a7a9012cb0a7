"""Readers of an improvement who come late or whose answer goes, and what a job does once more."""

import asyncio
from decimal import Decimal

import pytest

import samples
from api_client import parse_events
from app.ai_router.types import ChatResponse
from app.platform.errors import PermanentProviderError, TransientProviderError
from cases import TIMEOUT_SECONDS, for_each
from refinements import BODY, SCRIPT, judged_answer, work

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_who_comes_late_is_offered_the_better_answer_too(api):
    id_ = await judged_answer(api)
    await api.client.post(f"/qa-evaluations/{id_}/refine")
    await work(api, *SCRIPT)

    received = parse_events((await api.client.get(f"/qa-evaluations/{id_}/events")).text)

    assert [event.name for event in received][-2:] == ["refinement", "refined_answer"]
    assert received[-1].data["answer"] == samples.BETTER_ANSWER
    assert [event.id is not None for event in received] == [False] * (len(received) - 1) + [True]


async def test_the_stream_of_a_forgotten_answer_ends(api, monkeypatch):
    monkeypatch.setattr("app.verdicts.reading.following.DELETED_CHECK_SECONDS", 0.05)
    new = (await api.client.post("/qa-evaluations", json=BODY)).json()

    async with asyncio.timeout(TIMEOUT_SECONDS):
        reading = asyncio.create_task(api.client.get(f"/qa-evaluations/{new['id']}/events"))
        await asyncio.wait({reading}, timeout=0.3)
        assert not reading.done(), "it waits for the verdict"
        await api.client.delete(f"/answers/{new['answer_id']}")
        response = await reading

    assert response.status_code == 200


async def test_work_done_before_a_crash_is_not_repeated(api):
    id_ = await judged_answer(api)
    await api.client.post(f"/qa-evaluations/{id_}/refine")
    refused = PermanentProviderError("content filter")
    await work(api, *SCRIPT[:2], refused)
    # As if the process had died between the last step and the end of its job.
    await api.world.rows("UPDATE jobs SET status = 'retrying', run_at = now()")

    model = await work(api, *SCRIPT[2:])

    assert model.asked == []
    (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
    assert (view["status"], view["stop_reason"]) == ("succeeded", "failed")


async def test_replies_of_a_step_that_failed_are_counted(api):
    id_ = await judged_answer(api)
    await api.client.post(f"/qa-evaluations/{id_}/refine")
    paid = ChatResponse("…", "stub", "scripted", 100, 20, Decimal("0.001"))

    await work(api, TransientProviderError("cut off", reply=paid), *SCRIPT)

    first, _ = await api.world.rows("SELECT * FROM refinement_iterations ORDER BY position")
    assert (first["prompt_tokens"], first["cost_usd"]) == (100, Decimal("0.001"))
    assert first["calls"] == 2


@for_each("name", ["", "\0", "당뇨\n\n질문: 다른 것"])
async def test_what_is_known_of_the_asker_is_one_line_of_text_each(api, name):
    refused = await api.client.post("/qa-evaluations", json=BODY | {"slots": {"질환": [name]}})

    assert refused.status_code == 422
