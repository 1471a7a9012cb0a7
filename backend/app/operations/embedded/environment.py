"""The environment of SearchQA's own processes."""

import os
from collections.abc import Mapping

from app.platform.settings import Settings

# Of vendors, and for whom else a secret of the environment is: Flower, the command line, compose.
_KEYS = frozenset({"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SEARCHQA_SERVER_KEYS"})
_OTHERS = frozenset({"SEARCHQA_FLOWER_BASIC_AUTH", "FLOWER_BASIC_AUTH", "SEARCHQA_TOKEN"})
_OF_COMPOSE = ("POSTGRES_", "REDIS_PASSWORD")


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """Nor are they read from a .env file."""
    kept = {name: value for name, value in environment.items() if name not in _KEYS}
    return kept | {"SEARCHQA_MODEL_KEYS": "false"}


def environment_of(settings: Settings) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in _OTHERS and not name.startswith(_OF_COMPOSE)
    }
    return {
        **inherited,
        "PYTHONUNBUFFERED": "1",
        "DATABASE_URL": settings.database.url or "",
        "DATABASE_DIRECT_URL": settings.database.direct_url or "",
        "DATABASE_READ_URL": settings.database.read_url or "",
        "REDIS_URL": settings.redis.url or "",
        "BROKER_URL": settings.redis.broker_url or "",
        "SEARCHQA_DATA_DIR": str(settings.stack.data_dir),
        "SEARCHQA_HOST": settings.api.host,
        "SEARCHQA_PORT": str(settings.api.port),
        "SEARCHQA_FLOWER_PORT": str(settings.flower.port),
        "SEARCHQA_AUTH": str(settings.api.auth).lower(),
        **(
            {"SEARCHQA_FORK_SERVER": str(settings.stack.fork_server)}
            if settings.stack.fork_server
            else {}
        ),
    }
