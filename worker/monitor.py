"""The Celery application for those that watch and ask workers, as Flower does: without the tasks,
and so without all that judging imports."""

import logging

from worker.celery_app import app

app.conf.include = ()
# Flower asks the workers when it starts, and they may not be there yet; it asks again when a
# worker's page is opened.
logging.getLogger("flower.inspector").setLevel(logging.ERROR)

__all__ = ["app"]
