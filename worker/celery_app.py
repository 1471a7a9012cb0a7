"""The Celery application of the workers. Its settings are measured; see docs/decisions."""

from celery import Celery
from kombu.entity import Queue as KombuQueue

from app.broker import Queue, transport_options
from app.errors import SetupError
from app.settings import get_settings
from worker import redis_channel
from worker.places import MAX_WAITING

redis_channel.use()
settings = get_settings()
if not settings.redis_url:
    raise SetupError("Set REDIS_URL to the Redis that carries the jobs, or run `searchqa up`.")

app = Celery(
    "searchqa", broker=settings.redis_url, include=["worker.tasks", "worker.process_setup"]
)
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    # Messages whose ids are judged or wait for a place (see Admission) hold no thread, and
    # there must be room for another one.
    worker_concurrency=2 * settings.max_in_flight + MAX_WAITING,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_time_limit=settings.task_time_limit,
    # Flower reads their names, and does not accept queues given as a dict.
    task_queues=[
        KombuQueue(queue.value, routing_key=queue.value)  # type: ignore[no-untyped-call]  # kombu's
        for queue in Queue
    ],
    task_create_missing_queues=False,
    task_default_queue=Queue.LIVE.value,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options=transport_options(settings),
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_send_task_events=True,
    worker_enable_remote_control=True,
    worker_consumer="worker.consumer:Consumer",
    worker_pool="worker.pool:AsyncPool",
)
