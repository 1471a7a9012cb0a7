"""Judges measured by a command against a running stack."""

import json
from typing import Any

import pytest

from live_stack import LiveStack
from tiny_models import write_labelled

pytestmark = pytest.mark.acceptance


async def bench(stack: LiveStack, *arguments: str) -> dict[str, Any]:
    return json.loads(await stack.succeed("judge-bench", *arguments, "--json"))


async def test_the_rules_are_measured_and_reported(stack, tmp_path):
    file = write_labelled(tmp_path / "labelled.jsonl", "not json")
    page = tmp_path / "report.html"

    ran = await stack.run("judge-bench", str(file), "--judge", "offline", "-o", str(page))

    assert ran.code == 0, ran.err
    assert "Line 7 is skipped" in ran.err
    for message in ("6 of 6 labelled answers, 3 hallucinated", "offline:rules", "AUROC", "Brier"):
        assert message in ran.out
    written = page.read_text(encoding="utf-8")
    assert "<h2>Calibration</h2>" in written
    assert "<script" not in written


async def test_figures_come_as_json_and_can_be_shown_again(stack, tmp_path):
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
    ("arguments", "message"),
    [
        ((), "Give a file of labelled answers, --from-feedback, or --show ID."),
        (("FILE", "-o", "report.pdf"), "The format of report.pdf is unknown"),
        (("FILE", "--judge", "openai:gpt-4o-mini", "--yes"), "openai models need a key"),
        (("FILE", "--judge", "stored"), "Only answers with feedback have stored verdicts"),
    ],
)
async def test_an_impossible_action_is_one_sentence(stack, tmp_path, arguments, message):
    file = write_labelled(tmp_path / "labelled.jsonl")
    given = [str(file) if each == "FILE" else each for each in arguments]
    ran = await stack.run("judge-bench", *given)
    assert ran.code == 1
    assert message in ran.err


@pytest.mark.asyncio(loop_scope="session")
async def test_judges_are_compared(judged, judge, tmp_path):
    """The model finds everything right, the rules do not."""
    file = write_labelled(tmp_path / "labelled.jsonl")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    # A value that no passage has is refused whatever the model says: these deny what is said.
    lines[1] |= {"answer": "물은 매주 월요일에 절대 갈지 않습니다.", "spans": []}
    lines[3] |= {"answer": "It is not balanced to 0.1 g.", "spans": []}
    lines[5] |= {"answer": "반차는 당일에는 낼 수 없습니다.", "spans": []}
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text * 5, encoding="utf-8")
    arguments = (str(file), "--no-spans", "--yes", "-j", "openai:gpt-4o-mini", "-j", "offline")

    summary = (await bench(judged, *arguments))["summary"]

    same_of_all, rules = summary["judges"]
    assert (same_of_all["auroc"]["value"], rules["auroc"]["value"]) == (0.5, 1)
    auroc = next(one for one in summary["differences"] if one["name"] == "auroc")
    assert (auroc["difference"], auroc["significant"]) == (0.5, True)


async def test_nothing_is_spent_without_a_yes(judged, tmp_path):
    file = write_labelled(tmp_path / "labelled.jsonl")
    given = ("judge-bench", str(file), "--judge", "openai:unheard-of")
    ran = await judged.run(*given)
    assert ran.code == 1
    assert "6 answers. About 6 model calls, " in ran.err
    assert "at an unknown price" in ran.err
    assert "Aborted" in ran.err
