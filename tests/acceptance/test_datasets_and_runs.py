"""From a notebook to measured search and answers, each step a command against a running stack."""

import json
from pathlib import Path

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
    for told in ("Evaluation Results (k=3)", "Recall@3:", "Faithfulness:", "Answer Relevancy:"):
        assert told in whole

    runs = json.loads(await stack.succeed("evaluation", "runs", "--json"))
    second, first = [run["id"] for run in runs][:2]
    compared = json.loads(await stack.succeed("evaluation", "compare", first, second, "--json"))
    assert {each["cases"] for each in compared["differences"]} == {search["cases"]}

    gated = await stack.run("evaluation", "run", dataset, "--fail-under", "recall=1,precision=0.9")
    assert gated.code == 1
    assert "precision is 0." in gated.err

    file = tmp_path / "cases.csv"
    await stack.succeed("evaluation", "export", dataset, str(file))
    again = await stack.succeed("evaluation", "import", str(file), "-n", "quick")
    assert again.startswith(f"quick v2: {search['cases']} test cases.")
