"""What Prometheus reads of a running stack, found by the file that the stack writes for it."""

import json
from collections.abc import Mapping

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from cases import eventually
from live_stack import open_with_notes

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

MODEL = "openai:gpt-4o-mini"
# Samples by their name and labels.
Figures = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


async def scrape(address: str) -> Figures:
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"http://{address}/metrics")).text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figure(figures: Figures, name: str, **labels: str) -> float:
    return figures.get((f"searchqa_{name}", frozenset(labels.items())), 0)


async def test_every_part_counts_what_it_does(judged, judge):
    targets = json.loads((judged.folder / "data" / "metrics.json").read_text())
    address = {target["labels"]["part"]: target["targets"][0] for target in targets}
    assert set(address) == {"api", "worker-1", "bulk", "dispatcher"}
    before = {part: await scrape(place) for part, place in address.items()}
    asked = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}

    async with judged.client(await open_with_notes(judged, "metrics")) as client:
        await client.post("/ai/chat", json=asked)

    async def verdict_is_counted() -> bool:
        after = await scrape(address["worker-1"])
        labels = {"judge_model": MODEL, "outcome": "verdict"}
        was = figure(before["worker-1"], "attempts_total", **labels)
        return figure(after, "attempts_total", **labels) == was + 1

    def grown(after: Figures, part: str, name: str, **labels: str) -> float:
        return figure(after, name, **labels) - figure(before[part], name, **labels)

    async def dispatcher_has_ticked() -> Figures | None:
        after = await scrape(address["dispatcher"])
        ticks = grown(after, "dispatcher", "dispatcher_tick_seconds_count")
        return after if ticks > 0 else None

    assert await eventually(verdict_is_counted)
    worker, api = await scrape(address["worker-1"]), await scrape(address["api"])
    dispatcher = await eventually(dispatcher_has_ticked)
    assert dispatcher

    latency = {"queue": "live", "judge_model": MODEL}
    assert grown(worker, "worker-1", "verdict_latency_seconds_count", **latency) == 1
    assert 0 < grown(worker, "worker-1", "verdict_latency_seconds_sum", **latency) < 60
    calls = grown(worker, "worker-1", "model_calls_total", model=MODEL, end="ok")
    assert calls == judge.count >= 1
    assert grown(worker, "worker-1", "model_tokens_total", model=MODEL, kind="prompt") > 0
    assert grown(worker, "worker-1", "model_cost_dollars_total", model=MODEL) > 0
    assert grown(api, "api", "answers_total", status="queued") == 1
    assert figure(dispatcher, "database_up") == 1
    assert figure(worker, "pool_limit", pool="judging") > 0
    assert figure(worker, "loop_silence_seconds", loop="judge-loop") < 30
