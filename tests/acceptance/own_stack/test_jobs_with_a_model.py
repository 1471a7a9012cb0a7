"""Jobs of the bulk worker with a model that is scripted: a poor answer about a medicine becomes a
better one, and a judge bench outlives the worker."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from event_stream import all_events

import samples
from app.answering.refine.same_judge import max_calls
from app.platform.judge_settings import JudgeSettings
from app.verdicts.judging.context import DEFAULT_CALLS
from cases import eventually
from judge_replies import VERDICT, good_reply, verdict
from live_stack import LiveStack, live_stack
from refinements import BODY, NOTES
from stub_server import Exchange, Json, StubServer, answer
from tiny_models import write_labelled

# One loop for all: the stub model lives in it.
pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

MODEL = "openai:gpt-4o-mini"
REWRITING_TEMPERATURE = 0.5


class Writer:
    """What the model says to each request; `rewriting` is the prompt for a new query."""

    def __init__(self) -> None:
        self.rewriting = ""
        self.broken = False
        self._evaluations = iter([samples.evaluation(), samples.praise()])
        self._poor = iter([True])

    def __call__(self, request: Json) -> str:
        if "response_format" in request:
            return self._judge(request, request["response_format"]["json_schema"]["name"])
        if request["temperature"] == REWRITING_TEMPERATURE:
            self.rewriting = json.dumps(request["messages"], ensure_ascii=False)
            return "" if self.broken else samples.REWRITTEN
        return samples.BETTER_ANSWER

    def _judge(self, request: Json, schema: str) -> str:
        if schema == "refine_evaluation":
            return "no json here" if self.broken else next(self._evaluations)
        if schema == VERDICT and next(self._poor, False):
            return json.dumps(verdict(request, "unsupported", utility=0.4))
        return good_reply(request)


@pytest.fixture(scope="module")
def writer() -> Writer:
    return Writer()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(writer: Writer) -> AsyncIterator[StubServer]:
    async with StubServer(answer(writer)) as server:
        yield server


@pytest.fixture(scope="module")
def modelled(server: StubServer, new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    with live_stack(
        new_folder(),
        "--no-flower",
        SEARCHQA_JUDGE_MODEL=MODEL,
        SEARCHQA_ANSWER_MODEL=MODEL,
        # Long enough for a busy machine, where a worker loads its Korean model in its first job.
        SEARCHQA_JOB_LEASE="10",
        OPENAI_API_KEY="sk-acceptance-secret",
        OPENAI_BASE_URL=server.base_url,
    ) as stack:
        yield stack


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(modelled: LiveStack) -> AsyncIterator[httpx.AsyncClient]:
    async with modelled.client(await modelled.token()) as client:
        yield client


async def poor_answer(reader: httpx.AsyncClient) -> str:
    """The id of the evaluation of the first answer, once it is judged."""
    body = {"notebook": "약", "notes": NOTES}
    (await reader.post("/notes/import", json=body)).raise_for_status()
    created = await reader.post("/qa-evaluations", json=BODY)
    id_ = str(created.json()["id"])

    async def judged() -> bool:
        return bool((await reader.get(f"/qa-evaluations/{id_}")).json()["qa_evaluation"])

    await eventually(judged)
    return id_


async def test_a_poor_answer_is_improved_and_the_better_one_offered(
    modelled, server, writer, reader
):
    id_ = await poor_answer(reader)
    path = f"/qa-evaluations/{id_}/events"
    listened = asyncio.Event()
    scripted = server.default

    async def hold(exchange: Exchange) -> None:
        await listened.wait()
        await scripted(exchange)

    server.default = hold
    refining = asyncio.create_task(modelled.succeed("refine", id_))
    await server.until_in_flight(1)
    listening = asyncio.create_task(all_events(reader, path))
    listened.set()

    printed, heard = await asyncio.gather(refining, listening)

    first, _, second = printed.partition("1회차")
    assert samples.FIRST_ANSWER in first
    assert "종합 0.42 · 근거성 0.40 · 완전성 0.30 · 정확성 0.70" in first
    assert "종합 0.92 · 근거성 1.00 · 완전성 0.90 · 정확성 0.80" in second
    assert "기준에 이르러 마쳤습니다. 1회차의 답변이 처음보다 0.50 낫습니다." in second
    assert "첫 답변의 평가 모델: 정확성 0.00 · 유용성 0.40" in first
    assert "첫 답변의 평가 모델: 정확성 1.00 · 유용성 0.80" in second
    assert "같은 평가 모델의 점수 변화: 정확성 +1.00 · 유용성 +0.40" in second
    words = " ".join(second.split())
    for fact in (*samples.MISSING, "60세 남성, 신장 기능 경미한 저하", samples.BETTER_ANSWER):
        assert fact in words, fact
    for known in (*samples.MISSING, samples.PROFILE):
        assert known in writer.rewriting, known
    assert heard[-1].name == "refined_answer"
    assert heard[-1].data["answer"] == samples.BETTER_ANSWER
    assert heard[-1].data["lift"] == pytest.approx(0.5)
    stays = (await reader.get(f"/qa-evaluations/{id_}")).json()
    assert stays["answer"] == samples.FIRST_ANSWER


async def test_a_killed_worker_loses_nothing_and_little_is_paid_twice(modelled, server, tmp_path):
    # It takes its time and finds everything right.
    server.default = answer(good_reply, latency=0.2)
    before = server.count
    file = write_labelled(tmp_path / "labelled.jsonl")
    file.write_text(file.read_text(encoding="utf-8") * 10, encoding="utf-8")
    calls = 60
    arguments = ("judge-bench", str(file), "--no-spans", "--yes", "--json")
    running = asyncio.create_task(modelled.succeed(*arguments, "-j", MODEL))

    async def some_are_judged() -> bool:
        return server.count - before > 15

    await eventually(some_are_judged)
    os.kill(modelled.part("bulk@"), signal.SIGKILL)
    bench = json.loads(await running)

    assert (bench["status"], bench["done"], bench["failed"]) == ("completed", calls, 0)
    (judged,) = bench["summary"]["judges"]
    assert judged["cost_usd"] > 0
    # Three parts, four answers at a time.
    assert calls < server.count - before <= calls + 3 * 4


async def test_a_judge_that_answers_garbage_ends_in_marked_estimates(
    modelled, server, writer, reader
):
    server.default = answer(writer)
    id_ = await poor_answer(reader)
    writer.broken = True
    asked = server.count

    printed = await modelled.succeed("refine", id_, "--threshold", "1", "--json")

    view = json.loads(printed)
    assert view["status"] == "succeeded"
    assert view["stop_reason"] in {"max_iterations", "no_gain", "same_documents"}
    assert all(each["heuristic"] for each in view["iterations"] if each["overall_score"])
    assert view["iterations"][1]["rewritten_by"] == "keywords"
    calls = sum(each["calls"] for each in view["iterations"])
    assert calls == server.count - asked
    bound = max_calls(view["max_iterations"], JudgeSettings().max_attempts)
    assert calls <= bound + DEFAULT_CALLS
    shown = await modelled.succeed("refine", id_, "--show")
    assert "모델 없이 어림한 점수" in shown
