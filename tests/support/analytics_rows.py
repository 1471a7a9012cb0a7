"""Answers and verdicts put into the tables as they are wanted, for tests of figures over them."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from psycopg.types.json import Jsonb

from app.judges.answer import Fault
from app.quality.analytics.queries import COVERAGE, NamedQuery
from verdict_world import World

NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
JUDGE = "openai:gpt-4o-mini"


async def put(world: World, table: str, **values: Any) -> None:
    names = ", ".join(values)
    places = ", ".join(["%s"] * len(values))
    await world.rows(f"INSERT INTO {table} ({names}) VALUES ({places})", *values.values())


async def put_note(world: World, workspace_id: uuid.UUID, **values: Any) -> uuid.UUID:
    """A note in a notebook of its own."""
    notebook_id, note_id = uuid.uuid4(), uuid.uuid4()
    await put(world, "notebooks", id=notebook_id, workspace_id=workspace_id, name=str(notebook_id))
    written = {"source_key": "환불", "title": "환불 규정", "content_text": "…", "lang": "ko"}
    written |= {"content_hash": "0" * 64, "tags": []} | values
    place = {"workspace_id": workspace_id, "notebook_id": notebook_id}
    await put(world, "notes", id=note_id, **place, **written)
    return note_id


async def put_answer(world: World, workspace_id: uuid.UUID, **values: Any) -> uuid.UUID:
    defaults = {
        "id": uuid.uuid4(),
        "workspace_id": workspace_id,
        "question": "변성 온도는?",
        "answer": "95도입니다. [노트 1]",
        "lang": "ko",
        "feature": "search_qa",
        "origin": "chat",
        "created_at": NOON,
    }
    given = defaults | values
    await put(world, "qa_answers", **given)
    return given["id"]


async def put_verdict(
    world: World,
    workspace_id: uuid.UUID,
    *,
    answer_id: uuid.UUID | None = None,
    at: dt.datetime = NOON,
    answer: Mapping[str, Any] | None = None,
    sources: Sequence[Mapping[str, Any]] = (),
    claims: Sequence[str] = (),
    issues: Sequence[tuple[str, str]] = (),
    calls: Sequence[Mapping[str, Any]] = (),
    **values: Any,
) -> uuid.UUID:
    """One judgement, of a new answer unless `answer_id` names one. It has succeeded with
    correctness 0.9, unless `values` say otherwise. claims: the verdict of each, of a doubtful one
    with its fault, as `unsupported/stitched`."""
    if answer_id is None:
        about = dict(answer or {})
        answer_id = await put_answer(world, workspace_id, created_at=at, **about)
    for source in sources:
        about = {"title": "노트", "content": "…", **source}
        for key in ("cited", "quote_found"):
            about.pop(key, None)
        await put(
            world, "qa_answer_sources", workspace_id=workspace_id, answer_id=answer_id, **about
        )
    (answered,) = await world.rows("SELECT created_at FROM qa_answers WHERE id = %s", answer_id)
    defaults: dict[str, Any] = {
        "id": uuid.uuid4(),
        "workspace_id": workspace_id,
        "answer_id": answer_id,
        "answered_at": answered["created_at"],
        "judge_key": f"search_qa/{JUDGE}/1",
        "evaluators": ["search_qa"],
        "judge_model": JUDGE,
        "status": "succeeded",
        "attempt": 1,
        "created_at": at,
    }
    given = defaults | values
    if given["status"] == "succeeded":
        scores = {"correctness": 0.9, "utility": 0.8, "confidence": "high"}
        made = {"provider": "openai", "model": "gpt-4o-mini", "prompt_version": "1"}
        given = {**scores, **made, **given}
    await put(world, "qa_evaluations", **_counted(sources, claims), **given)
    of_evaluation = {"workspace_id": workspace_id, "evaluation_id": given["id"]}
    for source in sources:
        about = {key: source.get(key) for key in ("note_index", "cited", "quote_found")}
        about |= {"relevant_claim": "", "quote": ""}
        await put(world, "qa_evaluation_sources", **of_evaluation, **about)
    for position, claim in enumerate(claims, start=1):
        verdict, _, fault = claim.partition("/")
        about = {"claim": f"주장 {position}", "verdict": verdict, "quote": "", "reasoning": "why"}
        about["fault"] = fault or None
        await put(world, "qa_claims", **of_evaluation, **about, position=position, source="rules")
    for position, (kind, detail) in enumerate(issues, start=1):
        about = {"position": position, "kind": kind, "detail": detail}
        await put(world, "qa_evaluation_issues", **of_evaluation, **about)
    for call in calls:
        about = {
            "id": uuid.uuid4(),
            "attempt": 1,
            "request_hash": "0" * 64,
            "provider": "openai",
            "model": "gpt-4o-mini",
        }
        await put(world, "judge_calls", **of_evaluation, **{**about, **call})
    return given["id"]


def _counted(sources: Sequence[Mapping[str, Any]], claims: Sequence[str]) -> dict[str, Any]:
    """What the row of a verdict says of its notes and claims."""
    counted: dict[str, Any] = {}
    if claims:
        said = [part for claim in claims for part in claim.split("/")]
        kinds = ["supported", "partly", "unsupported"]
        kinds += get_args(Fault) if len(said) > len(claims) else []
        counted |= {f"claims_{kind}": said.count(kind) for kind in kinds}
    if sources:
        misquoted = [s["note_index"] for s in sources if s.get("quote_found") is False]
        cited = [s["note_index"] for s in sources if s["cited"]]
        counted |= {"cited_notes": cited, "misquoted_notes": misquoted}
    return counted


async def put_label(
    world: World, workspace_id: uuid.UUID, evaluation_id: uuid.UUID, label: str, **values: Any
) -> None:
    """What a person says of the answer as a whole."""
    (row,) = await world.rows("SELECT answer_id FROM qa_evaluations WHERE id = %s", evaluation_id)
    given = {"author": "ann", **values}
    await put(
        world,
        "qa_feedback",
        id=uuid.uuid4(),
        workspace_id=workspace_id,
        evaluation_id=evaluation_id,
        answer_id=row["answer_id"],
        label=label,
        **given,
    )


async def put_steps(
    world: World,
    evaluation_id: uuid.UUID,
    *said: tuple[str, str | None],
    sure: bool = False,
    checked: bool = False,
) -> None:
    """What the judges of a cascade said of a verdict: judge and confidence, None for one that
    failed; the last of them decides. sure, checked: of the first."""
    (row,) = await world.rows(
        "UPDATE qa_evaluations SET cascade = %s, judge_model = %s WHERE id = %s"
        " RETURNING workspace_id",
        *([judge for judge, _ in said], said[-1][0], evaluation_id),
    )
    for position, (judge, confidence) in enumerate(said, start=1):
        first, last = position == 1, position == len(said)
        scores = {"correctness": 0.5, "utility": 0.5, "confidence": confidence}
        await put(
            world,
            "qa_cascade_steps",
            workspace_id=row["workspace_id"],
            evaluation_id=evaluation_id,
            position=position,
            attempt=position,
            judge_model=judge,
            **(scores if confidence else {"error": "transient: x"}),
            sure=None if last and not first else first and sure,
            checked=first and checked,
            decided=last,
            cost_usd="0.001",
        )


_ANSWERS = """
INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin, provider, model,
    notebook_id, app_version, created_at)
SELECT id, %(workspace_id)s, 'q', 'a', lang, 'search_qa', 'chat', 'openai', answer_model,
    notebook_id, app_version, answered_at
FROM jsonb_to_recordset(%(rows)s) AS r (id uuid, lang text, answer_model text, notebook_id uuid,
    app_version text, answered_at timestamptz)
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


async def put_failure(world: World, evaluation_id: uuid.UUID | str, name: str) -> uuid.UUID:
    """A group of failures with this verdict in it."""
    (row,) = await world.rows(
        """WITH f AS (
            INSERT INTO recurring_failures (id, workspace_id, signature, fault, terms, name,
                first_seen_at, last_seen_at)
            SELECT gen_random_uuid(), workspace_id, '', 'partly', '{}', %s, now(), now()
            FROM qa_evaluations WHERE id = %s RETURNING id, workspace_id
        )
        INSERT INTO recurring_failure_answers (workspace_id, failure_id, evaluation_id, answered_at)
        SELECT workspace_id, id, %s, now() FROM f RETURNING failure_id""",
        *(name, evaluation_id, evaluation_id),
    )
    return row["failure_id"]


PATH = Path(__file__).parents[2] / "docs" / "analytics-reference.md"
_HEAD = """\
# Analytics reference

Named queries and views of schema `analytics`, generated by `make reference`.
[analytics.md](analytics.md) explains the figures. Every query takes `--since`, `--until`, `--tz`,
`--model`, `--notebook`, `--limit`, and prints its SQL with `--sql`. The unit and meaning of each
column: `searchqa api GET /analytics/NAME -q columns`.

## Coverage

Columns of most queries, which say what a mean leaves out:
"""
_VIEWS = """\
## Views

`\\d+ analytics.NAME` in `searchqa psql --analyst` lists the columns of a view with their comments.
Views with * count only on days that `rolled_days` names.
"""
_ROLLED = " Counts only on days that rolled_days names."


def render(
    queries: Mapping[str, NamedQuery], views: Mapping[str, Sequence[Mapping[str, Any]]]
) -> str:
    """The page. views: the columns of each, as test_analytics_views.view_columns reads them."""
    coverage = (f"- `{column.name}`: {column.description}" for column in COVERAGE)
    parts = [_HEAD, *coverage, "\n## Named queries\n"]
    for query in queries.values():
        own = [column.name for column in query.columns if column not in COVERAGE]
        names = [*own, *(["coverage"] if len(own) < len(query.columns) else [])]
        columns = ", ".join(f"`{name}`" for name in names)
        parts.append(f"### {query.name}\n\n{query.description.strip()} Columns: {columns}.\n")
    parts.append(_VIEWS)
    for name, columns in views.items():
        described = columns[0]["of_view"].removeprefix("Version 1. ")
        mark = "*" if described.endswith(_ROLLED) else ""
        parts.append(f"- `{name}`{mark}: {described.removesuffix(_ROLLED)}")
    return "\n".join(parts) + "\n"
