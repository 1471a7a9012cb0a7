"""The parts of Celery and kombu that are not theirs to keep: worker/redis_channel.py,
worker/consumer.py and worker/pool.py override or call them, so their versions are pinned."""

import inspect
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from celery.app.amqp import Queues
from celery.events import EventDispatcher
from celery.worker.consumer import Consumer
from kombu.transport import redis, virtual
from packaging.requirements import Requirement

# What the three modules were written against. Read what changed in the names below before raising
# it: tests/integration/test_redis_channel.py and tests/faults show what must still hold.
WRITTEN_AGAINST = {"celery": "5.7.0", "kombu": "5.7.0"}

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize("name", WRITTEN_AGAINST)
def test_the_pinned_and_the_installed_version_are_the_one_the_code_was_written_against(
    name: str,
) -> None:
    wanted = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
    (pin,) = [str(found.specifier) for found in map(Requirement, wanted) if found.name == name]
    assert pin == f"=={WRITTEN_AGAINST[name]}"
    assert version(name) == WRITTEN_AGAINST[name]


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (redis.QoS.append, "self message delivery_tag"),
        (redis.QoS.ack, "self delivery_tag"),
        (redis.QoS.restore_unacked_once, "self stderr"),
        (redis.QoS.pipe_or_acquire, "self pipe client"),
        (virtual.QoS.append, "self message delivery_tag"),
        (virtual.QoS.ack, "self delivery_tag"),
        (virtual.QoS.can_consume_max_estimate, "self"),
        (redis.Channel._connparams, "self asynchronous"),
        (redis.Channel._create_client, "self asynchronous"),
        (redis.Channel._brpop_read, "self options"),
        (redis.Channel.conn_or_acquire, "self client"),
        (virtual.Transport._deliver, "self message queue"),
        (Consumer.register_with_event_loop, "self hub"),
        (Consumer.on_connection_error_after_connected, "self exc"),
        (Consumer.on_send_event_buffered, "self"),
    ],
)
def test_what_is_overridden_or_called_takes_what_it_took(
    function: Callable[..., Any], parameters: str
) -> None:
    assert " ".join(inspect.signature(function).parameters) == parameters


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (redis.QoS, "unacked_key"),
        (redis.QoS, "unacked_index_key"),
        (redis.Channel, "pool"),
        (redis.Channel, "active_queues"),
        (redis.Channel, "_brpop_sent_at"),
        (virtual.Message, "_raw"),
        (EventDispatcher, "buffer_limit"),
        (Queues, "consume_from"),
    ],
)
def test_what_is_read_is_still_there(owner: type[Any], name: str) -> None:
    """As an attribute of the class, or one that its own code names."""
    assert hasattr(owner, name) or f"self.{name}" in inspect.getsource(owner)
