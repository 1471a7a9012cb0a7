"""`python -m worker.flower --port=5555`: Flower with its own options, as `celery flower` would
start it. The Celery application has no tasks here, so nothing that judging needs is imported.

Celery's own command line imports all of its commands: a fifth of Flower's memory.
"""

import atexit
import errno
import gc
import logging
import sys
from contextlib import suppress
from typing import Any

import click
from celery.bin.base import CLIContext
from celery.events import EventReceiver
from flower.command import flower
from flower.views import monitor
from tornado.web import authenticated

from app.platform.errors import SetupError

atexit.register(gc.freeze)  # nothing is left to be looked for at the end
# Flower queries the workers when it starts, and they may not be there yet; `searchqa up` has it
# query them again when they are (app.operations.embedded.parts).
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


# Flower leaves its figures open, which name workers and tasks.
monitor.Metrics.get = authenticated(monitor.Metrics.get)


def main() -> None:
    try:
        from worker.celery_app import app
    except SetupError as error:
        sys.exit(f"flower: {error}")
    app.conf.include = ()
    celery = CLIContext(app=app, no_color=True, workdir=None, quiet=True)
    # Flower warns of options that belong to its parent, which has none here.
    parent = click.Context(click.Group("celery"), obj=celery)
    try:
        flower.main(sys.argv[1:], prog_name="python -m worker.flower", parent=parent)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        sys.exit(
            f"flower: The port of Flower ({' '.join(sys.argv[1:3])}) is in use: choose another with"
            " SEARCHQA_FLOWER_PORT, or with --flower-port of `searchqa up`."
        )


if __name__ == "__main__":
    main()
