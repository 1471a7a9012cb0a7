"""The loops of this process. Each is started by its first caller and stopped with the worker."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from celery import signals

from app.platform.errors import SetupError
from app.platform.settings import Settings, get_settings
from worker.celery_app import app
from worker.judge_loop import JudgeLoop
from worker.loop_thread import IdLoop, LoopThread

Queues = frozenset[str]
Loop = TypeVar("Loop", bound=LoopThread)


class ProcessLoop(Generic[Loop]):
    """One loop, made when it is first called for. Celery's warm shutdown waits for what the pool
    has in hand, and how long that takes is up to the loop."""

    def __init__(self, make: Callable[[Settings, str, Queues], Loop]) -> None:
        self._make = make
        self._starting = Lock()
        self._loop: Loop | None = None
        signals.worker_shutting_down.connect(self._begin_stop)
        signals.worker_shutdown.connect(self._close)

    def __call__(self) -> Loop:
        with self._starting:
            if self._loop is None:
                settings = get_settings()
                if not settings.database.url:
                    raise SetupError(
                        "Set DATABASE_URL to the PostgreSQL of SearchQA, or run `searchqa up`."
                    )
                loop = self._make(settings, settings.database.url, consumed_queues())
                loop.start()
                self._loop = loop
            return self._loop

    def _begin_stop(self, **_: object) -> None:
        if self._loop:
            self._loop.begin_stop(get_settings().worker.stop_grace_seconds)

    def _close(self, **_: object) -> None:
        if self._loop:
            self._loop.close()


def consumed_queues() -> Queues:
    """The queues that this process serves."""
    return frozenset(app.amqp.queues.consume_from)


def _make_job_loop(settings: Settings, database_url: str, queues: Queues) -> IdLoop:
    # Jobs bring statistics, importers and SQLAlchemy with them: half of what a worker imports,
    # and one for fresh answers does none.
    from worker.jobs import make_job_loop

    return make_job_loop(settings, database_url, queues)


def _make_webhook_loop(settings: Settings, database_url: str, _: Queues) -> LoopThread:
    from worker.webhook_loop import WebhookLoop

    return WebhookLoop(settings, database_url)


judge_loop = ProcessLoop(lambda *given: JudgeLoop(*given))
job_loop = ProcessLoop(_make_job_loop)
webhook_loop = ProcessLoop(_make_webhook_loop)
