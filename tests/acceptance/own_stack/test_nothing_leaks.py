"""What readers write, and every secret, stay out of all that an operator can look at."""

import asyncio
import base64
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis
from redis.asyncio import Redis

import servers
from cases import eventually
from judge_replies import good_reply
from live_stack import FLOWER_AUTH, LiveStack, live_stack
from stub_server import Exchange, StubServer, answer, status

pytestmark = pytest.mark.acceptance

JUDGE_KEY = "sk-leak-77c0ffee"
REDIS_PASSWORD = "redis-leak-5b1e"
# In letters that no protocol writes in another way.
QUESTION, TITLE, NOTE = "leak-question-9c41", "leak-title-2b7d", "leak-note-51fe"
ANSWERED, CLAIM, EXTERNAL_KEY = "leak-answer-aa12", "leak-claim-e03a", "leak-key-31d4"
PRIVATE = (
    *(JUDGE_KEY, REDIS_PASSWORD, FLOWER_AUTH[1]),
    *(QUESTION, TITLE, NOTE, CLAIM, ANSWERED, EXTERNAL_KEY),
)
ANSWERING = f"PCR 변성 단계의 온도는 {NOTE} 95도로 설정한다."
NOTES = {"notebook": TITLE, "notes": [{"title": TITLE, "content": ANSWERING}]}
ASKED = {"content": f"PCR 변성 단계의 온도는 몇 도로 설정하나요? {QUESTION}"}
EXTERNAL = {
    "question": QUESTION,
    "answer": f"변성은 95도이다. {ANSWERED} [노트 1]",
    "sources": [{"title": TITLE, "content": f"변성은 {NOTE} 95도이다."}],
}
# A vendor that quotes the key and the prompt.
REFUSAL = {"error": {"message": f"{JUDGE_KEY} may not ask about {QUESTION} {NOTE}", "code": NOTE}}
FLOWER_PAGES = (
    *("/", "/workers", "/tasks", "/broker", "/metrics", "/healthcheck"),
    *("/api/workers?refresh=1", "/api/tasks", "/api/queues/length", "/api/task/types"),
)


def verdict(request: dict[str, object]) -> str:
    return good_reply(request).replace("노트에 근거한 답변", CLAIM)


class Judge:
    """Fails once in each way that is tried again, and answers well from then on."""

    def __init__(self) -> None:
        self.left = [status(500, REFUSAL), answer(lambda _: f"not JSON: {NOTE}")] * 2

    async def __call__(self, exchange: Exchange) -> None:
        await (self.left.pop(0) if self.left else answer(verdict))(exchange)


@pytest.fixture
def redis_url(run_folder: Path, worker_id: str) -> Iterator[str]:
    with servers.redis_server(run_folder / f"redis-leaks-{worker_id}") as url:
        with redis.Redis.from_url(url) as client:
            client.config_set("requirepass", REDIS_PASSWORD)
        yield url.replace("redis://", f"redis://:{REDIS_PASSWORD}@")


@asynccontextmanager
async def listening(redis_url: str) -> AsyncIterator[list[str]]:
    """Every command that Redis is sent meanwhile, messages and events of Celery among them."""
    heard: list[str] = []

    async def listen() -> None:
        async with Redis.from_url(redis_url) as client, client.monitor() as monitor:
            async for command in monitor.listen():
                heard.append(command["command"])  # noqa: PERF401  there is no end

    task = asyncio.create_task(listen())
    try:
        yield heard
    finally:
        task.cancel()


async def stored_in_redis(redis_url: str) -> str:
    """Every key with its value, as it arrives when nothing is compressed."""
    async with Redis.from_url(redis_url) as client:
        readers = {
            b"string": client.get,
            b"hash": client.hgetall,
            b"set": client.smembers,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        }
        kinds = [(key, await client.type(key)) async for key in client.scan_iter()]
        # One may have expired meanwhile.
        return repr([(key, await readers[kind](key)) for key, kind in kinds if kind != b"none"])


def decoded(text: str) -> str:
    """The text, and what it holds in base64, as Celery's messages do."""
    bodies = re.findall(r"[A-Za-z0-9+/]{16,}={0,2}", text)
    whole = (body[: len(body) // 4 * 4] for body in bodies)
    return "\n".join([text, *(base64.b64decode(body).decode("latin1") for body in whole)])


async def shown_by_flower(stack: LiveStack) -> dict[str, str]:
    async with stack.flower() as flower:
        tasks = (await flower.get("/api/tasks")).raise_for_status().json()
        workers = (await flower.get("/api/workers?refresh=1")).raise_for_status().json()
        assert tasks
        assert workers
        pages = [
            *FLOWER_PAGES,
            *(f"/task/{task}" for task in tasks),
            *(f"/api/task/info/{task}" for task in tasks),
            *(f"/worker/{worker}" for worker in workers),
        ]
        return {f"Flower {page}": (await flower.get(page)).text for page in pages}


def command_lines(stack: LiveStack) -> dict[str, str]:
    return {f"command line {pid}": line for pid, line in stack.processes().items()}


CALL_MODELS = ("searchqa up", "app.api", "-Q live", "-Q bulk", "-Q isolated")


# A secret is a small object; what is larger than this holds models and stacks.
LARGE = 32 * 1024 * 1024


def holders(stack: LiveStack, *secrets: str) -> list[set[str]]:
    """For each secret the command lines of the processes that have it anywhere in their memory: a
    fork has its environment there, and what its parent has left."""
    found: list[set[str]] = [set() for _ in secrets]
    for pid, command in stack.processes().items():
        for memory in _written_memory(pid):
            for secret, commands in zip(secrets, found, strict=True):
                if secret.encode() in memory:
                    commands.add(command)
    return found


def _written_memory(pid: int) -> Iterator[bytes]:
    """Heap, stacks and other memory that is of no file."""
    ended = contextlib.suppress(OSError)
    with ended, Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            where, rights, _, _, inode, *_ = line.split()
            start, end = (int(number, 16) for number in where.split("-"))
            if rights.startswith("rw-p") and inode == "0" and end - start <= LARGE:
                memory.seek(start)
                yield memory.read(end - start)


async def use(stack: LiveStack) -> tuple[str, list[str], dict[str, str]]:
    """Asks, has an answer of another application judged, and makes mistakes. The token, the ids
    of the verdicts, and the responses that must tell nothing."""
    token = (await stack.succeed("token", "create", "reader")).strip()
    async with stack.client(token) as client:
        (await client.post("/notes/import", json=NOTES)).raise_for_status()
        asked = (await client.post("/ai/chat", json=ASKED)).raise_for_status().json()
        sent = await client.post(
            "/qa-evaluations", json=EXTERNAL, headers={"Idempotency-Key": EXTERNAL_KEY}
        )
        assert NOTE in asked["content"]
        ids = [asked["quality"]["evaluation_id"], sent.raise_for_status().json()["id"]]
        for id_ in ids:

            async def judged(path: str = f"/qa-evaluations/{id_}") -> bool:
                view = await client.get(path)
                return view.json()["status"] == "succeeded" and CLAIM in view.text

            await eventually(judged)
        responses = {
            "metrics": await client.get("/metrics"),
            "conflict": await client.post(
                "/qa-evaluations", json=EXTERNAL | {"answer": "다른 답"},
                headers={"Idempotency-Key": EXTERNAL_KEY},
            ),
            "invalid": await client.post("/ai/chat", json=ASKED | {"lang": NOTE}),
        }  # fmt: skip
    return token, ids, {name: response.text for name, response in responses.items()}


async def test_only_ids_and_figures_can_be_seen_from_outside(new_folder, redis_url):
    async with StubServer(Judge()) as judge:
        environment = {
            "REDIS_URL": redis_url,
            "OPENAI_API_KEY": JUDGE_KEY,
            "OPENAI_BASE_URL": judge.base_url,
            "SEARCHQA_JUDGE_MODEL": "openai:gpt-4o-mini",
            "SEARCHQA_RETRY_BASE": "0.1",
            "SEARCHQA_LOG_LEVEL": "debug",
        }
        with live_stack(new_folder(), **environment) as stack:
            async with listening(redis_url) as heard:
                token, ids, responses = await use(stack)
            seen = {
                **responses,
                **command_lines(stack),
                **await shown_by_flower(stack),
                "Redis": await stored_in_redis(redis_url),
                "commands to Redis": "\n".join(heard),
            }
            seen["log"] = stack.log
            all_commands = set(stack.processes().values())
            with_key, with_password = holders(stack, JUDGE_KEY, FLOWER_AUTH[1])
    for command in with_key:
        assert any(part in command for part in CALL_MODELS), command
    assert len(with_key) == len(CALL_MODELS)
    for part in ("dispatcher", "flower", "postgres"):
        assert any(part in command for command in all_commands - with_key), part
    assert all("flower" in command or "searchqa up" in command for command in with_password)
    assert JUDGE_KEY in judge.requests[0].headers["authorization"]
    messages = decoded("\n".join(heard))
    assert all(id_ in messages for id_ in ids), "messages must have gone by"
    private = [*PRIVATE, token]
    found = [
        (where, text) for where, said in seen.items() for text in private if text in decoded(said)
    ]
    assert found == []
