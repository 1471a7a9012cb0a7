"""What API, dispatcher and worker agree on about the message broker."""

import enum
from typing import Any

from app.settings import Settings

TASK_NAME = "searchqa.judge"


class Queue(enum.StrEnum):
    """`live`: fresh answers. `bulk`: runs and backfill. `isolated`: rows that killed a worker."""

    LIVE = "live"
    BULK = "bulk"
    ISOLATED = "isolated"


def transport_options(settings: Settings) -> dict[str, Any]:
    """Kombu's Redis options, measured: with the default sweep a message of a killed worker came
    back after 90 s, with these after 10 s; with the default ten connections acknowledgements
    fail under load."""
    return {
        "visibility_timeout": settings.visibility_timeout,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "max_connections": 300,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
