"""From a notebook to measured search and answers, each step a command against a running stack."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from live_stack import LiveStack

pytestmark = pytest.mark.acceptance


async def test_questions_are_made_measured_and_compared(stack: LiveStack, tmp_path: Path) -> None:
    await stack.succeed("notes", "samples", "laboratory")
    await stack.succeed("evaluation", "generate", "laboratory", "-n", "quick", "-q", "1")
    (stored,) = json.loads(await stack.succeed("evaluation", "list", "--json"))
    dataset = stored["id"]

    search = json.loads(await stack.succeed("evaluation", "run", dataset, "--json"))
    whole = await stack.succeed("evaluation", "run", dataset, "-k", "3", "-t", "full_rag")

    assert search["done"] == search["cases"] > 5
    assert search["metrics"]["recall_at_k"] > 0.5
    assert search["mean_faithfulness"] is None
    for told in (
        *("Running Full RAG evaluation (k=3)...", "  Dataset: quick v1 (", "Generation Metrics"),
        *("Evaluation Results (k=3)", "Precision@3:", "Recall@3:", "Hit Rate@3:", "MRR:", "Run: "),
        *("Faithfulness:", "Answer Relevancy:"),
    ):
        assert told in whole

    runs = json.loads(await stack.succeed("evaluation", "runs", "--json"))
    second, first = [run["id"] for run in runs][:2]
    compared = json.loads(await stack.succeed("evaluation", "compare", first, second, "--json"))
    assert {each["cases"] for each in compared["differences"]} == {search["cases"]}

    xml, gates = tmp_path / "junit.xml", "recall=0.1,precision=0.9"
    gated = await stack.run(
        *("evaluation", "run", dataset, "--fail-under", gates, "--report", str(xml)),
        *("--retrieval", "evidence"),
    )
    assert gated.code == 1
    assert "precision is 0." in gated.err
    (suite,) = ET.parse(xml).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    shown = tmp_path / "run.md"
    results = await stack.run(
        *("evaluation", "results", first, "--fail-under", gates, "--report", str(shown))
    )
    assert results.code == 1
    assert "| recall ≥ 0.1 |" in shown.read_text(encoding="utf-8")

    reviewed = await stack.succeed("evaluation", "review", dataset, "--reject", "1,2")
    assert reviewed.startswith(f"quick v2: {search['cases'] - 2} of {search['cases']} test cases")
    asked = await stack.run("evaluation", "review", dataset)
    assert asked.code == 1
    assert "nothing was stored" in asked.err

    file = tmp_path / "cases.csv"
    await stack.succeed("evaluation", "export", dataset, str(file))
    again = await stack.succeed("evaluation", "import", str(file), "-n", "quick")
    assert again.startswith(f"quick v3: {search['cases']} test cases.")
