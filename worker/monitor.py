"""The Celery application for monitors of workers, such as Flower: without the tasks,
and so without all that judging imports."""

import atexit
import gc
import logging

from worker.celery_app import app

app.conf.include = ()
atexit.register(gc.freeze)  # nothing is left to be looked for at the end
# Flower queries the workers when it starts, and they may not be there yet; `searchqa up` has it
# query them again when they are (app.embedded.parts).
logging.getLogger("flower.inspector").setLevel(logging.ERROR)

__all__ = ["app"]
