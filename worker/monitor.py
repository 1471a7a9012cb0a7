"""The Celery application for monitors of workers, such as Flower: without the tasks,
and so without all that judging imports."""

import atexit
import gc
import logging
from contextlib import suppress
from typing import Any

from celery.events import EventReceiver

from worker.celery_app import app

app.conf.include = ()
atexit.register(gc.freeze)  # nothing is left to be looked for at the end
# Flower queries the workers when it starts, and they may not be there yet; `searchqa up` has it
# query them again when they are (app.embedded.parts).
logging.getLogger("flower.inspector").setLevel(logging.ERROR)


def _wake_workers_when_subscribed(
    receiver: EventReceiver, connection: Any, channel: Any, consumers: Any, **options: Any
) -> None:
    """Over Redis, kombu subscribes when it first drains. Celery asks workers for a heartbeat before
    that, and misses the answer: workers are listed with their next heartbeat, up to 2 s later."""
    with suppress(TimeoutError):
        connection.drain_events(timeout=0.01)
    _wake_workers(receiver, connection, channel, consumers, **options)


_wake_workers = EventReceiver.on_consume_ready
EventReceiver.on_consume_ready = _wake_workers_when_subscribed

__all__ = ["app"]
