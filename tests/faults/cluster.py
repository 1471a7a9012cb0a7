"""SearchQA on hosts of its own: two with an API and a dispatcher each, two with workers, one each
for PostgreSQL, Redis, the judge and a load balancer."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import redis
from harness import Stack, open_stack
from hosts import HOSTS_NETWORK, Host, Network
from victims import Postgres, Process, Redis

from app.operations.embedded import parts
from app.operations.embedded.process import Program
from app.operations.embedded.redis import find_executable
from app.operations.embedded.supervisor import Part
from cases import eventually
from judge_replies import good_reply
from postgres_server import copy_into
from stub_server import answer

BALANCER = Path(__file__).parents[2] / "deploy" / "haproxy" / "haproxy.cfg"
API_PORT, POSTGRES_PORT, REDIS_PORT = 8765, 5432, 6379
APIS, WORKERS = ("api1", "api2"), ("work1", "work2")


class DistantPostgres(Postgres):
    """Tests reach it by its unix socket, hosts by the network."""

    def __init__(self, folder: Path, run_folder: Path, host: Host) -> None:
        copy_into(folder, run_folder)
        super().__init__(folder)
        self._host = host
        with (folder / "postgres" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {HOSTS_NETWORK} trust\n")

    def part(self) -> Part:
        part = super().part()
        program = part.program
        # Who enters a namespace has to be root, which PostgreSQL refuses to be.
        as_user = ("setpriv", "--reuid", program.user or "", "--regid", program.user or "")
        command = (*as_user, "--clear-groups", *program.command)
        command = (*command, "-c", f"listen_addresses={self._host.address}")
        return self._host.run(replace(part, program=replace(program, command=command, user=None)))


class DistantRedis(Redis):
    """The same."""

    def __init__(self, folder: Path, host: Host) -> None:
        self._host = host
        super().__init__(folder)

    def start(self) -> None:
        path = self._folder / "redis.sock"
        command = [
            *(*self._host.command, find_executable(), "--bind", self._host.address),
            *("--port", str(REDIS_PORT), "--protected-mode", "no", "--unixsocket", str(path)),
            *("--save", "", "--appendonly", "no", "--dir", str(self._folder)),
        ]
        self._running = ExitStack()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self._running.callback(process.wait, 5)
        self._running.callback(process.terminate)
        self._pid = process.pid
        self.url = f"redis+socket://{path}"
        self.client = self._running.enter_context(redis.Redis(unix_socket_path=str(path)))

    async def answers(self) -> bool:
        with suppress(redis.ConnectionError):
            return bool(self.client.ping())
        return False


class Cluster:
    """door: the balancer's unix socket, at which clients on this machine stand."""

    def __init__(
        self, folder: Path, stack: Stack, network: Network, postgres: Postgres, broker: DistantRedis
    ) -> None:
        self.stack, self.postgres, self.redis = stack, postgres, broker
        self.network, self.hosts = network, network.hosts
        self.on: dict[str, list[Process]] = {}
        self.door = str(folder / "door.sock")
        self._stats = str(folder / "stats.sock")
        self._folder = folder

    async def start(self) -> None:
        await self.network.serve_judge(self.stack, self.hosts["judge"])
        await eventually(self.redis.answers)
        starting = [self.start_host(name) for name in (*APIS, *WORKERS)]
        await asyncio.gather(*starting)
        self._start_balancer()
        await eventually(self.all_up)

    async def start_host(self, name: str) -> None:
        """What belongs on it, ready."""
        host, stack = self.hosts[name], self.stack
        if name in APIS:
            dispatcher = host.runs(parts.dispatcher)
            api, dispatchers = await asyncio.gather(
                stack.start_api(API_PORT, host=host.address, api=host.runs(parts.api)),
                stack.start(workers=0, dispatcher=dispatcher),
            )
            self.on[name] = [api, *dispatchers]
        else:
            worker = host.runs(parts.worker)
            self.on[name] = await stack.start(dispatchers=0, worker=worker)

    def _start_balancer(self) -> None:
        more = self._folder / "stats.cfg"
        more.write_text(f"global\n  stats socket {self._stats}\n")
        command = ("haproxy", "-db", "-f", str(BALANCER), "-f", str(more))
        apis = {
            f"SEARCHQA_API_{number}": f"{self.hosts[name].address}:{API_PORT}"
            for number, name in enumerate(APIS, 1)
        }
        environment = {**os.environ, "SEARCHQA_BIND": f"unix@{self.door}", **apis}
        balancer = Part("balancer", Program(command, environment))
        self._balancer = self.stack.spawn(self.hosts["edge"].run(balancer))

    def up(self) -> set[str]:
        """The APIs to which the balancer sends requests."""
        with socket.socket(socket.AF_UNIX) as asking:
            try:
                asking.connect(self._stats)
            except OSError:
                return set()
            asking.sendall(b"show stat\n")
            rows = [line.split(",") for line in asking.makefile()]
        return {row[1] for row in rows if len(row) > 17 and row[1] in APIS and row[17] == "UP"}

    async def all_up(self) -> bool:
        assert self._balancer.alive, self._balancer.log
        return self.up() == set(APIS)

    async def judges_at(self, name: str) -> None:
        """Returns when the judge is asked by a worker of this host once more."""
        (worker,) = self.on[name]
        judge = self.stack.judge
        before = judge.count

        async def worker_called() -> bool:
            new = list(judge.requests)[before - judge.count :] if judge.count > before else []
            return any(each.headers["authorization"].endswith(worker.name) for each in new)

        await eventually(worker_called)

    def lose(self, name: str) -> None:
        """The host is gone for good."""
        self.hosts[name].cut()
        for process in self.on.pop(name):
            process.kill()


@asynccontextmanager
async def open_cluster(folder: Path, run_folder: Path, **changes: object) -> AsyncIterator[Cluster]:
    """A judge that takes 0.8 s, and everything else running."""
    if shutil.which("haproxy") is None:
        pytest.skip("the balancer is HAProxy, which is not installed here (Debian: haproxy)")
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("network namespaces need root on Linux")
    async with AsyncExitStack() as opened:
        network = Network(opened, *APIS, *WORKERS, "db", "redis", "judge", "edge")
        db, broker = network.hosts["db"], network.hosts["redis"]
        network.addresses |= {
            "DATABASE_URL": f"postgresql://searchqa@{db.address}:{POSTGRES_PORT}/searchqa",
            "REDIS_URL": f"redis://{broker.address}:{REDIS_PORT}/0",
        }
        data = folder.with_name(f"{folder.name}-pg")
        postgres = await asyncio.to_thread(DistantPostgres, data, run_folder, db)
        await opened.enter_async_context(postgres.running())
        changes |= {"trusted_proxies": network.hosts["edge"].address}
        stack = await opened.enter_async_context(
            open_stack(folder, postgres.url, redis=partial(DistantRedis, host=broker), **changes)
        )
        stack.judge.default = answer(good_reply, latency=0.8)
        cluster = Cluster(folder, stack, network, postgres, stack.redis)
        await cluster.start()
        yield cluster
