"""Room for spans of requests at the same time, and turns to store them."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from starlette.requests import Request

from app.api import otlp
from app.api.otlp import MAX_BODY_BYTES, STORED_AT_ONCE, SpanIntake
from app.platform.errors import TooManyRequests
from cases import TIMEOUT_SECONDS


def of_bytes(count: int) -> Request:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": bytes(count), "more_body": False}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


async def test_bytes_of_one_application_leave_the_room_of_another(monkeypatch):
    monkeypatch.setattr(otlp, "MAX_BYTES_IN_FLIGHT", 10)
    one, other = SpanIntake(), SpanIntake()

    async with one.body(of_bytes(8), "hog") as held, other.body(of_bytes(8), "hog"):
        assert len(held) == 8
        with pytest.raises(TooManyRequests):
            async with one.body(of_bytes(8), "hog"):
                pass

    async with one.body(of_bytes(8), "hog") as body:
        assert len(body) == 8, "what was held has been released"


async def test_a_flood_by_one_workspace_holds_no_other_up():
    intake, stored, end = SpanIntake(), [], asyncio.Event()

    async def store(workspace: str) -> None:
        async with intake.storing(workspace):
            stored.append(workspace)
            await end.wait()

    async with asyncio.TaskGroup() as tasks:
        flood = [tasks.create_task(store("hog")) for _ in range(10)]
        await asyncio.sleep(0)
        tasks.create_task(store("other"))
        await asyncio.sleep(0)
        tasks.create_task(store("third"))
        await asyncio.sleep(0)
        assert stored == ["hog"] * (STORED_AT_ONCE - 1) + ["other"]

        # One whose slot is free and one that waits are cancelled: the slot is not lost.
        flood[0].cancel()
        flood[5].cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert stored[STORED_AT_ONCE:] == ["third"]
        end.set()

    assert stored.count("hog") == 10 - 1
    async with AsyncExitStack() as all_slots:
        for workspace in range(STORED_AT_ONCE):
            await asyncio.wait_for(
                all_slots.enter_async_context(intake.storing(workspace)), TIMEOUT_SECONDS
            )


async def test_bodies_of_one_workspace_leave_room_for_another():
    intake = SpanIntake()

    async with (
        intake.body(of_bytes(MAX_BODY_BYTES), "hog"),
        intake.body(of_bytes(MAX_BODY_BYTES), "hog"),
    ):
        with pytest.raises(TooManyRequests):
            async with intake.body(of_bytes(1), "hog"):
                pass
        async with intake.body(of_bytes(MAX_BODY_BYTES), "other") as body:
            assert len(body) == MAX_BODY_BYTES
        async with intake.body(of_bytes(MAX_BODY_BYTES), "third"):
            with pytest.raises(TooManyRequests):
                async with intake.body(of_bytes(1), "other"):
                    pass
    async with intake.body(of_bytes(MAX_BODY_BYTES), "hog"):
        pass
