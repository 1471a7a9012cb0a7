"""How addresses of Redis are read, and what is shown of them."""

import os
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from app.operations.embedded import redis
from app.platform.broker import celery_settings
from app.platform.errors import SetupError
from app.platform.servers.redis_address import read_redis_address
from app.platform.servers.redis_client import async_pool, open_redis
from cases import TIMEOUT_SECONDS, for_each
from verdict_world import settings

SENTINELS = "sentinel://ann:p%40ss@one:26379;sentinel://ann:p%40ss@two/3?master_name=main"


@for_each(
    ("url", "kombu", "shown"),
    [
        ("redis://:secret@h:1/2", "redis://:secret@h:1/2", "redis://h:1/2"),
        ("redis://h", "redis://h:6379/0", "redis://h:6379/0"),
        ("rediss://ann:p%40ss@h/1", "rediss://ann:p%40ss@h:6379/1", "rediss://ann@h:6379/1"),
        ("redis://[::1]:1?db=4", "redis://[::1]:1/4", "redis://[::1]:1/4"),
        (
            "redis+socket:///run/r.sock?virtual_host=2",
            "redis+socket:///run/r.sock?virtual_host=2",
            "redis+socket:///run/r.sock/2",
        ),
        (
            "unix://:secret@/run/r.sock",
            "redis+socket://:secret@/run/r.sock?virtual_host=0",
            "unix:///run/r.sock/0",
        ),
        (
            SENTINELS,
            "sentinel://ann:p%40ss@one:26379/3;sentinel://ann:p%40ss@two:26379/3",
            "sentinel://ann@one:26379,two:26379/3",
        ),
    ],
)
def test_an_address_of_redis(url, kombu, shown):
    address = read_redis_address(url)
    assert address.kombu_url == kombu
    assert address.shown == shown
    assert "secret" not in repr(address)
    assert open_redis(url, seconds=1)
    assert async_pool(url)


@for_each(
    ("url", "message"),
    [
        ("localhost:6379", "begins with none of"),
        ("http://h", "begins with none of"),
        ("redis://h;redis://other", "only Sentinels"),
        ("redis://h/first", "the database is a number"),
        ("redis://:secret@", "a host is missing"),
        ("redis://h?ssl_ca_certs=/x", "it has no parameter ssl_ca_certs"),
        ("redis://h?max_connections=5", "it has no parameter max_connections"),
        ("rediss://h?ssl_ca_certs=/nowhere.pem", "there is no file /nowhere.pem"),
        ("rediss://h?ssl_cert_reqs=maybe", "ssl_cert_reqs is one of"),
        ("rediss://h?ssl_check_hostname=maybe", "ssl_check_hostname is one of"),
        ("redis://:sec/ret@h/0", "write redis://"),
    ],
)
def test_what_is_no_address_of_redis(url, message):
    with pytest.raises(SetupError, match="REDIS_URL is not a valid address") as caught:
        read_redis_address(url)
    assert message in str(caught.value)
    assert "sec" not in str(caught.value).replace("write redis", "")


def test_certificates_are_checked_unless_it_is_switched_off():
    """Celery itself checks none where its options name none."""
    given = celery_settings("rediss://h", settings(), fail_fast=True)
    assert given["broker_use_ssl"]["ssl_cert_reqs"] is ssl.CERT_REQUIRED
    assert given["broker_use_ssl"]["ssl_check_hostname"] is True
    off = celery_settings("rediss://h?ssl_cert_reqs=none", settings(), fail_fast=True)
    assert off["broker_use_ssl"]["ssl_cert_reqs"] is ssl.CERT_NONE
    assert celery_settings("redis://h", settings(), fail_fast=True)["broker_use_ssl"] is False


def test_sentinels_have_a_login_of_their_own():
    url = f"{SENTINELS}&sentinel_password=other"
    options = celery_settings(url, settings(), fail_fast=False)["broker_transport_options"]
    assert options["master_name"] == "main"
    assert options["sentinel_kwargs"]["password"] == "other"
    assert "username" not in options["sentinel_kwargs"]


@pytest.mark.parametrize("url", ["amqp://ann:secret@h:5672/qa", "amqps://h"])
async def test_an_address_of_rabbitmq_is_refused_in_one_sentence(url):
    with pytest.raises(SetupError, match=r"^BROKER_URL .* RabbitMQ no longer can; write redis://"):
        await redis.check(url, "BROKER_URL", "to send messages by REDIS_URL")
    with pytest.raises(SetupError, match="BROKER_URL is not a valid address") as caught:
        celery_settings(url, settings(broker_url=url), fail_fast=True)
    assert "secret" not in str(caught.value)


async def test_a_broker_that_is_not_reached_is_named_without_its_password():
    with pytest.raises(SetupError, match=r"Redis at redis://ann@127\.0\.0\.1:1/0") as caught:
        await redis.check("redis://ann:secret@127.0.0.1:1", "BROKER_URL", "to use REDIS_URL")
    assert "secret" not in str(caught.value)


def test_a_worker_without_redis_says_so_also_with_a_broker(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "worker", "-Q", "live"],
        env={**os.environ, "BROKER_URL": "redis://127.0.0.1:1", "DATABASE_URL": "postgresql://h/d"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("worker: Set REDIS_URL")


def celery(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("celery"), "-A", "worker", *arguments],
        env={**os.environ, **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )


def test_celerys_own_commands_find_the_application_and_name_what_it_lacks(tmp_path):
    ended = celery(tmp_path, "inspect", "active")
    assert ended.returncode == 1
    assert ended.stderr.startswith("worker: Set REDIS_URL")
    assert len(ended.stderr.splitlines()) == 1


def test_a_pool_that_cannot_run_the_tasks_is_refused_in_one_sentence(tmp_path):
    servers = {"REDIS_URL": "redis://127.0.0.1:1", "DATABASE_URL": "postgresql://h/d"}
    ended = celery(tmp_path, "worker", "-Q", "live", "-P", "threads", **servers)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("worker: Leave out -P")
    assert "Traceback" not in ended.stderr
