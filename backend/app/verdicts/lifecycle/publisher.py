"""Publishing from the API without ever making a reader wait for Redis."""

import logging
import queue
import threading
import uuid
from collections.abc import Iterator
from contextlib import suppress

from app.broker import Publisher, PublishError, Queue

logger = logging.getLogger(__name__)

# More unpublished ids than this are dropped: the dispatcher publishes their rows.
MAX_BACKLOG = 10_000


class BackgroundPublisher:
    """A thread that publishes ids as they come: one alone at once, a burst as a few lists, which
    cost Celery less. Losing one costs a second, not a verdict."""

    def __init__(self, publisher: Publisher, *, batch: int = 20) -> None:
        self._publisher = publisher
        self._batch = batch
        self._ids: queue.Queue[uuid.UUID | None] = queue.Queue(MAX_BACKLOG)
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._stopping = False

    def start(self) -> None:
        self._thread.start()

    def publish(self, evaluation_id: uuid.UUID) -> None:
        """Hands over the id and returns at once."""
        try:
            self._ids.put_nowait(evaluation_id)
        except queue.Full:
            logger.warning("Redis is slow; leaving ids to the dispatcher")

    def stop(self) -> None:
        """Ends after what is being published now; the rest is left to the dispatcher."""
        self._stopping = True
        with suppress(queue.Full):
            self._ids.put_nowait(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stopping:
            first = self._ids.get()
            if first is None or self._stopping:
                return
            try:
                self._publisher.publish(Queue.LIVE, [first, *self._waiting(self._batch - 1)])
            except PublishError as error:
                logger.warning("%s; the dispatcher will publish it", error)
            except Exception:
                logger.exception("Publishing failed; the dispatcher will do it")

    def _waiting(self, most: int) -> Iterator[uuid.UUID]:
        """What has come in the meantime."""
        for _ in range(most):
            try:
                evaluation_id = self._ids.get_nowait()
            except queue.Empty:
                return
            if evaluation_id is not None:
                yield evaluation_id
