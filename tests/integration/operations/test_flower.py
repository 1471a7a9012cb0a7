"""Flower without any worker, as right after a start, and with a worker whose judge fails."""

import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import redis
from celery import Celery

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.operations.embedded.supervisor import Part
from app.platform.broker import Publisher, Queue
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import TIMEOUT_SECONDS, eventually
from stub_server import StubServer, status
from verdict_world import open_world, settings, store_answers

AUTH = ("operator", "password")
FIXED_SIZE = (
    "This pool has a fixed size: set SEARCHQA_MAX_IN_FLIGHT and restart the worker, or start"
    " another worker."
)
# As while the password changes.
NEW_AUTH = ("operator", "new")


@pytest.fixture
async def flower(redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    port = free_port("127.0.0.1")
    environment = {**os.environ, "REDIS_URL": redis_url}
    logins = ",".join(map(":".join, (NEW_AUTH, AUTH)))
    part = parts.flower(settings(flower_port=port), logins, environment)
    assert part.ready
    with running(part):
        await eventually(part.ready)
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, auth=AUTH, trust_env=False) as client:
            yield client


@contextmanager
def running(part: Part) -> Iterator[None]:
    process = subprocess.Popen(part.program.command, env=part.program.environment)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(TIMEOUT_SECONDS)
        finally:
            # One that does not stop fails its own test, and none that runs later.
            process.kill()
            process.wait()


async def test_it_reports_the_length_of_the_queues(flower, redis_url):
    with redis.Redis.from_url(redis_url) as client:
        client.lpush("bulk", "one", "two")

    reply = await flower.get("/api/queues/length")

    assert reply.status_code == 200, reply.text
    assert reply.json()["active_queues"] == [
        {"name": "bulk", "messages": 2},
        {"name": "isolated", "messages": 0},
        {"name": "live", "messages": 0},
    ]
    page = await flower.get("/broker")
    assert page.status_code == 200
    assert "isolated" in page.text


async def test_two_passwords_open_it_while_one_replaces_the_other(flower):
    for auth, code in ((AUTH, 200), (NEW_AUTH, 200), (("operator", "wrong"), 401)):
        for path in ("/api/queues/length", "/metrics"):
            assert (await flower.get(path, auth=auth)).status_code == code
    assert (await flower.get("/healthcheck", auth=None)).status_code == 200


async def test_a_judge_that_failed_is_found_by_its_state(flower, redis_url, clean_database_url):
    async with open_world(clean_database_url) as world, StubServer(status(503)) as judge:
        chosen = settings(
            database_url=world.url,
            redis_url=redis_url,
            openai_base_url=judge.base_url,
            judge_model="openai:stub",
            judge_fallback="failed",
            max_attempts=2,
        )
        environment = {
            **os.environ,
            "DATABASE_URL": world.url,
            "REDIS_URL": redis_url,
            "OPENAI_BASE_URL": judge.base_url,
            "OPENAI_API_KEY": "stub",
            "SEARCHQA_JUDGE_MODEL": chosen.judge.model,
            "SEARCHQA_JUDGE_FALLBACK": "failed",
            "SEARCHQA_MAX_ATTEMPTS": "2",
        }
        policy = EvaluationPolicy.from_settings(chosen)
        [new] = await store_answers(world, 1, policy=policy)
        id_ = str(new.evaluation_id)
        publisher = Publisher(redis_url, chosen)
        with running(parts.worker(1, chosen, environment)):
            publisher.publish(Queue.LIVE, [new.evaluation_id])
            again = await task_in(flower, "RETRY")
            assert again[id_]["exception"].startswith("1 to be tried again: ")
            assert "503" in again[id_]["exception"]
            assert again[id_]["retries"] == 1
            refused = Celery("test", broker=redis_url, set_as_current=False).control.pool_grow(
                1, reply=True
            )
            assert [list(answer.values()) for answer in refused] == [[{"error": FIXED_SIZE}]]

            await world.rows("UPDATE qa_evaluations SET run_at = now()")
            publisher.publish(Queue.LIVE, [new.evaluation_id])
            given_up = await task_in(flower, "FAILURE")
            assert "503" in given_up[id_]["exception"]
        publisher.close()
        workers = await flower.get("/workers?json=1")
        [counted] = workers.json()["data"]
        assert (counted["task-retried"], counted["task-failed"]) == (1, 1)
        assert "task-succeeded" not in counted


async def task_in(flower: httpx.AsyncClient, state: str) -> dict[str, Any]:
    """Those of the state, by id, once there are any."""
    url = f"/api/tasks?state={state}"
    found = await eventually(lambda: flower.get(url), when=lambda response: response.json())
    return dict(found.json())
