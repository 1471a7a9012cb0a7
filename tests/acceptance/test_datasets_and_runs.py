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

    async with stack.client(ann.token) as client:
        for note in (await client.get("/notes", params={"limit": 100})).json()["items"]:
            (await client.delete(f"/notes/{note['id']}")).raise_for_status()
    worse = await ann.refused(
        *("run", "start", dataset, "-k", "3", "--against", "search alone"),
        *("--fail-if", "mrr rises by .1", "--fail-if", "recall drops by .03"),
    )
    assert f"{search['cases']} cases in common, 0 in one run only" in worse
    assert "below “search alone” (95 % interval" in worse
    assert "mrr" not in worse


async def test_a_bad_answer_becomes_a_case_that_guards_releases(stack):
    bob = User(stack, "regressions", await stack.token("regressions"))
    notes = [
        "개봉한 시약은 30일 안에 쓴다.",
        "냉동고는 영하 80도로 유지한다.",
        "배양기는 37도로 맞춘다.",
    ]
    asked = {
        "시약은 며칠 안에 써야 하나요?": "14일 안에 씁니다. [노트 1]",
        "냉동고는 몇 도로 유지하나요?": "영하 20도입니다. [노트 2]",
        "배양기는 몇 도로 맞추나요?": "45도입니다. [노트 3]",
    }
    for question, answer in asked.items():
        sources = [{"content": note} for note in notes]
        body = {"question": question, "answer": answer, "sources": sources, "app_version": "1.4.1"}
        await bob.post("/qa-evaluations", body)
    first, second, third = [row["id"] for row in await bob.judged(3)]

    right = "개봉한 시약은 30일 안에 쓴다."
    added = await bob.do("dataset", "add-from", third, "-n", "regressions", "--answer", right)
    assert added.startswith(f"regressions v1: added with 3 notes; expected: {right}")
    assert "has this case already" in await bob.do("dataset", "add-from", third)
    (stored,) = await bob.json("dataset", "list")
    start = ("run", "start", stored["id"], "-t", "full_rag", "--yes")
    await bob.do(*start, "-n", "one", "--app-version", "1.4.2")
    grown = await bob.do("dataset", "add-from", second)
    assert grown.startswith("regressions v2: added"), "a version that a run has used stays"
    await bob.do("dataset", "add-from", first, "--refusal")

    newest = (await bob.json("dataset", "list"))[0]["id"]
    start = ("run", "start", newest, "-t", "full_rag", "--yes")
    main = await bob.json(*start, "-n", "main", "--app-version", "1.4.3")
    results = {each["question"]: each for each in main["results"]}
    assert [results[question]["mended_in"] for question in asked] == ["1.4.2", "1.4.3", None]
    shown = await bob.do("run", "show", main["id"])
    for fragment in ("main (1.4.3)", "mended in", "1.4.2", "not mended"):
        assert fragment in shown

    falls = ("--fail-if", "faithfulness drops by .03")
    await bob.do(*start, "--against", "main", *falls, "--fail-if", "faithfulness below .5")
    for condition, why in (
        (("--fail-if", "fluency drops by .1"), "answer_relevancy"),
        (("--fail-if", "faithfulness sinks"), "cannot be read"),
        (falls, "give both"),
        (("--against", "release", *falls), "No other completed run of regressions"),
    ):
        assert why in await bob.refused(*start, *condition, code=2)
    show = ("run", "show", main["id"], *falls, "--against")
    assert "too few measured cases in common (1); it takes 2." in await bob.refused(
        *show, "one", code=2
    )
