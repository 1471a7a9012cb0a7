"""Judges measured by a command against a running stack."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from judge_replies import good_reply
from live_stack import LiveStack, eventually, live_stack
from stub_server import StubServer, answer

pytestmark = pytest.mark.acceptance

# Written for this test: a dish of cells, a machine and a form, each asked about twice.
PASSAGES = {
    "배양기": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다. 물은 매주 월요일에 간다.",
    "Centrifuge": "The centrifuge is balanced to 0.1 g. Its rotor is cleaned every seven days.",
    "휴가": "휴가 신청서는 사흘 전에 팀장에게 낸다. 반차는 당일에도 낼 수 있다.",
}
ANSWERS = [
    ("배양기", "배양기는 몇 도인가요?", "배양기는 37도로 맞춥니다.", False),
    ("배양기", "배양기 물은 언제 가나요?", "물은 매일 금요일 14시에 갈고 소독제를 넣습니다.", True),
    ("Centrifuge", "How often is the rotor cleaned?", "It is cleaned every seven days.", False),
    ("Centrifuge", "How is it balanced?", "It is balanced to 25 kg by Dr. Marlowe.", True),
    ("휴가", "휴가 신청서는 언제 내나요?", "휴가 신청서는 사흘 전에 팀장에게 냅니다.", False),
    ("휴가", "반차는 언제 내나요?", "반차는 한 달 전에 인사과 포털로만 냅니다.", True),
]


def write_labelled(file: Path, *extra: str) -> Path:
    lines = [
        {
            "question": question,
            "passages": [PASSAGES[about]],
            "answer": answer,
            "hallucinated": wrong,
            "spans": [[0, len(answer)]] if wrong else [],
        }
        for about, question, answer, wrong in ANSWERS
    ]
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("\n".join([*texts, *extra]) + "\n", encoding="utf-8")
    return file


async def bench(stack: LiveStack, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(await stack.succeed("judge-bench", *arguments, "--json"))
    return found


async def test_the_rules_are_measured_and_reported(stack: LiveStack, tmp_path: Path) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl", "not json")
    page = tmp_path / "report.html"

    ran = await stack.run("judge-bench", str(file), "--judge", "offline", "-o", str(page))

    assert ran.code == 0, ran.err
    assert "Line 7 is skipped" in ran.err
    for told in ("6 of 6 labelled answers, 3 hallucinated", "offline:rules", "AUROC", "Brier"):
        assert told in ran.out
    assert page.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    written = page.read_text(encoding="utf-8")
    assert "data:image/png;base64," in written
    assert "<script" not in written


async def test_figures_come_as_json_and_can_be_shown_again(
    stack: LiveStack, tmp_path: Path
) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl")
    measured = await bench(stack, str(file), "--limit", "4", "--seed", "2")

    (rules,) = measured["summary"]["judges"]
    assert (measured["items"], measured["available"], measured["hallucinated"]) == (4, 6, 2)
    assert (rules["coverage"], rules["auroc"]["value"]) == (1, 1)
    assert rules["latency_median_ms"] > 0
    assert await bench(stack, "--show", measured["id"]) == measured

    markdown = tmp_path / "again.md"
    await stack.succeed("judge-bench", "--show", measured["id"], "-o", str(markdown))
    assert "| AUROC |" in markdown.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Give a file of labelled answers, --from-feedback, or --show ID."),
        (("FILE", "-o", "report.pdf"), "The format of report.pdf is unknown"),
        (("FILE", "--judge", "openai:gpt-4o-mini", "--yes"), "openai models need a key"),
        (("FILE", "--judge", "stored"), "Only answers with feedback have stored verdicts"),
    ],
)
async def test_what_cannot_be_done_is_one_sentence(
    stack: LiveStack, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl")
    given = [str(file) if each == "FILE" else each for each in arguments]
    ran = await stack.run("judge-bench", *given)
    assert ran.code == 1
    assert told in ran.err


@pytest.fixture
async def model() -> AsyncIterator[StubServer]:
    """A judge that takes its time and finds everything right."""
    async with StubServer(answer(good_reply, latency=0.2)) as server:
        yield server


async def test_a_killed_worker_loses_nothing_and_little_is_paid_twice(
    model: StubServer, new_folder: Callable[[], Path], tmp_path: Path
) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl")
    file.write_text(file.read_text(encoding="utf-8") * 10, encoding="utf-8")
    calls = 60
    environment = {
        "OPENAI_API_KEY": "sk-acceptance-secret",
        "OPENAI_BASE_URL": model.base_url,
        "SEARCHQA_JOB_LEASE": "5",
    }
    with live_stack(new_folder(), "--no-flower", **environment) as stack:
        arguments = ("judge-bench", str(file), "--no-spans", "--yes", "--json")
        running = asyncio.create_task(
            stack.succeed(*arguments, "-j", "openai:gpt-4o-mini", "-j", "offline")
        )

        async def some_are_judged() -> bool:
            return model.count > 15

        await eventually(some_are_judged)
        os.kill(stack.part("bulk@"), signal.SIGKILL)
        bench = json.loads(await running)

    assert (bench["status"], bench["done"], bench["failed"]) == ("completed", 2 * calls, 0)
    judged, rules = bench["summary"]["judges"]
    assert judged["auroc"]["value"] == 0.5, "it says the same of all"
    assert rules["auroc"]["value"] == 1
    assert judged["cost_usd"] > 0
    # Three parts, four answers at a time.
    assert calls < model.count <= calls + 3 * 4
    auroc = next(one for one in bench["summary"]["differences"] if one["name"] == "auroc")
    assert (auroc["difference"], auroc["significant"]) == (0.5, True)


async def test_nothing_is_spent_without_a_yes(judged: LiveStack, tmp_path: Path) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl")
    given = ("judge-bench", str(file), "--judge", "openai:unheard-of")
    ran = await judged.run(*given)
    assert ran.code == 1
    assert "6 answers. About 12 model calls, " in ran.err
    assert "at an unknown price" in ran.err
    assert "Aborted" in ran.err
