"""Runs as files: JUnit XML for CI servers, Markdown for people."""

import datetime as dt
import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from app.ai_router.types import Lang
from app.experiments.parts import markdown_table, plain_text
from app.experiments.runs.diagnosis import Gate, View, advice, caveats, check_gates, meanings, worst
from app.experiments.runs.service import RunDetail

# All that XML 1.0 (section 2.2) cannot carry, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME_CHARS = 200


def junit_report(run: View, gates: Sequence[Gate]) -> bytes:
    """One test for the run itself, one for each gate, and one for each case that failed."""
    name = f"{run['dataset_name']} v{run['dataset_version']}"
    suite = Element("testsuite", name=_text(name))
    _add_properties(suite, run)
    _add(suite, "run", "completed", _why_not_completed(run))
    for gate in gates:
        failure = None if gate.passed else gate.sentence
        _add(suite, "gate", f"{gate.name} >= {gate.minimum:g}", failure)
    for result in run["results"]:
        if result["error"]:
            _add(suite, "case", result["question"], result["error"], outcome="error")
    counts = {
        "tests": str(len(suite.findall("testcase"))),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": str(len(suite.findall("testcase/error"))),
    }
    began, ended = (dt.datetime.fromisoformat(run[at]) for at in ("created_at", "updated_at"))
    suite.attrib.update(counts, timestamp=run["created_at"], skipped="0")
    suite.set("time", f"{(ended - began).total_seconds():.3f}")
    whole = Element("testsuites", counts, name="searchqa")
    whole.append(suite)
    indent(whole)
    written: bytes = tostring(whole, encoding="utf-8", xml_declaration=True)
    return written


def _why_not_completed(run: View) -> str | None:
    if run["status"] == "completed":
        return None
    sentence = f"The run is {run['status']} after {run['done']:,} of {run['cases']:,} cases."
    return f"{sentence} {run['error_message']}" if run["error_message"] else sentence


def _add_properties(suite: Element, run: View) -> None:
    wanted = (
        *("id", "name", "evaluation_type", "retrieval", "k"),
        *("answer_model", "judge_model", "prompt_version", "app_version", "cases"),
    )
    figures = {name: run[name] for name in wanted}
    figures |= {key: value for key, value in (run["metrics"] or {}).items() if key != "intervals"}
    figures |= {name: run[name] for name in ("mean_faithfulness", "mean_answer_relevancy")}
    properties = SubElement(suite, "properties")
    for name, value in figures.items():
        if value is not None:
            SubElement(properties, "property", name=name, value=_text(str(value)))


def _add(
    suite: Element, kind: str, name: str, problem: str | None, *, outcome: str = "failure"
) -> None:
    named = _text(name)[:_NAME_CHARS]
    case = SubElement(suite, "testcase", classname=f"searchqa.{kind}", name=named)
    if problem is not None:
        SubElement(case, outcome, message=_text(problem)).text = _text(problem)


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def markdown_report(run: View, gates: Sequence[Gate], lang: Lang) -> str:
    """Figures, gates, what the means leave out, what they mean, and the worst cases. Text that is
    not ours is escaped: it makes no markup, no link and no mention."""
    return "\n".join(_lines(run, gates, lang)) + "\n"


def _lines(run: View, gates: Sequence[Gate], lang: Lang) -> Iterator[str]:
    yield f"# {plain_text(run['name'])}"
    yield ""
    yield (
        f"{plain_text(run['dataset_name'])} v{run['dataset_version']},"
        f" {run['evaluation_type']}, retrieval {run['retrieval']}, k = {run['k']}:"
        f" **{run['status']}**, {run['done']:,} of {run['cases']:,} cases"
    )
    if gates:
        rows = [
            (f"{gate.name} ≥ {gate.minimum:g}", _figure(gate.value), "✅" if gate.passed else "❌")
            for gate in gates
        ]
        yield from markdown_table(("gate", "value", ""), rows)
    if run["summary"] is None:
        if run["error_message"]:
            yield from ("", plain_text(run["error_message"]))
        return
    yield from markdown_table(("mean", "value", "95 % interval"), list(_figures(run)))
    for caveat in caveats(run):
        yield from ("", f"⚠️ {plain_text(caveat)}")
    for sentence in meanings(run, lang):
        yield from ("", plain_text(sentence))
    for each in advice(run):
        yield from ("", f"**{plain_text(each.title[lang])}** {plain_text(each.symptom[lang])}", "")
        yield from (f"- {plain_text(action[lang])}" for action in each.actions)
    yield from _worst(run)


def _figures(run: View) -> Iterator[Sequence[str]]:
    metrics, generation = run["metrics"], run["summary"]["generation"]
    if metrics is not None:
        for name, interval in metrics["intervals"].items():
            yield name, _figure(metrics[name]), _interval(interval)
    if generation is not None:
        for name in ("faithfulness", "answer_relevancy"):
            mean = generation[name]
            yield f"mean_{name}", _figure(mean["mean"]), _interval(mean["interval"])


def _worst(run: View) -> Iterator[str]:
    rows = [
        (
            _figure(each["recall"]),
            _figure(each["faithfulness"]),
            _figure(each["answer_relevancy"]),
            plain_text(each["question"]),
            plain_text(each["error"] or each["generated_answer"] or ""),
        )
        for each in worst(run["results"])
    ]
    if rows:
        yield from markdown_table(("recall", "faithful", "relevant", "worst cases", "answer"), rows)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _interval(interval: View | None) -> str:
    return "–" if interval is None else f"{interval['low']:.4f} to {interval['high']:.4f}"


class RunReportFormat(enum.StrEnum):
    """junit: XML that CI servers read as tests. markdown: for people."""

    JUNIT = "junit"
    MARKDOWN = "markdown"

    @property
    def media_type(self) -> str:
        return (
            "application/xml" if self is RunReportFormat.JUNIT else "text/markdown; charset=utf-8"
        )


def report(
    run: RunDetail, gates: Mapping[str, float], format_: RunReportFormat, lang: Lang
) -> bytes:
    """Blocks for a moment with thousands of results."""
    view = run.model_dump(mode="json")
    checked = check_gates(view, gates)
    if format_ is RunReportFormat.JUNIT:
        return junit_report(view, checked)
    return markdown_report(view, checked, lang).encode()
