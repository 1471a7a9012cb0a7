"""Answers are stored under the policy of their workspace, at no more cost than before."""

import re
import uuid
from typing import Any

import psycopg
import pytest
from psycopg.sql import Composed

from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from verdict_world import World, finished_answer, set_policy, settings


async def finish(world: World, workspace_id: uuid.UUID, **changes: object) -> dict[str, Any]:
    server = EvaluationPolicy.from_settings(settings())
    new = await finish_answer(world.pool, server, finished_answer(workspace_id, **changes))
    return await world.row(new.evaluation_id)


async def test_each_filter_skips_its_answers_with_a_reason(world):
    workspace_id, notebook_id = await set_policy(world, settings()), uuid.uuid4()
    await world.rows(
        "INSERT INTO notebooks (id, workspace_id, name) VALUES (%s, %s, 'n')",
        *(notebook_id, workspace_id),
    )
    filters = {
        "features": ["insight"],
        "languages": ["en"],
        "min_answer_chars": 100,
        "notebook_ids": [str(notebook_id)],
    }
    passes = {
        "features": {"feature": "insight"},
        "languages": {"lang": "en"},
        "min_answer_chars": {"answer": "변성은 95도에서 합니다. " * 10},
        "notebook_ids": {"notebook_id": notebook_id},
    }
    reasons = ("feature", "language", "length", "notebook")

    for version, (name, reason) in enumerate(zip(filters, reasons, strict=True), start=2):
        await set_policy(world, settings(), **{name: filters[name]})
        left_out = await finish(world, workspace_id)
        judged = await finish(world, workspace_id, **passes[name])

        assert (left_out["status"], left_out["reason"]) == ("skipped", f"filtered_{reason}")
        assert (judged["status"], judged["reason"]) == ("queued", None)
        assert left_out["policy_version"] == judged["policy_version"] == version


async def test_a_skipped_row_has_one_of_the_known_reasons(world):
    workspace_id = await set_policy(world, settings(), enabled=False)
    row = await finish(world, workspace_id)

    with pytest.raises(psycopg.errors.CheckViolation):
        await world.rows("UPDATE qa_evaluations SET reason = 'mood' WHERE id = %s", row["id"])


async def test_the_policy_costs_no_statement_of_its_own(world, monkeypatch):
    workspace_id = await set_policy(world, settings(), sample_rate=1)
    execute = psycopg.AsyncCursor.execute
    seen: list[str] = []

    def note(cursor: psycopg.AsyncCursor, query: bytes | Composed, *rest: Any, **kw: Any) -> Any:
        statement = query.decode() if isinstance(query, bytes) else query.as_string(cursor)
        seen.append(
            " ".join(re.findall(r"set_config|INSERT INTO \w+|evaluation_policies", statement))
        )
        return execute(cursor, query, *rest, **kw)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", note)
    server = EvaluationPolicy.from_settings(settings())
    await finish_answer(world.pool, server, finished_answer(workspace_id))

    entering, storing, planning = seen
    assert "set_config" in entering
    assert set(storing.split()) >= {"qa_answers", "evaluation_policies"}
    assert "evaluation_policies" not in planning
