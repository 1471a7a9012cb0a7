"""A run as JUnit XML and as Markdown, with text that would like to be markup."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from app.cli.run_report import show_comparison, show_run
from app.experiments.runs.diagnosis import check_gates, parse_gates
from app.experiments.runs.reports import junit_report, markdown_report
from app.platform.errors import InvalidRequest

HOSTILE = (
    "]]><x a='1'>&amp; \x00\x1b[31m \ud800 \ufffe | `code` <script>alert(1)</script>\n# head @all"
)


def judged(mean: float, parsed: int = 2) -> dict[str, Any]:
    return {"mean": mean, "interval": {"low": mean - 0.1, "high": mean}, "parsed": parsed}


def result(**changes: Any) -> dict[str, Any]:
    values = {
        "question": "몇 도인가요?",
        "recall": 1.0,
        "faithfulness": 0.9,
        "answer_relevancy": 0.9,
        "generated_answer": "95도",
        "passed": None,
        "mended_in": None,
        "error": None,
    }
    return values | changes


def run(**changes: Any) -> dict[str, Any]:
    names = ("precision_at_k", "recall_at_k", "hit_rate_at_k", "mrr", "map", "ndcg_at_k")
    metrics = dict.fromkeys(names, 0.5) | {
        "k": 5,
        "missing_chunks": 0,
        "intervals": dict.fromkeys(names),
    }
    generation = {
        "mean_faithfulness": 0.9,
        "mean_answer_relevancy": 0.3,
        "faithfulness": judged(0.9),
        "answer_relevancy": judged(0.3),
    }
    values = {
        "id": "r1",
        "name": "새 프롬프트",
        "dataset_name": "기본",
        "dataset_version": 2,
        "status": "completed",
        "k": 5,
        "evaluation_type": "full_rag",
        "retrieval": "text",
        "answer_model": "offline:extractive",
        "judge_model": "offline:rules",
        "prompt_version": "rules-2",
        "app_version": None,
        "waits_for": None,
        "waits_until": None,
        "cases": 2,
        "done": 2,
        "metrics": metrics,
        "mean_faithfulness": 0.9,
        "mean_answer_relevancy": 0.3,
        "summary": {"metrics": metrics, "generation": generation, "failed": 0},
        "error_message": None,
        "created_at": "2026-01-02T03:04:05Z",
        "updated_at": "2026-01-02T03:04:07.500Z",
        "results": [result(), result(recall=0.0)],
    }
    return values | changes


def junit(run_detail: dict[str, Any], gates: str = "") -> ET.Element:
    checked = check_gates(run_detail, parse_gates(gates) if gates else {})
    return ET.fromstring(junit_report(run_detail, checked))


class TestJUnit:
    def test_has_a_test_for_the_run_and_for_each_gate(self):
        suites = junit(run(), "recall=0.5,answer_relevancy=0.8")

        (suite,) = suites
        assert (suites.tag, suite.get("name"), suite.get("time")) == (
            "testsuites",
            "기본 v2",
            "2.500",
        )
        assert [suite.get(count) for count in ("tests", "failures", "errors")] == ["3", "1", "0"]
        run_detail = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
        assert run_detail["completed"] is None
        assert run_detail["recall >= 0.5"] is None
        failure = run_detail["answer_relevancy >= 0.8"]
        assert failure.get("message") == "answer_relevancy is 0.3000, below 0.8."

    def test_has_an_error_for_each_case_that_failed(self):
        (suite,) = junit(run(results=[result(error="transient: busy"), result()]))

        assert suite.get("errors") == "1"
        (error,) = suite.iter("error")
        assert error.get("message") == "transient: busy"

    def test_a_run_that_did_not_complete_fails(self):
        run_detail = run(status="failed", error_message="died", summary=None, metrics=None)

        (suite,) = junit(run_detail, "recall=0.5")

        messages = [failure.get("message") for failure in suite.iter("failure")]
        assert messages == [
            "The run is failed after 2 of 2 cases. died",
            "recall was not measured, so it is not at least 0.5.",
        ]

    def test_is_xml_whatever_is_in_it(self):
        run_detail = run(
            dataset_name=HOSTILE, name=HOSTILE, results=[result(question=HOSTILE, error=HOSTILE)]
        )

        (suite,) = junit(run_detail)

        assert "<script>" in (suite.get("name") or "")
        (case,) = [each for each in suite.iter("testcase") if each.find("error") is not None]
        assert "]]><x a='1'>&amp;" in (case.get("name") or "")
        assert not list(suite.iter("x"))


class TestMarkdown:
    def test_tells_gates_figures_and_what_they_mean(self):
        run_detail = run()
        gates = check_gates(run_detail, parse_gates("recall=0.5,answer_relevancy=0.8"))

        text = markdown_report(run_detail, gates, "en")

        assert "| recall ≥ 0.5 | 0.5000 | ✅ |" in text
        assert "| answer_relevancy ≥ 0.8 | 0.3000 | ❌ |" in text
        assert "| mean_faithfulness | 0.9000 | 0.8000 to 0.9000 |" in text
        assert "Needs work" in text
        assert "개선 필요" in markdown_report(run_detail, gates, "ko")

    def test_says_how_many_chunks_are_gone(self):
        run_detail = run()
        run_detail["metrics"]["missing_chunks"] = 3

        assert "no longer exist and count as missed: 3" in markdown_report(run_detail, [], "en")
        assert "no longer exist" not in markdown_report(run(), [], "en")

    def test_makes_no_markup_of_what_is_not_ours(self):
        run_detail = run(dataset_name=HOSTILE, results=[result(question=HOSTILE, error=HOSTILE)])

        text = markdown_report(run_detail, [], "en")

        for markup in ("<script>", "\n# head", " @all", " `code", " | `", "\x1b", "\x00"):
            assert markup not in text
        assert "\\<script\\>" in text

    def test_says_when_the_judge_said_nothing(self):
        run_detail = run()
        generation = run_detail["summary"]["generation"]
        generation |= {"faithfulness": judged(0, 0), "answer_relevancy": judged(0, 0)}

        text = markdown_report(run_detail, [], "en")

        assert "these means say nothing of quality" in text
        assert "Needs work" not in text
        (gate,) = check_gates(run_detail, {"faithfulness": 0.0})
        assert not gate.passed, "0.0 that nobody judged is no 0.0"


@pytest.mark.parametrize("written", ["", "recall", "recall=2", "speed=0.5", "recall=0.5;mrr=1"])
def test_gates_that_cannot_be_read(written):
    with pytest.raises(InvalidRequest, match="write NAME=VALUE"):
        parse_gates(written)


class TestInTheTerminal:
    def test_says_name_models_and_chunks_that_are_gone(self, capsys):
        run_detail = run()
        run_detail["metrics"]["missing_chunks"] = 3

        show_run(run_detail, "en")

        shown = " ".join(capsys.readouterr().out.split())
        assert "새 프롬프트: 기본 v2, text" in shown
        assert "judged by offline:rules (rules-2)" in shown
        assert "count as missed: 3" in shown

    @pytest.mark.parametrize(("lang", "names"), [("ko", "우수 개선"), ("en", "Excellent Needs")])
    def test_has_the_bands_in_the_readers_language(self, lang, names, capsys):
        show_run(run(), lang)

        shown = capsys.readouterr().out
        assert all(name in shown for name in names.split())

    def test_says_what_a_run_waits_for(self, capsys):
        waits = {"waits_for": "budget_spent", "waits_until": "2031-05-11T00:00:00Z"}

        show_run(run(status="running", **waits), "en")

        run_detail = capsys.readouterr().out
        assert "The daily budget is spent; the run continues at 2031-05-1" in run_detail

    @pytest.mark.parametrize(
        ("because", "sentence"), [("k", "k differs: mrr."), ("dataset", "the datasets differ in")]
    )
    def test_says_what_is_not_compared(self, because, sentence, capsys):
        names = ("name", "cost_usd", "latency_ms", "retrieval")
        sides = {f"{which}_{name}": None for which in ("first", "second") for name in names}
        refused = [{"because": because, "names": ["mrr"]}]
        lists = {"differences": [], "flipped": [], "not_compared": refused}
        counts = {
            "first_k": 3,
            "second_k": 5,
            "only_first": 0,
            "only_second": 0,
            "notes_changed": 0,
        }

        show_comparison(sides | lists | counts)

        assert sentence in " ".join(capsys.readouterr().out.split())
