"""Many small requests to the database, made one statement."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Coalescer(Generic[Item, Result]):
    """Collects items for a few milliseconds and handles them together.

    flush: takes the items in order and returns one result for each, or raises for all.
    alone_after: errors that one item may cause for all; after them each is flushed alone.
    While one flush runs the next batch fills, so batches grow with the load.
    A caller that is cancelled does not take its item back: what is written stays written.
    """

    def __init__(
        self,
        flush: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]],
        *,
        window: float = 0.003,
        largest: int = 500,
        alone_after: tuple[type[Exception], ...] = (),
    ) -> None:
        self._flush = flush
        self._window = window
        self._largest = largest
        self._alone_after = alone_after
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._running: asyncio.Task[None] | None = None

    async def submit(self, item: Item) -> Result:
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                if len(self._waiting) < self._largest:
                    await asyncio.sleep(self._window)
                batch = self._waiting[: self._largest]
                del self._waiting[: self._largest]
                await self._handle(batch)
        finally:
            self._running = None

    async def _handle(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._flush([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001  whatever it is belongs to the callers
            if len(batch) > 1 and isinstance(error, self._alone_after):
                for one in batch:
                    await self._handle([one])
                return
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)
