"""A judge that costs next to nothing, so that a benchmark measures what asks it.

    python benchmarks/stub_judge.py --port 8000

An OpenAI-compatible server on loopback: POST …/{shape}/…/chat/completions is answered by the
ready reply of that shape (`ours`, or a peer's) after the latency that is set. GET /set?median=0.5&
sigma=0.3 sets it (seconds, lognormal; sigma 0: fixed) and forgets all counts; GET /stats gives
the counts as JSON. A request whose body holds `bench-mark-NUMBER-` has the moment
(CLOCK_MONOTONIC) of its reply kept, and GET /replied?NUMBER gives it.

GET /limit?requests=600&tokens=400000&stated=1 allows so much in any sliding minute and refuses the
rest (429, with the time to come again); stated: replies name the limits in OpenAI's headers. Then
each reply says that it took 350 to 900 tokens. GET /log gives what was served and refused.

It parses as little of HTTP as it can: a request line, Content-Length, no pipelining.
"""

import argparse
import asyncio
import json
import math
import random
import re
import time
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qsl

import uvloop

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_MARK = re.compile(rb"bench-mark-(\d+)-")
_CLAIM = {"note_index": 1, "reasoning": "", "verdict": "supported"}
# For the answer of bench_answers, which has three sentences.
_VERDICT: dict[str, Any] = {
    "claims": [
        _CLAIM | {"sentence": 1, "quote": "변성은 95도에서"},
        _CLAIM | {"sentence": 2, "note_index": 2, "quote": "Tm보다 5도 낮게"},
        _CLAIM | {"sentence": 3, "note_index": 3, "quote": "72도에서 하며"},
    ],
    "grounding_issues": [],
    "used_notes": [1, 2, 3],
    "nuggets": [{"text": "변성 온도", "support": "supported"}],
    "checklist": [{"item": number, "reason": "예", "passed": True} for number in range(1, 5)],
    "next_steps": {"suggested_queries": [], "action_items": [], "urgency": "low"},
    "summary": "노트에 근거한 답변입니다.",
    "utility": 0.8,
}
_REASON = "답변의 모든 주장이 노트에 있고, 온도와 시간이 노트와 같습니다."
# Where a question is asked over HTTP: the offline model's answer is one sentence.
_SHORT_VERDICT = _VERDICT | {"claims": _VERDICT["claims"][:1], "used_notes": [1]}
# What each client wants to read; all texts are about as long.
REPLIES = {
    "ours": _VERDICT,
    "marked": _SHORT_VERDICT,
    "ragas": {"reason": _REASON * 4, "value": "pass"},
    "deepeval": {"reason": _REASON * 4, "score": 9},
    "phoenix": {"explanation": _REASON * 4, "label": "grounded"},
}


def _response(body: bytes, status: str = "200 OK", headers: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _completion(content: object, tokens: tuple[int, int] = (1500, 150)) -> bytes:
    message = {"role": "assistant", "content": json.dumps(content, ensure_ascii=False)}
    reply = {
        "id": "stub",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }
    return json.dumps(reply, ensure_ascii=False).encode()


_READY = {shape.encode(): _response(_completion(content)) for shape, content in REPLIES.items()}
_REFUSED = b'{"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}'


@dataclass
class Counts:
    """Of the requests since the last /set. connections: opened since then."""

    requests: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    connections: int = 0


class SlidingMinute:
    """What a provider allows in any sliding minute. served: time and tokens; refused: times."""

    SECONDS = 60.0

    def __init__(self, requests: int, tokens: int, *, stated: bool) -> None:
        self.set(requests, tokens, stated=stated)
        self.served: list[tuple[float, int]] = []
        self.refused: list[float] = []
        self._window: deque[tuple[float, int]] = deque()
        self._in_window = 0
        self._random = random.Random(1)  # noqa: S311  the same tokens in each round

    def set(self, requests: int, tokens: int, *, stated: bool) -> None:
        self._requests, self._tokens, self._stated = requests, tokens, stated

    def answer(self, shape: bytes) -> tuple[bool, bytes]:
        """Whether the request is served, and the response."""
        now, tokens = time.monotonic(), self._random.randint(350, 900)
        while self._window and self._window[0][0] <= now - self.SECONDS:
            self._in_window -= self._window.popleft()[1]
        over = len(self._window) + 1 - self._requests
        if over > 0 or self._in_window + tokens > self._tokens:
            self.refused.append(now)
            wait = self._wait(now, over, self._in_window + tokens - self._tokens)
            rest = f"retry-after-ms: {wait * 1000:.0f}\r\n{self._headers()}"
            return False, _response(_REFUSED, "429 Too Many Requests", rest)
        self._window.append((now, tokens))
        self._in_window += tokens
        self.served.append((now, tokens))
        body = _completion(REPLIES[shape.decode()], (tokens - 150, 150))
        return True, _response(body, headers=self._headers())

    def _wait(self, now: float, requests: int, tokens: int) -> float:
        """Seconds until so many have left the window."""
        gone = 0
        for number, (at, each) in enumerate(self._window, start=1):
            gone += each
            if number >= requests and gone >= tokens:
                return at + self.SECONDS - now
        return self.SECONDS

    def _headers(self) -> str:
        if not self._stated:
            return ""
        return (
            f"x-ratelimit-limit-requests: {self._requests}\r\n"
            f"x-ratelimit-limit-tokens: {self._tokens}\r\n"
        )


class Judge:
    """What all connections share."""

    minute: SlidingMinute | None = None

    def __init__(self) -> None:
        self.counts = Counts()
        self.replied: dict[int, float] = {}
        self._median = 0.0
        self._sigma = 0.0
        self._random = random.Random(1)  # noqa: S311  the same latencies in each round

    def latency(self) -> float:
        if not self._sigma:
            return self._median
        return self._random.lognormvariate(math.log(self._median), self._sigma)

    def get(self, target: str) -> object:
        path, _, query = target.partition("?")
        if path.endswith("/set"):
            given = dict(parse_qsl(query))
            self._median = float(given.get("median", 0))
            self._sigma = float(given.get("sigma", 0))
            self._random.seed(1)
            self.counts = Counts(in_flight=self.counts.in_flight)
            self.replied.clear()
        if path.endswith("/limit"):
            self._limit(**{name: int(value) for name, value in parse_qsl(query)})
        if path.endswith("/log") and self.minute:
            return {"served": self.minute.served, "refused": self.minute.refused}
        if path.endswith("/replied"):
            return self.replied.get(int(query))
        return asdict(self.counts)

    def _limit(self, requests: int, tokens: int, stated: int = 0, fresh: int = 0) -> None:
        """fresh: nothing was served before."""
        if fresh or not self.minute:
            self.minute = SlidingMinute(requests, tokens, stated=bool(stated))
        else:
            self.minute.set(requests, tokens, stated=bool(stated))


class Connection(asyncio.Protocol):
    """One request at a time, as HTTP/1.1 clients send them."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._data = b""
        self._transport: asyncio.Transport

    # uvloop's transports are none of asyncio's classes.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._judge.counts.connections += 1

    def data_received(self, data: bytes) -> None:
        self._data = self._data + data if self._data else data
        end = self._data.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._data[:end]
        length = _LENGTH.search(head)
        if len(self._data) < end + 4 + (int(length[1]) if length else 0):
            return
        body, self._data = self._data[end + 4 :], b""
        method, target, _ = head[: head.find(b"\r")].split(b" ", 2)
        if method == b"GET":
            self._write(_response(json.dumps(self._judge.get(target.decode())).encode()))
        else:
            self._ask(target, body)

    def _ask(self, target: bytes, body: bytes) -> None:
        counts = self._judge.counts
        counts.requests += 1
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        shape = target.split(b"/", 2)[1]
        mark = _MARK.search(body) if b"bench-mark-" in body else None
        latency = self._judge.latency()
        served, reply = True, _READY[b"marked" if mark else shape]
        if self._judge.minute:
            served, reply = self._judge.minute.answer(shape)
        if latency and served:
            asyncio.get_running_loop().call_later(latency, self._reply, reply, mark)
        else:
            self._reply(reply, mark)

    def _reply(self, reply: bytes, mark: re.Match[bytes] | None) -> None:
        self._judge.counts.in_flight -= 1
        self._write(reply)
        if mark:
            self._judge.replied[int(mark[1])] = time.monotonic()

    def _write(self, response: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(response)


async def _serve(port: int) -> None:
    judge = Judge()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(judge), "127.0.0.1", port, backlog=2048)
    async with server:
        await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description="A stub judge for benchmarks.")
    parser.add_argument("--port", type=int, required=True)
    uvloop.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
