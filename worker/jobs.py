"""Which jobs there are, and the loop that does them in this process."""

from functools import lru_cache
from threading import Lock

from celery import signals

from app.benches.job import judge_bench_part
from app.benches.service import JUDGE_BENCH
from app.broker import Publisher, Queue
from app.datasets.generate_job import GENERATE_DATASET, generate_dataset
from app.errors import SetupError
from app.jobs.job import JobHandler
from app.refine.job import refine
from app.rejudging.job import rejudge
from app.rejudging.service import REJUDGE_JOB
from app.runs.job import evaluate_cases
from app.runs.service import EVALUATE_CASES
from app.search.embedding import embed_notes
from app.search.embedding_queries import EMBED_JOB
from app.settings import get_settings
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.lifecycle.queries import REFINE_JOB
from worker.celery_app import app
from worker.job_loop import JobLoop

# A job of another kind waits for a process with its handler, as during an upgrade.
HANDLERS: dict[str, JobHandler] = {
    REFINE_JOB: refine,
    EMBED_JOB: embed_notes,
    EVALUATE_CASES: evaluate_cases,
    GENERATE_DATASET: generate_dataset,
    REJUDGE_JOB: rejudge,
    JUDGE_BENCH: judge_bench_part,
}

_starting = Lock()


@lru_cache(maxsize=1)
def _background_publisher() -> BackgroundPublisher:
    settings = get_settings()
    assert settings.redis_url, "the Celery application has asked for it"
    background_publisher = BackgroundPublisher(
        Publisher(settings.redis_url, settings), batch=settings.dispatch_batch
    )
    background_publisher.start()
    return background_publisher


@lru_cache(maxsize=1)
def _job_loop() -> JobLoop:
    settings = get_settings()
    if not settings.database_url:
        raise SetupError("Set DATABASE_URL to the PostgreSQL of SearchQA, or run `searchqa up`.")
    alone = Queue.BULK not in app.amqp.queues.consume_from
    loop = JobLoop(
        settings, settings.database_url, HANDLERS, _background_publisher().publish, alone=alone
    )
    loop.start()
    return loop


def job_loop() -> JobLoop:
    """This process's loop for jobs, started by whichever thread comes first."""
    with _starting:
        return _job_loop()


@signals.worker_shutting_down.connect  # type: ignore[untyped-decorator]  # celery ships no types
def _begin_stop(**_: object) -> None:
    """Gives the jobs of this process back."""
    if _job_loop.cache_info().currsize:
        _job_loop().begin_stop()


@signals.worker_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: object) -> None:
    if _job_loop.cache_info().currsize:
        _job_loop().close()
        _background_publisher().stop()
