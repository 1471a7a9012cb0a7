"""The machine and the versions that figures belong to."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from bench_parts import Servers
from redis import Redis

from app.operations.embedded.postgres_programs import VERSION as POSTGRES

OURS = ("celery", "aiohttp", "psycopg", "sqlalchemy", "fastapi")


def describe(servers: Servers) -> dict[str, str]:
    """What stands under the tables: name and words."""
    with Redis.from_url(servers.redis_url) as client:
        valkey = client.info("server")["valkey_version"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "Processor": f"{_processor()}, {os.cpu_count()} cores",
        "Memory": f"{memory:.0f} GiB",
        "System": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "Servers": f"PostgreSQL {POSTGRES} with its defaults, Valkey {valkey}",
        "Libraries": ", ".join(f"{name} {version(name)}" for name in OURS),
    }


def load() -> float:
    """Programs that ran or wanted to in the last minute; near 0 on a machine that is fit to
    measure."""
    return os.getloadavg()[0]


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
