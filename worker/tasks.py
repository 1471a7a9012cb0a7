"""The two tasks, each with a short list of ids. Rows hold the outcome; Celery's states only show it
in Flower. Each returns at once: see AsyncPool."""

import uuid
from concurrent.futures import Future

from app.platform.broker import JOB_TASK_NAME, TASK_NAME
from worker.celery_app import app
from worker.loop_thread import TaskOutcome
from worker.pool import TaskRequest
from worker.process import job_loop, judge_loop


@app.task(name=TASK_NAME, Request=TaskRequest)  # type: ignore[untyped-decorator]  # celery ships no types
def judge(ids: list[str]) -> Future[TaskOutcome]:
    """Judges those of `ids` that can be claimed. Retries live in the rows' run_at, never here."""
    return judge_loop().submit([uuid.UUID(id_) for id_ in ids])


@app.task(name=JOB_TASK_NAME, Request=TaskRequest)  # type: ignore[untyped-decorator]
def do_jobs(ids: list[str]) -> Future[TaskOutcome]:
    """Does those of `ids` that can be claimed and have room here."""
    return job_loop().submit([uuid.UUID(id_) for id_ in ids])
