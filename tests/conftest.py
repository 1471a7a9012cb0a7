"""What every test gets: no network but loopback, no settings from outside, one run folder."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
import pytest_socket

import servers

RUN_FOLDER = pytest.StashKey[Path]()
_OUTSIDE_SETTINGS = (
    "SEARCHQA_",
    "DATABASE_URL",
    "REDIS_URL",
    "OPENAI_",
    "ANTHROPIC_",
    "OLLAMA_",
    "CELERY_",
)


def pytest_configure(config: pytest.Config) -> None:
    for name in [name for name in os.environ if name.startswith(_OUTSIDE_SETTINGS)]:
        del os.environ[name]
    workerinput = getattr(config, "workerinput", None)
    if workerinput is None:
        # Short, because the path of a unix socket may have 107 characters only.
        config.stash[RUN_FOLDER] = Path(tempfile.mkdtemp(prefix="sqa-"))
    else:
        config.stash[RUN_FOLDER] = Path(workerinput["run_folder"])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Called by pytest-xdist for each worker: all share the folder of the controller."""
    node.workerinput["run_folder"] = str(node.config.stash[RUN_FOLDER])  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or RUN_FOLDER not in config.stash:
        return
    folder = config.stash[RUN_FOLDER]
    servers.stop_postgres(folder)
    shutil.rmtree(folder, ignore_errors=True)


def pytest_runtest_setup() -> None:
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def run_folder(request: pytest.FixtureRequest) -> Path:
    """A folder of this run, shared by all workers and removed at its end."""
    return request.config.stash[RUN_FOLDER]
