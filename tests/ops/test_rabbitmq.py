"""`searchqa up` with RabbitMQ for messages: an answer to its verdict, over TLS."""

import asyncio
from pathlib import Path

import pytest
from posting import post
from rabbitmq import PASSWORD, USER, RabbitMQ
from victims import eventually

from app.platform.broker import Publisher, PublishError, Queue
from judge_replies import well
from live_stack import LiveStack, live_stack
from stub_server import StubServer
from verdict_world import settings


async def test_an_answer_is_judged_by_way_of_rabbitmq(rabbitmq: RabbitMQ, new_folder: Path) -> None:
    async with StubServer(well()) as judge:
        stacks = live_stack(
            new_folder,
            BROKER_URL=rabbitmq.tls_url,
            SEARCHQA_JUDGE_MODEL="openai:stub",
            OPENAI_BASE_URL=judge.base_url,
            OPENAI_API_KEY="key",
        )
        stack = await asyncio.to_thread(stacks.__enter__)
        try:
            await judged(stack)
            doctor = await stack.run("doctor")
        finally:
            await asyncio.to_thread(stacks.__exit__, None, None, None)

    assert "RabbitMQ 3." in doctor.out
    assert "worker-1@" in doctor.out
    assert doctor.code == 0, doctor.out
    assert PASSWORD not in stack.log + doctor.out


async def judged(stack: LiveStack) -> None:
    async with stack.client(await stack.token()) as client:
        for _ in range(5):
            await post(client)

        async def all_of_them() -> bool:
            reply = await client.get("/qa-evaluations?status=succeeded")
            return len(reply.json()["items"]) == 5

        await eventually(all_of_them)


def test_a_frozen_rabbitmq_is_given_up_and_used_again(rabbitmq: RabbitMQ) -> None:
    publisher = Publisher(rabbitmq.url, settings(broker_url=rabbitmq.url))
    assert publisher.waiting(Queue.LIVE) == 0
    rabbitmq.freeze()
    with pytest.raises(PublishError, match="RabbitMQ did not reply"):
        publisher.publish(Queue.LIVE, [])
    with pytest.raises(PublishError):
        publisher.waiting(Queue.LIVE)
    rabbitmq.thaw()
    publisher.publish(Queue.BULK, [])
    assert publisher.waiting(Queue.BULK) == 1
    publisher.close()


async def test_up_refuses_a_login_that_rabbitmq_does_not_know(
    rabbitmq: RabbitMQ, new_folder: Path
) -> None:
    wrong = rabbitmq.url.replace(USER, "stranger")
    with pytest.raises(AssertionError, match="refuses the login: check BROKER_URL"):
        await asyncio.to_thread(live_stack(new_folder, BROKER_URL=wrong).__enter__)
