"""The Celery application of the workers. Its settings are measured; see docs/decisions."""

from celery import Celery

from app.platform.broker import celery_settings
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from worker.places import MAX_WAITING

settings = get_settings()
if not settings.redis.url or not settings.redis.message_url:
    raise SetupError(
        "Set REDIS_URL: it carries the messages unless BROKER_URL is set, and always holds the"
        " limits of models that all workers share. Or run `searchqa up`."
    )

app = Celery("searchqa", include=["worker.tasks", "worker.process"])
app.conf.update(
    celery_settings(settings.redis.message_url, settings, fail_fast=False),
    # No more is fetched than the pool holds: a message is gone from Redis then.
    worker_disable_prefetch=True,
    worker_prefetch_multiplier=1,
    # Messages whose ids are judged or wait for a place (see Admission) hold no thread.
    worker_concurrency=2 * settings.worker.max_in_flight + MAX_WAITING,
    task_time_limit=settings.judge.task_limit_seconds,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_send_task_events=True,
    worker_enable_remote_control=True,
    worker_pool="worker.pool:AsyncPool",
)
# By name: Flower imports this module, and needs no worker.
app.steps["consumer"].add("worker.consumer:ConsumerStep")
