"""What cannot start says so in one sentence, before or while starting, and leaves nothing."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from app.operations.embedded import parts
from app.operations.embedded.data_dir import hold, running_stack
from app.operations.embedded.ports import free_port
from app.operations.embedded.stack import _without_password, stack
from app.operations.embedded.supervisor import Supervisor
from app.platform.errors import SetupError
from app.platform.settings import Settings


def options(data_dir: Path, **given: Any) -> Settings:
    ports = {"port": free_port("127.0.0.1"), "flower_port": free_port("127.0.0.1")}
    return Settings(data_dir=data_dir, **{**ports, **given})


async def refusal(options: Settings) -> str:
    with pytest.raises(SetupError) as caught:
        async with stack(options, lambda name, line: None):
            pytest.fail("it started")
    return str(caught.value)


async def test_a_second_stack_on_the_same_folder(tmp_path):
    with hold(tmp_path):
        assert f"(pid {os.getpid()})" in await refusal(options(tmp_path))


@pytest.mark.parametrize(("name", "option"), [("port", "--port"), ("flower_port", "--flower-port")])
async def test_a_port_in_use(tmp_path, name, option):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        message = await refusal(options(tmp_path, **{name: taken.getsockname()[1]}))
    assert option in message
    assert running_stack(tmp_path) is None


async def test_a_port_that_is_taken_while_the_api_starts(clean_database_url, redis_url):
    """Nothing listened there when the stack looked."""
    environment = {**os.environ, "DATABASE_URL": clean_database_url, "REDIS_URL": redis_url}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        supervisor = Supervisor(lambda name, line: None)
        with pytest.raises(SetupError) as caught:
            await supervisor.start([parts.api(Settings(port=port), environment)])
        await supervisor.stop()
    assert str(caught.value).startswith(f"Port {port} on 127.0.0.1 cannot be used")
    assert "SEARCHQA_PORT" in str(caught.value)


async def test_redis_that_is_not_there(tmp_path):
    url = f"redis://:hidden@127.0.0.1:{free_port('127.0.0.1')}/0"
    message = await refusal(options(tmp_path, redis_url=url))
    assert "REDIS_URL" in message
    assert "hidden" not in message


async def test_an_address_that_is_none(tmp_path):
    assert "REDIS_URL is not a valid address" in await refusal(
        options(tmp_path, redis_url="localhost:6379")
    )


async def test_postgresql_that_is_not_there(tmp_path, redis_url):
    url = f"postgresql://someone:hidden@127.0.0.1:{free_port('127.0.0.1')}/searchqa"
    message = await refusal(options(tmp_path, redis_url=redis_url, database_url=url))
    assert "DATABASE_URL" in message
    assert "hidden" not in message


async def test_no_auth_on_an_open_address(tmp_path):
    assert "--no-auth" in await refusal(options(tmp_path, auth=False, host="0.0.0.0"))


async def test_a_domain_pack_with_a_mistake(tmp_path):
    (tmp_path / "kitchen.yaml").write_text("name: kitchen\nlang: en\ntitle: Kitchen\ntag: []\n")
    pack = str(tmp_path / "kitchen.yaml")
    assert "kitchen.yaml, line 4, tag:" in await refusal(options(tmp_path, domain_pack=pack))


async def test_a_flower_login_without_a_password(tmp_path):
    assert "user:password" in await refusal(options(tmp_path, flower_basic_auth="admin"))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://:secret@127.0.0.1:6379/0", "redis://127.0.0.1:6379/0"),
        ("postgresql://me:secret@db:5432/searchqa", "postgresql://me@db:5432/searchqa"),
        ("postgresql://db/searchqa?user=me&password=secret", "postgresql://db/searchqa"),
        (
            "postgresql://searchqa@/searchqa?host=%2Frun",
            "postgresql://searchqa@/searchqa?host=%2Frun",
        ),
        ("postgresql://h/d?host=x&password=secret", "postgresql://h/d?host=x"),
    ],
)
def test_addresses_are_shown_without_passwords(url, shown):
    assert _without_password(url) == shown
