"""Redis behind TLS with a user of few rights, and under Sentinels that fail over."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from harness import LONG_LEASE
from posting import post
from redis_servers import (
    ADMIN,
    LOGIN,
    PASSWORD,
    SENTINEL,
    Group,
    Server,
    data_server,
    killed_at_the_end,
)
from victims import eventually

from app.operations.embedded.redis import can_connect
from app.platform.broker import celery_settings
from deployment_parts import Certificates, make_certificates
from judge_replies import well
from live_stack import live_stack
from stub_server import StubServer
from verdict_world import settings


@pytest.fixture(scope="module")
def tls(run_folder: Path, worker_id: str) -> Certificates:
    return make_certificates(run_folder / f"tls-{worker_id}")


@pytest.fixture
def server(new_folder: Path, tls: Certificates) -> Iterator[Server]:
    made = data_server(new_folder, "redis", tls)
    with killed_at_the_end([made]):
        yield made


@pytest.fixture
def group(new_folder: Path, tls: Certificates) -> Iterator[Group]:
    made = Group(new_folder.with_name(f"{new_folder.name}-redis"), tls)
    with killed_at_the_end(made.servers()):
        yield made


async def test_all_processes_by_tls_as_a_user_of_few_rights(server, tls, new_folder):
    url = f"rediss://{LOGIN}@localhost:{server.port}/0?{tls.query}"
    async with StubServer(well()) as judge:
        stacks = live_stack(
            new_folder.with_name(f"{new_folder.name}-up"),
            REDIS_URL=url,
            SEARCHQA_JUDGE_MODEL="openai:stub",
            OPENAI_BASE_URL=judge.base_url,
            OPENAI_API_KEY="key",
            SEARCHQA_JUDGE_LIMITS="openai:stub=6000/4000000/8",
        )
        stack = await asyncio.to_thread(stacks.__enter__)
        try:
            async with stack.client(await stack.token()) as client:
                for _ in range(5):
                    await post(client)

                async def judged() -> bool:
                    reply = await client.get("/qa-evaluations?status=succeeded")
                    return len(reply.json()["items"]) == 5

                await eventually(judged)
            async with stack.flower() as flower:
                queues = (await flower.get("/api/queues/length")).json()["active_queues"]
            doctor = await stack.run("doctor")
        finally:
            await asyncio.to_thread(stacks.__exit__, None, None, None)

    with server.client() as admin:
        assert admin.acl_log() == [], "the documented rights are enough"
    assert {each["name"] for each in queues} == {"live", "bulk", "isolated"}
    assert "Workers" in doctor.out
    assert doctor.code == 0, doctor.out
    output = stack.log + doctor.out + " ".join(stack.processes().values())
    assert PASSWORD not in output
    assert LOGIN not in output


async def test_an_untrusted_certificate_is_refused(server, tls):
    url = f"rediss://:{ADMIN}@localhost:{server.port}/0"
    own = f"ssl_certfile={tls.certificate}&ssl_keyfile={tls.key}"
    assert not await can_connect(f"{url}?{own}"), "the system's CAs do not know it"
    assert not await can_connect(f"{url.replace('localhost', 'localhost.')}?{tls.query}")
    assert not await can_connect(f"{url}?ssl_ca_certs={tls.ca}"), "it wants a certificate"
    assert await can_connect(f"{url}?{tls.query}")


async def test_sentinels_fail_over_while_answers_flow(group, open_, holds):
    await eventually(group.is_ready)
    stack = await open_(**LONG_LEASE, redis_url=group.url, judge_limits="openai:stub=60000/-/64")
    await stack.start(workers=2, dispatchers=2)
    await stack.answer(20)
    group.primary.kill()
    while not await group.has_failed_over():
        await stack.answer(2)
        await asyncio.sleep(0.1)
    await stack.answer(20)

    await holds(stack, "Sentinel: primary killed while answers flow")

    output = await asyncio.to_thread(flower_worker_info, group)
    output += "".join(process.log for process in stack.processes)
    assert "searchqa" in output
    for secret in (PASSWORD, LOGIN, SENTINEL):
        assert secret not in output


def flower_worker_info(group: Group) -> str:
    """What Flower shows of them."""
    celery = Celery("test", set_as_current=False)
    celery.conf.update(celery_settings(group.url, settings(), fail_fast=True))
    try:
        return str(celery.control.inspect(timeout=5).stats())
    finally:
        celery.close()
