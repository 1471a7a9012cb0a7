"""A RabbitMQ of Debian's package as a node of its own: its ports, its data and its epmd."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from amqp.exceptions import AMQPError
from kombu import Connection

from app.operations.embedded.ports import free_port
from app.platform.broker import Queue, queues
from debian import debian_program
from own_ca import make_certificates

_HOST = "127.0.0.1"
USER, PASSWORD = "searchqa", "p@ss/word"
_LOGIN = "searchqa:p%40ss%2Fword"
_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_START_SECONDS = 120
_ERLANG = "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}"
_CONFIGURATION = """
listeners.tcp.1 = {host}:{port}
listeners.ssl.1 = {host}:{tls_port}
ssl_options.cacertfile = {tls.ca}
ssl_options.certfile = {tls.certificate}
ssl_options.keyfile = {tls.key}
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = true
default_user = {user}
default_pass = {password}
log.console = true
log.console.level = warning
log.file = false
"""


class RabbitMQ:
    """Keeps its ports and its messages through its deaths."""

    name = "RabbitMQ"

    def __init__(self, folder: Path) -> None:
        """Starts it; skips the test where it is not installed. Its own script, which Debian
        wraps, does not change the user."""
        debian_program("rabbitmq-server", "rabbitmq-server")
        folder.mkdir()
        self._folder = folder
        self._port, tls_port, *others = (free_port(_HOST) for _ in range(4))
        self.url = f"amqp://{_LOGIN}@{_HOST}:{self._port}/"
        certificates = make_certificates(folder / "tls")
        self.tls_url = f"amqps://{_LOGIN}@localhost:{tls_port}/?{certificates.query}"
        (folder / "plugins").write_text("[].\n")
        (folder / "rabbitmq.conf").write_text(
            _CONFIGURATION.format(
                host=_HOST, port=self._port, tls_port=tls_port, tls=certificates,
                user=USER, password=PASSWORD,
            )
        )  # fmt: skip
        self._environment = self._surroundings(*others)
        command = [debian_program("epmd", "erlang-base"), "-address", _HOST]
        self._epmd = subprocess.Popen(command, env=self._environment)
        self.start()

    def _surroundings(self, epmd_port: int, distribution_port: int) -> dict[str, str]:
        return {
            **os.environ,
            "HOME": str(self._folder),
            "ERL_EPMD_ADDRESS": _HOST,
            "ERL_EPMD_PORT": str(epmd_port),
            "RABBITMQ_NODENAME": "searchqa@localhost",
            "RABBITMQ_DIST_PORT": str(distribution_port),
            "RABBITMQ_MNESIA_BASE": str(self._folder / "data"),
            "RABBITMQ_LOG_BASE": str(self._folder / "logs"),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_CONFIG_FILE": str(self._folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": _ERLANG,
        }

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [_SERVER],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            log_text = (self._folder / "log").read_text()
            assert self._server.poll() is None, log_text
            assert time.monotonic() < deadline, log_text
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._server.wait(0.1)

    def _answers(self) -> bool:
        try:
            with Connection(self.url, connect_timeout=5) as connection:
                connection.connect()
        except (OSError, AMQPError):
            return False
        return True

    def count(self, queue: str) -> int:
        """Messages that no worker has fetched."""
        return self._each([queue])[0]

    def consumers(self, queue: str) -> int:
        """Workers to which it delivers."""
        with Connection(self.url, connect_timeout=5) as connection:
            declared = connection.default_channel.queue_declare(queue, passive=True)
            return int(declared.consumer_count)

    def flush(self) -> None:
        """Loses all messages that no worker has fetched."""
        self._each([queue.value for queue in Queue], purge=True)

    def _each(self, names: list[str], *, purge: bool = False) -> list[int]:
        counts = []
        with Connection(self.url, connect_timeout=5) as connection:
            for queue in queues(self.url):
                if queue.name in names:
                    declared = queue(connection.default_channel)
                    declared.declare()
                    counts.append(
                        declared.purge()
                        if purge
                        else connection.default_channel.queue_declare(
                            queue.name, passive=True
                        ).message_count
                    )
        return counts

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        self._server.wait()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        os.killpg(self._server.pid, number)

    def close(self) -> None:
        if self._server.poll() is None:
            self.kill()
        self._epmd.terminate()
        self._epmd.wait(10)
