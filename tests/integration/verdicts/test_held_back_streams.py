"""Streams while a transaction of somebody else stays open, as an analyst's in psql does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from api_client import QUESTION, Api, import_notes, open_api, parse_events
from cases import TIMEOUT_SECONDS
from verdict_world import World, verdict

# Longer than any test may take: nothing comes by waiting for its end.
FOR_EVER = 3600.0


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, stream_wait=FOR_EVER) as api:
        await import_notes(api)
        yield api


@asynccontextmanager
async def open_transaction(world: World) -> AsyncIterator[None]:
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        await connection.execute("SELECT pg_current_xact_id()")
        yield


async def test_the_stream_of_an_answer_ends_with_its_verdict(api, world):
    async with open_transaction(world), asyncio.timeout(TIMEOUT_SECONDS):
        stream, _ = await asyncio.gather(
            api.client.post("/ai/stream", json=QUESTION), api.judge_next(verdict())
        )

    names = [event.name for event in parse_events(stream.text)]
    assert names.count("qa_evaluation") == 1
    assert names[-1] == "qa_evaluation"


async def test_who_comes_to_a_verdict_hears_its_end_once(api, world):
    asked = await api.client.post("/ai/chat", json=QUESTION)
    url = f"/qa-evaluations/{asked.json()['quality']['evaluation_id']}/events"

    async with open_transaction(world):
        await api.judge_next(verdict())
        events = parse_events((await api.client.get(url)).text)
        came_back = await api.client.get(url, headers={"Last-Event-ID": events[-1].id or ""})

    names = [event.name for event in events]
    assert (names.count("evaluation"), names[-1]) == (1, "qa_evaluation")
    assert came_back.status_code == 204, "it has heard all"


async def test_who_follows_a_verdict_hears_each_change_once_and_its_end(api, world):
    asked = await api.client.post("/ai/chat", json=QUESTION)
    url = f"/qa-evaluations/{asked.json()['quality']['evaluation_id']}/events"

    async with open_transaction(world), asyncio.timeout(TIMEOUT_SECONDS):
        stream, _ = await asyncio.gather(api.client.get(url), api.judge_next(verdict()))
        events = parse_events(stream.text)
        came_back = await api.client.get(url, headers={"Last-Event-ID": events[-1].id or ""})

    statuses = [event.data["status"] for event in events if event.name == "evaluation"]
    assert statuses.count("succeeded") == 1
    assert statuses[-1] == "succeeded"
    assert [event.name for event in events].count("qa_evaluation") == 1
    assert came_back.status_code == 204, "it has heard all"
