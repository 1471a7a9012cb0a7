"""The Celery application for those that watch and ask workers, as Flower does: without the tasks,
and so without all that judging imports."""

from worker.celery_app import app

app.conf.include = ()

__all__ = ["app"]
