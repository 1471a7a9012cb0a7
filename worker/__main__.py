"""`python -m worker -Q live`: a worker as `celery worker` would start it.

Celery's own command line imports all of its commands, and Flower's: a quarter of the time to start.
"""

import argparse
import atexit
import gc
import sys
import warnings

from celery.utils.nodenames import default_nodename, host_format

from app.platform.broker import Queue
from app.platform.errors import SetupError


def main() -> int:
    """Runs until SIGTERM; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m worker", description="Runs a worker.")
    names = ",".join(Queue)
    parser.add_argument("-Q", "--queues", required=True, help=f"some of {names}")
    parser.add_argument(
        "--concurrency", type=int, help="messages held at a time; 1: one after the other"
    )
    parser.add_argument("--hostname", default="worker@%h", help="its name; %%h is this machine's")
    parser.add_argument(
        "--max-idle", type=int, help="seconds without a message after which it ends"
    )
    parser.add_argument("--loglevel", default="info")
    given = parser.parse_args()
    # What is imported stays, and looking for garbage in it takes a twentieth of the start, and at
    # the end as long again.
    gc.disable()
    atexit.register(gc.freeze)
    # Celery fears pickled messages sent to a worker of root; ours takes JSON only.
    warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
    try:
        from worker.celery_app import app
    except SetupError as error:
        sys.stderr.write(f"worker: {error}\n")
        return 1
    app.conf.worker_max_idle = given.max_idle
    worker = app.Worker(
        hostname=host_format(default_nodename(given.hostname)),
        concurrency=given.concurrency,
        queues=given.queues,
        loglevel=given.loglevel.upper(),
        task_events=True,
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    gc.enable()
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
