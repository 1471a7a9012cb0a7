"""Runs as files: which formats there are, and what to write each with."""

import enum
from collections.abc import Mapping

from app.ai_router.types import Lang
from app.experiments.runs.gates import check_gates
from app.experiments.runs.junit_report import junit_report
from app.experiments.runs.markdown_report import markdown_report
from app.experiments.runs.views import RunDetail


class ReportFormat(enum.StrEnum):
    """junit: XML that CI servers read as tests. markdown: for people."""

    JUNIT = "junit"
    MARKDOWN = "markdown"

    @property
    def media_type(self) -> str:
        return "application/xml" if self is ReportFormat.JUNIT else "text/markdown; charset=utf-8"


def report(run: RunDetail, gates: Mapping[str, float], format_: ReportFormat, lang: Lang) -> bytes:
    """Blocks for a moment with thousands of results."""
    view = run.model_dump(mode="json")
    checked = check_gates(view, gates)
    if format_ is ReportFormat.JUNIT:
        return junit_report(view, checked)
    return markdown_report(view, checked, lang).encode()
