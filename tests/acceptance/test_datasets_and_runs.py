"""From a notebook to measured search and answers, each step a command against a running stack."""

import json
from xml.etree import ElementTree as ET

import pytest
from users import User

pytestmark = pytest.mark.acceptance


async def test_questions_are_made_measured_and_compared(stack, tmp_path):
    ann = User(stack, "datasets", await stack.token("datasets"))
    await ann.do("notes", "samples", "laboratory")
    await ann.do("dataset", "generate", "laboratory", "-n", "quick", "-q", "1")
    (stored,) = await ann.json("dataset", "list")
    dataset = stored["id"]

    search = await ann.json("run", "start", dataset, "-k", "3", "--name", "search alone")
    whole = await ann.do("run", "start", dataset, "-k", "3", "-t", "full_rag")

    assert search["done"] == search["cases"] > 5
    assert search["metrics"]["recall_at_k"] > 0.5
    assert search["mean_faithfulness"] is None
    for fragment in (
        *("Running Full RAG evaluation (k=3)...", "  Dataset: quick v1 (", "Generation Metrics"),
        *("Evaluation Results (k=3)", "Precision@3:", "Recall@3:", "Hit Rate@3:", "MRR:", "Run: "),
        *("Faithfulness:", "Answer Relevancy:"),
    ):
        assert fragment in whole

    runs = await ann.json("run", "list")
    second, first = [run["id"] for run in runs][:2]
    figures = whole[whole.index("Evaluation Results (k=3)") :]
    assert "Generation Metrics" in figures
    assert figures in await ann.do("run", "show", second)
    assert [run["name"] for run in runs[:2]] == ["quick v1 #2", "search alone"]
    compared = await ann.json("run", "compare", first, second)
    assert {each["cases"] for each in compared["differences"]} == {search["cases"]}

    deeper = (await ann.json("run", "start", dataset, "-k", "5"))["id"]
    assert "k 3 and 5" in await ann.refused("run", "compare", first, deeper)
    several = await ann.do("run", "compare", first, second, second)
    assert "baseline: search alone" in several
    assert "1: quick v1 #2" in several
    assert "Not compared, because only one run generated answers: mean_faithfulness" in several
    assert "k 3 and 5" in await ann.refused("run", "compare", first, second, deeper)

    xml, gates = tmp_path / "junit.xml", "recall=0.1,precision=0.9"
    gated = await ann.refused(
        *("run", "start", dataset, "--fail-under", gates, "--report", str(xml)),
        *("--retrieval", "evidence"),
    )
    assert "precision is 0." in gated
    (suite,) = ET.parse(xml).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    shown = tmp_path / "run.md"
    await ann.refused(*("run", "show", first, "--fail-under", gates, "--report", str(shown)))
    assert "| recall ≥ 0.1 |" in shown.read_text(encoding="utf-8")

    path = f"/evaluation/datasets/{dataset}"
    cases = [case["id"] for case in (await ann.api("GET", path))["test_cases"]]
    reviewed = await ann.api("POST", f"{path}/review", f"reject={json.dumps(cases[:2])}", "edit=[]")
    assert (reviewed["version"], reviewed["cases"]) == (2, search["cases"] - 2)

    file = tmp_path / "cases.csv"
    await ann.do("dataset", "export", dataset, str(file))
    again = await ann.do("dataset", "import", str(file), "-n", "quick")
    assert again.startswith(f"quick v3: {search['cases']} test cases.")
