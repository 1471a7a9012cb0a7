"""How a verdict is printed."""

import io

import pytest
from rich.console import Console

from app.cli.output import View
from app.cli.verdict_view import show_verdict

VERDICT: View = {
    "id": "0190",
    "status": "succeeded",
    "judged_by": "model",
    "degraded": False,
    "fallback_because": None,
    "qa_evaluation": None,
    "quality": None,
    "refinement": None,
    "provider": "openai",
    "model": "gpt-4o-mini",
    "judge_model": "openai:gpt-4o-mini",
    "judge_ms": 12.0,
    "attempt": 1,
}


@pytest.mark.parametrize(
    ("figures", "printed"),
    [
        ({"cost_usd": 0.0003, "from_cache": False}, "· 12 ms · $0.000300 ·"),
        (
            {"cost_usd": 0.0, "from_cache": True},
            "· 12 ms · stored reply to an identical request · $0.000000 ·",
        ),
        # Of a server that is older than this command.
        ({"cost_usd": None}, "· 12 ms · 0190"),
    ],
)
def test_the_last_line_tells_where_the_reply_came_from(figures, printed):
    out = io.StringIO()

    show_verdict(Console(file=out, width=200), VERDICT | figures, "en")

    assert printed in out.getvalue()


@pytest.mark.parametrize(
    ("lang", "printed"),
    [
        ("en", "Own criteria: tone polite · len met · is_json not met · open 70% · left no score"),
        ("ko", "자체 기준: tone polite · len 충족 · is_json 미충족 · open 70% · left 점수 없음"),
    ],
)
def test_scores_by_own_criteria_are_printed_in_one_line(lang, printed):
    criteria = [
        {"name": name, "value": value, "label": label, "source": source}
        for name, value, label, source in (
            ("tone", 0.5, "polite", "judge"),
            ("len", 1, None, "rules"),
            ("is_json", 0, None, "rules"),
            ("open", 0.7, None, "judge"),
            ("left", None, None, "judge"),
        )
    ]
    out = io.StringIO()

    show_verdict(
        Console(file=out, width=200), VERDICT | {"cost_usd": None, "criteria": criteria}, lang
    )

    assert printed in out.getvalue()
