"""A run as JUnit XML: what CI servers read as tests."""

import datetime as dt
import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from app.experiments.runs.gates import Gate
from app.experiments.runs.reading import View

# All that XML 1.0 (section 2.2) cannot carry, not even escaped.
_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME_CHARS = 200


def junit_report(run: View, gates: Sequence[Gate]) -> bytes:
    """One test for the run itself, one for each gate, and one for each case that failed."""
    name = f"{run['dataset_name']} v{run['dataset_version']}"
    suite = Element("testsuite", name=_text(name))
    _add_properties(suite, run)
    _add(suite, "run", "completed", _why_not_completed(run))
    for gate in gates:
        _add(suite, "gate", f"{gate.name} >= {gate.least:g}", None if gate.passed else gate.told)
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
    told = f"The run is {run['status']} after {run['done']:,} of {run['cases']:,} cases."
    return f"{told} {run['error_message']}" if run["error_message"] else told


def _add_properties(suite: Element, run: View) -> None:
    wanted = (
        *("id", "name", "evaluation_type", "retrieval", "k"),
        *("answer_model", "judge_model", "prompt_version", "cases"),
    )
    figures = {name: run[name] for name in wanted}
    figures |= {key: value for key, value in (run["metrics"] or {}).items() if key != "intervals"}
    figures |= {name: run[name] for name in ("mean_faithfulness", "mean_answer_relevancy")}
    properties = SubElement(suite, "properties")
    for name, value in figures.items():
        if value is not None:
            SubElement(properties, "property", name=name, value=_text(str(value)))


def _add(
    suite: Element, kind: str, name: str, told: str | None, *, outcome: str = "failure"
) -> None:
    named = _text(name)[:_NAME_CHARS]
    case = SubElement(suite, "testcase", classname=f"searchqa.{kind}", name=named)
    if told is not None:
        SubElement(case, outcome, message=_text(told)).text = _text(told)


def _text(text: str) -> str:
    return _UNSPEAKABLE.sub("\ufffd", text)
