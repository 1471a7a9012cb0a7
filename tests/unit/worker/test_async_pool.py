"""Celery's pool of tasks that hold no thread, with Celery's own requests over it."""

import json
import signal
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from celery import Celery
from celery.concurrency import get_implementation
from celery.concurrency.base import BasePool
from celery.worker.request import Request, create_request_cls
from kombu.asynchronous import Hub
from kombu.message import Message

from worker import consumer
from worker.batched_lifecycle import PAUSED
from worker.loop_thread import TaskOutcome, TaskState
from worker.pool import AsyncPool, TaskRequest

TASK = "test.wait"


class Events:
    """What Flower would hear."""

    enabled = True

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []

    def send(self, kind: str, **fields: Any) -> None:
        self.sent.append((kind, fields))

    def events_of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [fields for sent, fields in self.sent if sent == kind]


class Worker:
    """A task that waits for the test, its pool, and what it reported to Celery."""

    def __init__(self) -> None:
        self.app = Celery("test", set_as_current=False)
        self.app.conf.update(task_ignore_result=True)
        self.futures: list[Future[TaskOutcome]] = []
        self.events = Events()
        self.acknowledged: list[str] = []

        @self.app.task(name=TASK, shared=False)
        def wait(ids: list[str]) -> Future[TaskOutcome]:
            self.futures.append(future := Future())
            return future

        self.pool = AsyncPool(8, app=self.app)
        self.pool.start()
        self.hub = Hub()
        self.pool.register_with_event_loop(self.hub)
        task = self.app.tasks[TASK]
        self._request = create_request_cls(TaskRequest, task, self.pool, "host", self.events)

    def receive(self, *ids: str) -> str:
        task_id = uuid.uuid4().hex
        message = Message(
            json.dumps([[list(ids)], {}, {}]),
            headers={"id": task_id, "task": TASK},
            content_type="application/json",
            content_encoding="utf-8",
        )
        request = self._request(
            message,
            app=self.app,
            eventer=self.events,
            task=self.app.tasks[TASK],
            on_ack=lambda *_: self.acknowledged.append(task_id),
        )
        request.execute_using_pool(self.pool)
        return task_id

    def tick(self) -> None:
        """One round of Celery's loop."""
        for ready in self.hub._pop_ready():
            ready()


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.hub.close()


def test_celery_has_what_the_pool_is_made_of():
    """Of the installed version: a change here is to be looked at before it is used."""
    assert issubclass(get_implementation("worker.pool:AsyncPool"), BasePool)
    for hook in ("on_apply", "on_stop", "register_with_event_loop", "_get_info", "num_processes"):
        assert hasattr(BasePool, hook)
    assert BasePool.signal_safe is True
    for callback in ("on_accepted", "on_success", "on_failure"):
        assert callable(getattr(Request, callback))


def test_what_waits_holds_no_thread(worker):
    before = threading.active_count()
    for number in range(500):
        worker.receive(str(number))
    assert len(worker.futures) == 500
    assert threading.active_count() == before
    assert len(worker.events.events_of_kind("task-started")) == 500
    assert worker.pool.info["in-hand"] == 500


def test_the_end_of_a_task_is_reported_by_celerys_own_thread(worker):
    first, second = worker.receive("1"), worker.receive("2")
    assert worker.acknowledged == [first, second], "nothing redelivers them but PostgreSQL"
    ending = threading.Thread(target=worker.futures[1].set_result, args=[TaskOutcome("1 judged")])
    ending.start()
    ending.join()
    assert worker.events.events_of_kind("task-succeeded") == [], "not by the thread that ended it"
    worker.tick()

    (done,) = worker.events.events_of_kind("task-succeeded")
    assert (done["uuid"], done["result"]) == (second, "1 judged")
    assert done["runtime"] > 0


def test_a_worker_without_work_ends_as_if_asked_to(worker, monkeypatch):
    stopped: list[int] = []
    monkeypatch.setattr(consumer.os, "kill", lambda pid, number: stopped.append(number))
    worker.receive("1")
    consumer.end_if_idle(worker.pool, 1e-9)
    assert stopped == [], "it holds a message"

    worker.futures[0].set_result(TaskOutcome("1 judged"))
    worker.tick()
    consumer.end_if_idle(worker.pool, 60)
    assert stopped == [], "it has just judged"
    consumer.end_if_idle(worker.pool, 1e-9)
    assert stopped == [signal.SIGTERM]


def test_no_message_is_fetched_while_postgresql_is_unreachable(worker):
    assert worker.pool.num_processes == 8
    PAUSED.set()
    try:
        assert worker.pool.num_processes == 0
    finally:
        PAUSED.clear()


def test_a_judge_that_failed_is_a_retried_or_a_failed_task(worker, caplog):
    again, given_up = worker.receive("1"), worker.receive("2")
    worker.futures[0].set_result(TaskOutcome("1 to be tried again: timeout", TaskState.RETRY, 3))
    worker.futures[1].set_result(TaskOutcome("1 failed: no reply", TaskState.FAILURE))
    worker.tick()

    (retried,) = worker.events.events_of_kind("task-retried")
    assert (retried["uuid"], retried["exception"], retried["retries"]) == (
        again,
        "1 to be tried again: timeout",
        3,
    )
    (failed,) = worker.events.events_of_kind("task-failed")
    assert (failed["uuid"], failed["exception"]) == (given_up, "1 failed: no reply")
    assert worker.events.events_of_kind("task-succeeded") == []
    assert caplog.records == [], "the judge loop has logged it"


def test_the_run_time_is_that_of_the_work(worker, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("worker.pool.monotonic", lambda: now[0])
    worker.receive("1")
    now[0] += 42
    worker.futures[0].set_result(TaskOutcome("1 judged"))
    now[0] += 7  # Celery's loop is busy with something else
    worker.tick()
    assert worker.events.events_of_kind("task-succeeded")[0]["runtime"] == 42


def test_an_error_is_a_failed_task(worker):
    worker.receive("1")
    worker.futures[0].set_exception(RuntimeError("PostgreSQL stays away"))
    worker.tick()
    (failed,) = worker.events.events_of_kind("task-failed")
    assert "PostgreSQL stays away" in failed["exception"]


def test_an_error_that_many_share_does_not_grow(worker, caplog):
    """As that of a statement for all of them, which PostgreSQL did not take."""
    for number in range(50):
        worker.receive(str(number))
    error = RuntimeError("PostgreSQL stays away")
    for future in worker.futures:
        future.set_exception(error)
    worker.tick()
    first, *_, last = (record.exc_text or "" for record in caplog.records)
    assert first
    assert len(last) <= len(first)


def test_stopping_waits_for_what_is_in_hand(worker):
    ids = [worker.receive("1"), worker.receive("2")]
    ends = [
        threading.Timer(0.01 * number, future.set_result, [TaskOutcome("1 judged")])
        for number, future in enumerate(worker.futures, 1)
    ]
    for end in ends:
        end.start()
    worker.pool.stop()
    assert {done["uuid"] for done in worker.events.events_of_kind("task-succeeded")} == set(ids)
    assert worker.pool.info["in-hand"] == 0
