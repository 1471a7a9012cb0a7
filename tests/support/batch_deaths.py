"""A process that works on batches and kills itself (kill -9) at a step of one."""

import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Any

from app.ai_router.batches.protocol import BatchEndpoint, BatchLine, BatchReply, BatchStatus
from app.ai_router.router import Providers
from app.platform.jobs.store import JobStore
from app.verdicts.batches import batch, collecting, job
from app.verdicts.batches.batch import BatchAtWork

# In the order in which a batch comes to them. Those of COLLECTING are the dispatcher's.
COLLECTING = ("rows taken, not committed", "rows collected", "batch closed")
SUBMITTING = (
    *("before the upload", "file uploaded", "before the batch is created"),
    *("batch created, reply not read", "batch noted as running"),
)
READING = ("batch has ended", "some replies stored", "all replies stored", "before it is deleted")
STEPS = (*COLLECTING, *SUBMITTING, *READING)
# Replies that are stored together, and those that are read before the death among them.
CHUNK, READ = 2, 4


def die_at(step: str) -> None:
    """This process dies when a batch comes to the step."""
    assert step in STEPS, step
    patch = _PATCHES.get(step)
    if patch:
        patch()
    else:
        _patch_endpoint(step)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dying(
    place: object, name: str, *, before: bool = False, when: Callable[[Any], bool] = bool
) -> Callable[[], None]:
    """Death at a coroutine of `place`: before it is called, or when it returns what suits."""

    def patch() -> None:
        original: Callable[..., Awaitable[object]] = getattr(place, name)

        @wraps(original)
        async def dying(*args: object, **kwargs: object) -> object:
            if before:
                _die()
            returned = await original(*args, **kwargs)
            if when(returned):
                _die()
            return returned

        setattr(place, name, dying)

    return patch


def _patch_reading() -> None:
    batch.CHUNK = CHUNK
    _patch_endpoint("some replies stored")


_PATCHES: Mapping[str, Callable[[], None]] = {
    "rows taken, not committed": _dying(collecting, "_add", when=lambda _: True),
    "rows collected": _dying(collecting.Collecting, "_collect"),
    "batch closed": _dying(JobStore, "enqueue", before=True),
    "batch noted as running": _dying(job, "_set_running", when=lambda _: True),
    "some replies stored": _patch_reading,
    "all replies stored": _dying(BatchAtWork, "finish", before=True),
}


def _patch_endpoint(step: str) -> None:
    original = Providers.batch_endpoint

    def batch_endpoint(self: Providers, model: str) -> BatchEndpoint:
        return _DyingEndpoint(original(self, model), step)

    Providers.batch_endpoint = batch_endpoint  # type: ignore[method-assign]


class _DyingEndpoint:
    """A BatchEndpoint in whose use the process dies."""

    def __init__(self, endpoint: BatchEndpoint, step: str) -> None:
        self._endpoint = endpoint
        self._step = step
        self.limits = endpoint.limits

    def _at(self, step: str) -> None:
        if step == self._step:
            _die()

    def size(self, line: BatchLine) -> int:
        return self._endpoint.size(line)

    async def upload(self, lines: Sequence[BatchLine]) -> str | None:
        self._at("before the upload")
        file = await self._endpoint.upload(lines)
        self._at("file uploaded")
        return file

    async def create(self, key: str, file_id: str | None, lines: Sequence[BatchLine]) -> str:
        self._at("before the batch is created")
        created = await self._endpoint.create(key, file_id, lines)
        self._at("batch created, reply not read")
        return created

    async def find(
        self, key: str, since: datetime, lines: Sequence[BatchLine], known: Collection[str]
    ) -> str | None:
        return await self._endpoint.find(key, since, lines, known)

    async def status(self, batch_id: str) -> BatchStatus:
        status = await self._endpoint.status(batch_id)
        if status.state != "running":
            self._at("batch has ended")
        return status

    async def replies(self, batch_id: str) -> AsyncGenerator[BatchReply, None]:
        read = 0
        async for reply in self._endpoint.replies(batch_id):
            if read == READ:
                self._at("some replies stored")
            read += 1
            yield reply

    async def cancel(self, batch_id: str) -> None:
        await self._endpoint.cancel(batch_id)

    async def delete(self, batch_id: str) -> None:
        self._at("before it is deleted")
        await self._endpoint.delete(batch_id)
