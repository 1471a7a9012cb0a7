"""Ours and the peers in turn, several rounds, on the same answer and the same judge."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import peers
from bench_parts import Servers, Stub
from figures import Figures
from ours import judging

from app.platform.db.session import Sessions

# Calls in flight that everybody may have. Ours holds a thread for each message of one id.
IN_FLIGHT = 256
BATCHED, ONE_BY_ONE = "ours, in batches", "ours, one by one"


@dataclass(frozen=True)
class Case:
    """A judge that answers after `latency` seconds, and how many answers each has to judge."""

    latency: float
    ours: int
    ours_one_by_one: int
    peers: int

    @property
    def name(self) -> str:
        return f"{self.latency * 1000:g} ms"


Results = Mapping[str, Mapping[str, Sequence[Figures]]]


class Rounds:
    """results: of each case, and in it of each contender, the figures of its rounds."""

    def __init__(self, servers: Servers, stub: Stub, sessions: Sessions) -> None:
        self._servers = servers
        self._stub = stub
        self._sessions = sessions
        self.versions: dict[str, str] = {}
        self._results: dict[str, dict[str, list[Figures]]] = defaultdict(lambda: defaultdict(list))

    @property
    def results(self) -> Results:
        return self._results

    async def run(self, cases: Sequence[Case], rounds: int, contenders: Sequence[str]) -> None:
        """contenders: the peers that take part."""
        for number in range(1, rounds + 1):
            print(f"Round {number} of {rounds}: ours", flush=True)
            await self._ours(cases)
            for name in contenders:
                print(f"Round {number} of {rounds}: {name}", flush=True)
                await self._peer(name, cases)

    async def _ours(self, cases: Sequence[Case]) -> None:
        async with judging(
            *(self._servers, self._stub, self._sessions), max_in_flight=IN_FLIGHT
        ) as ours:
            await self._stub.set_latency(0)
            await ours.judge(IN_FLIGHT)
            for case in cases:
                for name, answers in ((BATCHED, case.ours), (ONE_BY_ONE, case.ours_one_by_one)):
                    await self._stub.set_latency(case.latency)
                    figures = await ours.judge(answers, one_by_one=name == ONE_BY_ONE)
                    self._results[case.name][name].append(figures)

    async def _peer(self, name: str, cases: Sequence[Case]) -> None:
        async with peers.peer(name, self._stub) as one:
            self.versions[name] = one.version
            await self._stub.set_latency(0)
            await one.judge(IN_FLIGHT, IN_FLIGHT)
            for case in cases:
                await self._stub.set_latency(case.latency)
                self._results[case.name][name].append(await one.judge(case.peers, IN_FLIGHT))
