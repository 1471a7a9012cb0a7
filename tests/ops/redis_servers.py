"""Redis as operators run it: behind TLS, with a user that may do little, watched by Sentinels."""

import contextlib
import re
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import redis

from app.operations.embedded.ports import free_port
from deployment_parts import Certificates, debian_program

HOST = "127.0.0.1"
MASTER = "searchqa"
ADMIN, SENTINEL = "admin-password", "sentinel-password"
USER, PASSWORD = "searchqa", "p@ss/word"
LOGIN = "searchqa:p%40ss%2Fword"

_DOCUMENTED = re.compile(r"^user searchqa on >password (.+)$", re.MULTILINE)


def documented_rights() -> str:
    """What docs/deployment.md grants to SearchQA's user."""
    page = Path(__file__).parents[2] / "docs" / "deployment.md"
    found = _DOCUMENTED.search(page.read_text(encoding="utf-8"))
    return found[1]


class Server:
    """One redis-server, or a Sentinel, with TLS on its only port."""

    def __init__(self, folder: Path, name: str, tls: Certificates, *lines: str) -> None:
        """Starts it; skips the test where it is not installed."""
        self._folder, self._name = folder, name
        self._tls = tls
        self.port = free_port(HOST)
        folder.mkdir(parents=True, exist_ok=True)
        written = (
            *("port 0", f"tls-port {self.port}", f"bind {HOST}", f"dir {folder}"),
            *(f"tls-ca-cert-file {tls.ca}", f"tls-cert-file {tls.certificate}"),
            *(f"tls-key-file {tls.key}", "tls-replication yes"),
            *lines,
        )
        self._configuration = folder / f"{name}.conf"
        self._configuration.write_text("\n".join(written))
        self.start()

    def start(self) -> None:
        """Waits until it takes connections."""
        program = "redis-sentinel" if self._name.startswith("sentinel") else "redis-server"
        with (self._folder / f"{self._name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [debian_program(program, program), self._configuration], stdout=log, stderr=log
            )
        while not self._listens():
            assert self._process.poll() is None, (self._folder / f"{self._name}.log").read_text()

    def _listens(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port)):
                return True
        except OSError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.01)
            return False

    def client(self, password: str = ADMIN) -> redis.Redis:
        return redis.Redis(
            HOST,
            self.port,
            password=password,
            ssl=True,
            ssl_ca_certs=str(self._tls.ca),
            ssl_certfile=str(self._tls.certificate),
            ssl_keyfile=str(self._tls.key),
            decode_responses=True,
        )

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def data_server(folder: Path, name: str, tls: Certificates, *lines: str) -> Server:
    """With a password for its administrator and the user of SearchQA."""
    return Server(
        folder,
        name,
        tls,
        *('save ""', f"requirepass {ADMIN}", f"masterauth {ADMIN}"),
        f"user {USER} on >{PASSWORD} {documented_rights()}",
        *lines,
    )


class Group:
    """A primary, a replica, and three Sentinels of which two must agree."""

    def __init__(self, folder: Path, tls: Certificates) -> None:
        self.primary = data_server(folder, "primary", tls)
        self.replica = data_server(folder, "replica", tls, f"replicaof {HOST} {self.primary.port}")
        self.sentinels = [
            Server(
                folder,
                f"sentinel-{number}",
                tls,
                *(f"requirepass {SENTINEL}", f"sentinel sentinel-pass {SENTINEL}"),
                f"sentinel monitor {MASTER} {HOST} {self.primary.port} 2",
                f"sentinel auth-pass {MASTER} {ADMIN}",
                f"sentinel down-after-milliseconds {MASTER} 3000",
                f"sentinel failover-timeout {MASTER} 5000",
            )
            for number in range(3)
        ]
        nodes = ";".join(f"sentinels://{LOGIN}@localhost:{each.port}" for each in self.sentinels)
        self.url = f"{nodes}/0?master_name={MASTER}&sentinel_password={SENTINEL}&{tls.query}"

    def servers(self) -> Sequence[Server]:
        return (self.primary, self.replica, *self.sentinels)

    async def is_ready(self) -> bool:
        """Whether every Sentinel lists the replica and the others."""
        return all(self._lists_every_server(each) for each in self.sentinels)

    def _lists_every_server(self, sentinel: Server) -> bool:
        return _ask(
            sentinel,
            SENTINEL,
            lambda client: (
                len(client.sentinel_slaves(MASTER)) == 1
                and len(client.sentinel_sentinels(MASTER)) == 2
            ),
        )

    async def has_failed_over(self) -> bool:
        return _ask(self.replica, ADMIN, lambda client: client.role()[0] == "master")


def _ask(server: Server, password: str, question: Callable[[redis.Redis], bool]) -> bool:
    try:
        with server.client(password) as client:
            return question(client)
    except redis.RedisError:
        return False


@contextmanager
def killed_at_the_end(servers: Sequence[Server]) -> Iterator[None]:
    with ExitStack() as ended:
        for server in servers:
            ended.callback(server.kill)
        yield
