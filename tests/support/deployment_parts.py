"""What a deployment has beside SearchQA: Debian programs, certificates, PgBouncer, Helm values."""

import contextlib
import hashlib
import json
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
import yaml

from app.operations.embedded.ports import free_port
from cases import TIMEOUT_SECONDS
from postgres_server import account, make_folder

# Where Debian puts servers; not on the PATH of everybody.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def debian_program(name: str, package: str) -> str:
    """The path of a program. Skips the test where it is not installed."""
    if found := shutil.which(name, path=_PATH):
        return found
    pytest.skip(f"{name} is not installed: apt-get install {package}")


_NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Certificates:
    """One certificate serves as server's and as client's."""

    ca: Path
    certificate: Path
    key: Path

    @property
    def query(self) -> str:
        """The parameters of an address for a client that has to show a certificate."""
        return f"ssl_ca_certs={self.ca}&ssl_certfile={self.certificate}&ssl_keyfile={self.key}"


def make_certificates(folder: Path) -> Certificates:
    """For localhost and 127.0.0.1."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    names, ca_key = folder / "names", folder / "ca.key"
    names.write_text(_NAMES)
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl(
        *("req", "-x509", *new_key, "-subj", "/CN=test CA", "-days", "2"),
        *("-keyout", str(ca_key), "-out", str(made.ca)),
    )
    request = folder / "request"
    _openssl(
        *("req", *new_key, "-subj", "/CN=localhost"),
        *("-keyout", str(made.key), "-out", str(request)),
    )
    _openssl(
        *("x509", "-req", "-in", str(request), "-CA", str(made.ca), "-CAkey", str(ca_key)),
        *("-CAcreateserial", "-days", "2", "-extfile", str(names), "-out", str(made.certificate)),
    )
    return made


def _openssl(*arguments: str) -> None:
    subprocess.run(
        [debian_program("openssl", "openssl"), *arguments], check=True, capture_output=True
    )


_HOST = "127.0.0.1"


class PgBouncer:
    """In front of one database, whose administrator it lets in as whoever asks.

    sessions: of PostgreSQL, at most. url: of the database through it.
    """

    def __init__(self, folder: Path, database_url: str, *, sessions: int) -> None:
        self._program = debian_program("pgbouncer", "pgbouncer")
        address = urlsplit(database_url)
        self._folder, self._port = folder, free_port(_HOST)
        name = address.path.removeprefix("/")
        self.url = f"postgresql://postgres@{_HOST}:{self._port}/{name}"
        make_folder(folder)
        (folder / "pgbouncer.ini").write_text(
            "[databases]\n"
            f"{name} = host={parse_qs(address.query)['host'][0]} dbname={name} user=postgres\n"
            "[pgbouncer]\n"
            f"listen_addr = {_HOST}\nlisten_port = {self._port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = transaction\ndefault_pool_size = {sessions}\n"
            "max_client_conn = 500\nignore_startup_parameters = options,extra_float_digits\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once statements go through it."""
        command = [self._program, "-q", str(self._folder / "pgbouncer.ini")]
        user = account()
        groups = [] if user else None
        self._process = subprocess.Popen(
            command, user=user, group=user, extra_groups=groups, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._answers():
            assert self._process.poll() is None, "PgBouncer ended"
            assert time.monotonic() < deadline, "PgBouncer does not answer"

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self.url, connect_timeout=2) as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.OperationalError:
            return False

    def kill(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextlib.contextmanager
def pgbouncer(folder: Path, database_url: str, *, sessions: int) -> Iterator[PgBouncer]:
    """Skips the test where it is not installed."""
    server = PgBouncer(folder, database_url, sessions=sessions)
    server.start()
    try:
        yield server
    finally:
        server.kill()


ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "helm" / "searchqa"
RENDERED = ROOT / "tests" / "data" / "helm"
DIGEST = RENDERED / "chart.sha256"

PASSWORD = "not-for-arguments"
_URL = f"postgresql://searchqa:{PASSWORD}@db/searchqa"
_SCALED = {"autoscaling": {"enabled": True}}
_PEER = [{"ipBlock": {"cidr": "10.0.0.0/8"}}]

# As few values as there may be, and everything that can be switched on.
VALUES: dict[str, dict[str, Any]] = {
    "least": {"secrets": {"existing": "searchqa-secrets"}},
    "everything": {
        "image": {"pullSecrets": [{"name": "registry"}]},
        "secrets": {
            "create": {
                "OWNER_DATABASE_URL": _URL,
                "API_DATABASE_URL": _URL,
                "WORKER_DATABASE_URL": _URL,
                "REDIS_URL": f"rediss://:{PASSWORD}@redis:6379/0",
                "BROKER_URL": f"rediss://:{PASSWORD}@messages:6379/0",
                "API_DIRECT_DATABASE_URL": _URL,
                "API_READ_DATABASE_URL": _URL,
                "KEDA_DATABASE_URL": f"{_URL}?default_query_exec_mode=exec",
                "OPENAI_API_KEY": PASSWORD,
                "ANTHROPIC_API_KEY": PASSWORD,
                "FLOWER_BASIC_AUTH": f"operator:{PASSWORD}",
            }
        },
        "settings": {"JUDGE_MODEL": "openai:gpt-4o-mini", "MAX_IN_FLIGHT": 512},
        "env": {"OPENAI_BASE_URL": "https://models.example.com/v1"},
        "api": {**_SCALED, "service": {"annotations": {"example.com/a": "b"}}},
        "workers": {"live": _SCALED, "bulk": _SCALED},
        "keda": {"databaseKey": "KEDA_DATABASE_URL"},
        "flower": {"enabled": True},
        "metrics": {"enabled": True, "podMonitor": True},
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "searchqa-tls"},
        "networkPolicy": {
            **dict.fromkeys(("apiFrom", "metricsFrom", "databaseTo", "redisTo", "outsideTo"), _PEER)
        },
        "podAnnotations": {"example.com/team": "notes"},
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    },
}


def chart_digest() -> str:
    """Of all that Helm renders from: a changed chart or value asks to be rendered again."""
    digest = hashlib.sha256(json.dumps(VALUES, sort_keys=True).encode())
    for path in sorted(path for path in CHART.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(CHART)).encode() + path.read_bytes())
    return digest.hexdigest()


def rendered(name: str) -> list[dict[str, Any]]:
    """The manifests that are kept for these values."""
    documents = yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text(encoding="utf-8"))
    return [document for document in documents if document]
