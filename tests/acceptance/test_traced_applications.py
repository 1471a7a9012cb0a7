"""Applications that are instrumented get verdicts by the address of their exporter alone."""

import asyncio
import sys
from pathlib import Path

import pytest
from users import User

from live_stack import open_with_notes

pytestmark = pytest.mark.acceptance

APPS = Path(__file__).parent / "traced_apps"


async def run(user: User, app: str, question: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(APPS / app), question),
        env={
            "PATH": "/usr/bin:/bin",
            "OTEL_EXPORTER_OTLP_ENDPOINT": user.stack.info.api_url,
            "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{user.token}",
            "OTEL_SERVICE_NAME": app.removesuffix("_app.py"),
        },
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()


async def test_chains_of_langchain_and_llama_index_get_their_verdicts(stack):
    user = User(stack, "traced", await open_with_notes(stack, "traced"))

    await asyncio.gather(
        run(user, "langchain_app.py", "PCR 변성은 몇 도에서 하나요?"),
        run(user, "llama_index_app.py", "How warm is the incubator?"),
    )

    views = {view["lang"]: view for view in await user.judged(2)}
    assert all(view["confidence"] for view in views.values())
    assert views["ko"]["question"] == "PCR 변성은 몇 도에서 하나요?"
    rows = await stack.rows(
        "SELECT a.lang, s.title, s.content FROM qa_answer_sources s"
        " JOIN qa_answers a ON a.id = s.answer_id JOIN workspaces w ON w.id = a.workspace_id"
        " WHERE a.origin = 'otlp' AND w.name = 'traced' ORDER BY 1, 2"
    )
    assert [(row["lang"], row["title"]) for row in rows] == [
        ("en", "Incubator"),
        ("ko", "PCR 조건"),
        ("ko", "배양기"),
    ]
    summary = await user.api("GET", "/traces/summary")
    assert summary["outcomes"]["answered"] == summary["counts"]["answers"] == 2
    assert {trace["service"] for trace in summary["newest"]} == {"langchain", "llama_index"}
    assert "RunnableSequence" in await user.do("api", "GET", "/traces/summary", "outcome=answered")
