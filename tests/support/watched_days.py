"""Answers and verdicts of many days, put into the tables in two statements, for tests of the
monitor."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Jsonb

from analytics_rows import JUDGE, put
from verdict_world import World

_ANSWERS = """
INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin, provider, model,
    notebook_id, created_at)
SELECT id, %(workspace_id)s, 'q', 'a', lang, 'search_qa', 'chat', 'openai', answer_model,
    notebook_id, answered_at
FROM jsonb_to_recordset(%(rows)s) AS r (id uuid, lang text, answer_model text, notebook_id uuid,
    answered_at timestamptz)
"""
_VERDICTS = """
INSERT INTO qa_evaluations (id, workspace_id, answer_id, answered_at, judge_key, evaluators,
    judge_model, status, reason, error, attempt, correctness, utility, confidence, degraded,
    provider, model, prompt_version, misquoted_notes)
SELECT id, %(workspace_id)s, id, answered_at, 'search_qa/' || judge_model, ARRAY['search_qa'],
    judge_model, status, reason, error, 1, correctness,
    CASE WHEN correctness IS NOT NULL THEN 0.8 END, CASE WHEN correctness IS NOT NULL
    THEN 'medium' END, degraded, 'openai', 'm', prompt_version, misquoted_notes
FROM jsonb_to_recordset(%(rows)s) AS r (id uuid, answered_at timestamptz, judge_model text,
    status text, reason text, error text, correctness float8, degraded bool, prompt_version text,
    misquoted_notes smallint[])
"""


def answer(day: dt.date, correctness: float | None = 0.9, **values: Any) -> dict[str, Any]:
    """A row of an answer given at noon (UTC) and its verdict."""
    status = "failed" if correctness is None else "succeeded"
    return {
        "id": uuid.uuid4(),
        "answered_at": dt.datetime.combine(day, dt.time(12), dt.UTC),
        "lang": "ko",
        "answer_model": "small",
        "notebook_id": None,
        "judge_model": JUDGE,
        "status": status,
        "reason": None,
        "error": "why" if status == "failed" else None,
        "correctness": correctness,
        "degraded": False,
        "prompt_version": "1",
        "misquoted_notes": None,
    } | values


async def put_days(
    world: World, workspace_id: uuid.UUID, answers: Sequence[dict[str, Any]]
) -> None:
    rows = [
        {
            name: str(value) if isinstance(value, uuid.UUID | dt.datetime) else value
            for name, value in row.items()
        }
        for row in answers
    ]
    async with world.pool.connection() as connection:
        for statement in (_ANSWERS, _VERDICTS):
            await connection.execute(statement, {"workspace_id": workspace_id, "rows": Jsonb(rows)})


async def put_alarm(world: World, workspace_id: uuid.UUID, judge_model: str = JUDGE) -> uuid.UUID:
    """An alarm as the monitor stores it."""
    id_ = uuid.uuid4()
    await put(
        world,
        "quality_alarms",
        id=id_,
        workspace_id=workspace_id,
        judge_model=judge_model,
        series="score",
        compared_from=dt.date(2026, 1, 1),
        began_on=dt.date(2026, 2, 1),
        noticed_on=dt.date(2026, 2, 5),
        before=0.9,
        after=0.5,
        answers_before=100,
        answers_after=100,
        causes=Jsonb([]),
    )
    return id_
