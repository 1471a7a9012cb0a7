"""Every user of Redis finds the primary by Sentinel; tests/ops has the failover."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from limits import RateLimitItemPerMinute

from app.ai_router.limits.states import LimitStates
from app.api.rate_limits import RateCounter
from app.operations.embedded.ports import free_port
from app.operations.embedded.redis import can_connect, find_executable
from app.platform.broker import Publisher, Queue
from app.platform.servers.redis_client import open_redis
from app.platform.setting_types import ModelLimit
from cases import TIMEOUT_SECONDS, eventually
from verdict_world import settings

HOST = "127.0.0.1"
MODEL = "openai:stub"


@pytest.fixture
def sentinel_url(redis_url: str, tmp_path: Path) -> Iterator[str]:
    """One Sentinel that watches this worker's Redis."""
    port = free_port(HOST)
    configuration = tmp_path / "sentinel.conf"
    configuration.write_text(
        f"port {port}\nbind {HOST}\ndir {tmp_path}\n"
        f"sentinel monitor main {HOST} {urlsplit(redis_url).port} 1\n"
    )
    command = [find_executable(), configuration, "--sentinel"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    with closing(redis.Redis(HOST, port)) as client:
        while not listens(client):
            assert process.poll() is None
    yield f"sentinel://{HOST}:{port}/0?master_name=main"
    process.terminate()
    process.wait(TIMEOUT_SECONDS)


def listens(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


async def test_clients_messages_and_counts(sentinel_url, redis_url):
    with closing(Publisher(sentinel_url, settings())) as publisher:
        publisher.publish(Queue.LIVE, [])
        assert publisher.waiting(Queue.LIVE) == 1
    with redis.Redis.from_url(redis_url) as direct, open_redis(sentinel_url, seconds=2) as found:
        assert direct.llen("live") == found.llen("live") == 1

    counter = RateCounter(sentinel_url)

    async def is_over() -> bool:
        return await counter.hit(RateLimitItemPerMinute(1), "somebody") is not None

    # On a busy machine the first request does not wait until Redis is found.
    await eventually(is_over)
    await counter.aclose()

    states = LimitStates({MODEL: ModelLimit(600)}, sentinel_url)
    (state,) = await states.read()
    assert state.allowance == 1, "Redis was asked"
    await states.aclose()

    assert await can_connect(sentinel_url)
    assert not await can_connect(sentinel_url.replace("main", "other"))
