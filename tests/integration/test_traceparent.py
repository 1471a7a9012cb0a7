"""A caller's trace, from its request to the answer and the calls to models."""

import json
import uuid
from collections.abc import AsyncIterator

import pytest
from psycopg.errors import CheckViolation

from api_client import QUESTION, Api, import_notes, open_api, parse_events
from verdict_world import World, store_answers

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SUBMITTED = {
    "question": "변성 온도는?",
    "answer": "95도입니다. [노트 1]",
    "sources": [{"title": "PCR 조건", "content": "변성은 95도에서 한다."}],
}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    """One whose streams do not wait for the verdict."""
    async with open_api(world, redis_url, stream_wait=0.05) as api:
        await import_notes(api)
        yield api


async def answer_ids(api: Api, headers: list[tuple[str, str]]) -> dict[str, str]:
    """Of one answer for each way in, whose request has these headers besides."""

    async def post(path: str, body: object) -> str:
        response = await api.client.post(path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.text

    chat = json.loads(await post("/ai/chat", QUESTION))
    metadata, *_ = parse_events(await post("/ai/stream", QUESTION))
    submitted = json.loads(await post("/qa-evaluations", SUBMITTED))
    return {
        "chat": chat["quality"]["answer_id"],
        "stream": metadata.data["answer_id"],
        "external": submitted["answer_id"],
    }


async def stored(api: Api, answer_id: str) -> str | None:
    query = "SELECT traceparent FROM qa_answers WHERE id = %s"
    (row,) = await api.world.rows(query, uuid.UUID(answer_id))
    return row["traceparent"]


class TestAnswers:
    async def test_keep_the_trace_of_their_request(self, api: Api) -> None:
        ids = await answer_ids(api, [("traceparent", TRACEPARENT)])

        assert {name: await stored(api, id_) for name, id_ in ids.items()} == dict.fromkeys(
            ids, TRACEPARENT
        )

    @pytest.mark.parametrize(
        "headers",
        [
            [],
            [("traceparent", "00-" + "0" * 32 + "-b7ad6b7169203331-01")],
            [("traceparent", TRACEPARENT), ("traceparent", TRACEPARENT)],
            [("traceparent", "x" * 10_000)],
        ],
    )
    async def test_an_invalid_one_counts_as_none(
        self, api: Api, headers: list[tuple[str, str]]
    ) -> None:
        ids = await answer_ids(api, headers)

        assert {await stored(api, id_) for id_ in ids.values()} == {None}

    async def test_the_key_of_a_retry_holds_whatever_its_trace(self, api: Api) -> None:
        key = {"Idempotency-Key": "one"}
        first = await api.client.post(
            "/qa-evaluations", json=SUBMITTED, headers=key | {"traceparent": TRACEPARENT}
        )
        again = await api.client.post(
            "/qa-evaluations", json=SUBMITTED, headers=key | {"traceparent": "00-" + "1" * 52}
        )

        assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
        assert await stored(api, again.json()["answer_id"]) == TRACEPARENT

    async def test_the_table_takes_no_other_form(self, world: World) -> None:
        with pytest.raises(CheckViolation, match="traceparent_valid"):
            await store_answers(world, traceparent=TRACEPARENT.upper())
