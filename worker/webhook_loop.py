"""The asyncio loop of a process that delivers webhooks."""

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import psycopg

from app.integrations.webhooks.outbox import Attempt, Delivery, Outbox
from app.platform.db.pool import create_pool
from app.platform.metrics import WEBHOOK_ATTEMPTS
from app.platform.settings import Settings
from worker.batched_lifecycle import retry_on_disconnect
from worker.loop_thread import LoopThread

if TYPE_CHECKING:
    from app.integrations.webhooks.delivering import Deliverer

logger = logging.getLogger(__name__)

# Far more than receivers that hang can hold: each of them holds one, see claim.sql.
MAX_IN_FLIGHT = 200
MAX_CLAIMED = 50
POLL_SECONDS = 1.0


class WebhookLoop(LoopThread):
    """Looks into the outbox each second, and again when a delivery has ended. No messages lead to
    it: a second is soon enough, and nothing in Redis can be lost."""

    def __init__(self, settings: Settings, database_url: str) -> None:
        super().__init__("webhook-loop")
        self._settings = settings
        self._database_url = database_url
        self._sending: dict[asyncio.Task[None], Delivery] = {}

    async def _open(self) -> None:
        pool = await self._resources.enter_async_context(
            create_pool(self._database_url, name="webhooks", max_size=2)
        )
        self._outbox = Outbox(pool, self._settings)
        self._looking = asyncio.create_task(self._keep_looking())

    @cached_property
    def _deliverer(self) -> "Deliverer":
        """Made with the first delivery: most workspaces have no webhook, and certificates and a
        client of HTTP take a tenth of a second and some megabytes."""
        from app.integrations.webhooks.delivering import Deliverer
        from app.integrations.webhooks.sending import Sender

        sender = Sender(self._settings)
        self._resources.push_async_callback(sender.aclose)
        return Deliverer(sender, self._settings)

    async def _drain(self, grace: float) -> None:
        """Releases deliveries that have not ended after `grace` seconds; another process sends them
        again, and the receiver may get them twice."""
        # A claim under way ends first, or its deliveries would wait for their lease.
        await self._looking
        if self._sending:
            _, late = await asyncio.wait(self._sending, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _keep_looking(self) -> None:
        while not self._stopping:
            try:
                await self._take()
            except psycopg.Error as error:
                logger.warning("The outbox of webhooks cannot be read (%s)", error)
            except Exception:  # a mistake of ours must not end all deliveries in silence
                logger.exception("The outbox of webhooks cannot be read")
            await self._pause()

    async def _take(self) -> None:
        room = min(MAX_CLAIMED, MAX_IN_FLIGHT - len(self._sending))
        if room <= 0:
            return
        held = Counter(delivery.webhook_id for delivery in self._sending.values())
        for delivery in await self._outbox.claim(room, held):
            task = asyncio.create_task(self._deliver(delivery))
            self._sending[task] = delivery
            task.add_done_callback(self._end)

    async def _pause(self) -> None:
        """Until one has ended, and there is room for the next, or for a second."""
        if self._sending:
            await asyncio.wait(
                self._sending, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
        else:
            await asyncio.sleep(POLL_SECONDS)

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            attempt = await self._deliverer.deliver(delivery)
        except asyncio.CancelledError:
            with suppress(psycopg.Error):
                await self._outbox.release(delivery)
            return
        WEBHOOK_ATTEMPTS.labels(_outcome(attempt)).inc()
        # A worker that dies here has the delivery sent again when the lease ends. While PostgreSQL
        # is away or its disk full nobody else takes it.
        await retry_on_disconnect(
            lambda: self._outbox.record(delivery, attempt), holding=lambda: not self._stopping
        )

    def _end(self, task: asyncio.Task[None]) -> None:
        delivery = self._sending.pop(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("Delivery %s could not be recorded", delivery.id, exc_info=error)


def _outcome(attempt: Attempt) -> str:
    if attempt.failure is None:
        return "delivered"
    return "failed" if attempt.delay is None else "again"
