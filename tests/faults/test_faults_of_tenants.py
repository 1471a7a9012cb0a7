"""One workspace's judge hangs, or its texts take seconds each; the verdicts of the others come as
they came before."""

import asyncio
import resource
import statistics
import uuid
from collections.abc import Sequence
from time import monotonic

import httpx
import pytest
from harness import HOST, Stack
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

import otlp
from app.operations.embedded.ports import free_port
from cases import TIMEOUT_SECONDS, eventually
from verdict_world import store_answers
from workers import QUICK, RULES, SLOW, SlowJudge, judge_policy

# The 95th percentile of so many is about the second slowest.
SAMPLES = 30
# Seconds. Besides the ratio, because a busy machine delays this much by itself.
NOISE = 0.25
RATIO = 2
# Longer than the test: the judge hangs until it is let.
HANGING = {"judge_deadline": 600, "judge_lease": 650, "task_time_limit": 700, "republish_after": 30}
OPEN_FILES = 8192
TEXT_WITHOUT_BLANKS = "".join(
    f"시료{number}는{number % 90 + 5}도에서{number % 40}초동안유지합니다."
    for number in range(2_200)
)[:49_000]


async def post(
    stack: Stack, judge_model: str, workspace: str, count: int = 1, **changes: object
) -> Sequence[uuid.UUID]:
    """Answers as the API leaves them, each published alone."""
    new = await store_answers(
        stack.world, count, policy=judge_policy(judge_model), workspace=workspace, **changes
    )
    ids = [one.evaluation_id for one in new]
    await stack.publish(ids)
    return ids


async def p95(stack: Stack, judge_model: str, workspace: str, *beside: str) -> float:
    """Seconds from answer to verdict, on the database's clock. beside: an answer of this judge and
    workspace is posted before each."""
    waits = []
    for _ in range(SAMPLES):
        if beside:
            await post(stack, *beside)
        (id_,) = await post(stack, judge_model, workspace)

        async def verdict(id_: uuid.UUID = id_) -> list[dict[str, float]]:
            return await stack.world.rows(
                "SELECT extract(epoch FROM finished_at - created_at)::float8 AS seconds"
                " FROM qa_evaluations WHERE id = %s AND status = 'succeeded'",
                id_,
            )

        ((row),) = await eventually(verdict)
        waits.append(row["seconds"])
    return statistics.quantiles(waits, n=20)[-1]


@pytest.mark.parametrize("count", [150, pytest.param(2000, marks=pytest.mark.slow_fault)])
async def test_a_judge_that_hangs_in_one_workspace_beside_others(open_, holds, remark, count):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard), hard))
    stack = await open_(**HANGING)
    judge = SlowJudge()
    stack.judge.default = judge
    await stack.start()
    others = ((RULES, "by rules"), (QUICK, "by a model"), (SLOW, "same judge"))
    for other in others[:2]:
        await post(stack, *other)  # what is loaded at the first is not measured
    await stack.settle()
    unloaded = {other: await p95(stack, *other) for other in others[:2]}

    ids = await post(stack, SLOW, "hog", count)
    in_flight = min(count, share_of(stack))
    await eventually(lambda: reached(judge, in_flight))
    await eventually(lambda: all_fetched(stack))
    loaded = {other: await p95(stack, *other, SLOW, "hog") for other in others[:2]}
    await post(stack, *others[2])
    await eventually(lambda: reached(judge, min(count + 2 * SAMPLES, share_of(stack)) + 1))
    waiting = await stack.world.rows(
        "SELECT id FROM qa_evaluations WHERE id = ANY(%s) AND status IN ('queued', 'running')",
        list(ids),
    )
    assert len(waiting) == count, "all of them hang or wait"

    judge.let.set()
    await stack.settle(within=240)
    beside = f"{count} answers one by one to a judge that hangs in one workspace"
    tally = await holds(stack, f"{beside}; {2 * SAMPLES} of others beside them")
    assert tally.degraded == tally.failed == 0
    for other, seconds in loaded.items():
        remark(
            f"{beside}: a verdict {other[1]} in another one took {seconds * 1000:.0f} ms"
            f" (95th percentile), {unloaded[other] * 1000:.0f} ms before."
        )


@pytest.mark.slow_fault
async def test_texts_of_one_workspace_that_take_seconds_beside_others(open_, holds, remark):
    count = 80
    stack = await open_(**HANGING, rules_time_limit=3)
    await stack.start()
    innocent = (RULES, "by rules")
    await post(stack, *innocent)
    await stack.settle()
    unloaded = await p95(stack, *innocent)

    await post(stack, RULES, "hog", count, answer=TEXT_WITHOUT_BLANKS)
    loaded = await p95(stack, *innocent)
    waiting = await stack.unfinished()

    await stack.settle(within=5 * count)
    beside = f"{count} answers of {len(TEXT_WITHOUT_BLANKS):,} characters in one workspace"
    await holds(stack, f"{beside}; {SAMPLES} of another beside them")
    remark(
        f"{beside}: a verdict by rules in another one took {loaded * 1000:.0f} ms (95th"
        f" percentile), {unloaded * 1000:.0f} ms before; {len(waiting)} were still to be judged."
    )
    assert waiting, "the others did not wait for them"


@pytest.mark.slow_fault
async def test_spans_of_one_workspace_beside_a_trace_of_another(open_, remark):
    stack = await open_(**HANGING)
    port = free_port(HOST)
    await asyncio.gather(stack.start_api(port), stack.start(workers=0))
    async with await stack.api_client(port, "hog") as hog, await stack.api_client(port) as client:
        await seconds_to_answer(stack, client)  # what is loaded at the first is not measured
        unloaded = await seconds_to_answer(stack, client)
        spans = [otlp.span(otlp.new_trace(), otlp.kind("LLM")) for _ in range(100_000)]
        flood = await hog.post(
            "/v1/traces",
            content=otlp.request(spans),
            headers=otlp.PROTOBUF,
            timeout=TIMEOUT_SECONDS,
        )
        loaded = await seconds_to_answer(stack, client)

    rejected = ExportTraceServiceResponse.FromString(flood.content).partial_success.rejected_spans
    remark(
        f"{len(spans):,} traces of one span in one workspace, {rejected:,} of which were rejected:"
        f" a trace of another one became an answer after {loaded:.1f} s, {unloaded:.1f} s before."
    )
    # Nothing else shows it: both wait for spans that may come.
    assert loaded <= RATIO * unloaded + NOISE


async def seconds_to_answer(stack: Stack, client: httpx.AsyncClient) -> float:
    """From a trace to its answer."""
    query = "SELECT id FROM qa_answers"
    before = len(await stack.world.rows(query))
    begun = monotonic()
    sent = await client.post(
        "/v1/traces", content=otlp.request(otlp.answered_trace()), headers=otlp.PROTOBUF
    )
    assert sent.is_success

    async def answered() -> bool:
        return len(await stack.world.rows(query)) > before

    await eventually(answered)
    return monotonic() - begun


def share_of(stack: Stack) -> int:
    return stack._settings.worker.max_in_flight


async def all_fetched(stack: Stack) -> bool:
    """Whether the worker has seen all that was posted, and the dispatcher what was given back."""
    unseen = "SELECT id FROM qa_evaluations WHERE status = 'queued' AND enqueued_at IS NULL"
    return not stack.redis.client.llen("live") and not await stack.world.rows(unseen)


async def reached(judge: SlowJudge, count: int) -> bool:
    return judge.in_flight >= count
