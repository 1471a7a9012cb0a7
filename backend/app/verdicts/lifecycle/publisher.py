"""Publishing from the API without ever making a reader wait for the broker."""

import logging
import queue
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter

from app.platform.broker import Publisher, PublishError, Queue
from app.platform.spans import past_span

logger = logging.getLogger(__name__)

# More unpublished ids than this are dropped: the dispatcher publishes their rows.
MAX_BACKLOG = 10_000

_MESSAGE = {
    "messaging.system": "celery",
    "messaging.operation.type": "send",
    "messaging.destination.name": Queue.LIVE.value,
}

# An id, and the traceparent of its answer.
_Waiting = tuple[uuid.UUID, str | None]


class BackgroundPublisher:
    """A thread that publishes ids as they come: one alone at once, a burst as a few lists, which
    cost Celery less. Losing one costs a second, not a verdict."""

    def __init__(self, publisher: Publisher, *, batch: int = 20) -> None:
        self._publisher = publisher
        self._batch = batch
        self._waiting: queue.Queue[_Waiting | None] = queue.Queue(MAX_BACKLOG)
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._stopping = False

    def start(self) -> None:
        self._thread.start()

    def publish(self, evaluation_id: uuid.UUID, traceparent: str | None = None) -> None:
        """Hands over the id, with the trace of its answer, and returns at once."""
        try:
            self._waiting.put_nowait((evaluation_id, traceparent))
        except queue.Full:
            logger.warning("The broker is slow; leaving ids to the dispatcher")

    def stop(self) -> None:
        """Ends after what is being published now; the rest is left to the dispatcher."""
        self._stopping = True
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stopping:
            first = self._waiting.get()
            if first is None or self._stopping:
                return
            try:
                self._publish([first, *self._more(self._batch - 1)])
            except PublishError as error:
                logger.warning("%s; the dispatcher will publish it", error)
            except Exception:
                logger.exception("Publishing failed; the dispatcher will do it")

    def _publish(self, waiting: Sequence[_Waiting]) -> None:
        ids = [id_ for id_, _ in waiting]
        traces = {id_: traceparent for id_, traceparent in waiting if traceparent}
        began = perf_counter()
        self._publisher.publish(Queue.LIVE, ids, traces=traces)
        for id_, traceparent in traces.items():
            attributes = {**_MESSAGE, "searchqa.evaluation.id": str(id_)}
            took = perf_counter() - began
            past_span("send live", took, "producer", attributes, traceparent=traceparent)

    def _more(self, most: int) -> Iterator[_Waiting]:
        """What has come in the meantime."""
        for _ in range(most):
            try:
                one = self._waiting.get_nowait()
            except queue.Empty:
                return
            if one is not None:
                yield one
