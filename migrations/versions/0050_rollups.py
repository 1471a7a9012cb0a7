"""Rollups of what queries add up, and the marks that say which days have changed since.

Days are rolled up by the dispatcher after this; until then queries read single rows. Processes of
the release before mark days too, for triggers do it.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

from app.verdicts.models.evaluations import Xid8
from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0050"
down_revision: str | None = "0046"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_INT, _BIG, _EXACT, _TEXT = "integer NOT NULL", "bigint", "numeric", "text"
_DAYS, _MARKS = "qa_rolled_days", "qa_changed_days"
# By table: the columns, their types and meanings, which are those of the views in `analytics`.
_COUNTS = {
    "answers": (_INT, "All judgements."),
    "judged": (_INT, "Of them with a verdict."),
    "scored": (_INT, "Of them with a correctness that is not degraded."),
    "degraded": (_INT, "Verdicts of rules that stood in for a judge."),
    "skipped": (_INT, "Not judged, for a stated reason."),
    "failed": (_INT, "Judging failed."),
    "pending": (_INT, "The verdict is still to come."),
}
_NOTE = {
    "judge_model": (f"{_TEXT} NOT NULL", "Judge that was asked."),
    "note_id": ("uuid", "The note; NULL when it is not ours or gone."),
    "foreign_title": (_TEXT, "The title of a note without an id."),
    "title": (f"{_TEXT} NOT NULL", "Its title, the greatest of all in the order of the alphabet."),
}
_TABLES: Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]] = {
    "hourly_verdicts": (
        "Judgements of each hour, counted and added up by what they have in common.",
        {
            "judge_key": (f"{_TEXT} NOT NULL", "Evaluators, judge and prompt version asked for."),
            "judge_model": (f"{_TEXT} NOT NULL", "Judge that was asked."),
            "made_by": (_TEXT, "Judge that made the verdicts."),
            "prompt_version": (_TEXT, "Version of its prompts."),
            "is_current": ("boolean NOT NULL", "Whether they stand for their answers."),
            "is_skipped": ("boolean NOT NULL", "Whether they were skipped."),
            "reason": (_TEXT, "Why they are skipped or wait."),
            "lang": (_TEXT, "Language of the questions."),
            "feature": (_TEXT, "Feature of the note app."),
            "answer_model": (_TEXT, "Model that answered."),
            "search_method": (_TEXT, "How notes were found."),
            **_COUNTS,
            "correctness": (_BIG, "Sum of correctness, in billionths, of the scored."),
            "correctness_squares": (_EXACT, "Sum of its squares."),
            "with_utility": (_INT, "Verdicts with a utility that are not degraded."),
            "utility": (_BIG, "Sum of their utility, in billionths."),
            "utility_squares": (_EXACT, "Sum of its squares."),
            "high": ("integer", "Verdicts with high confidence that are not degraded."),
            "medium": ("integer", "The same with medium confidence."),
            "low": ("integer", "The same with low confidence."),
            "with_claims": ("integer", "Verdicts with at least one claim."),
            "claims_supported": ("integer", "Claims that the notes bear out."),
            "claims_partly": ("integer", "Claims that they bear out in part."),
            "claims_unsupported": ("integer", "Claims that they do not bear out."),
            "undegraded": (_INT, "Verdicts that are not degraded."),
            "from_cache": (_INT, "Of them from the reply to an identical request."),
            "attempts": (_INT, "How often a worker took them."),
            "tries": (_INT, "Attempts that a transient failure used up."),
            "crashes": (_INT, "Leases that expired."),
            "first_requested_at": ("timestamptz", "When the first of the scored was asked for."),
        },
    ),
    "hourly_calls": (
        "Calls for the judgements of each hour, by the judge that was asked.",
        {
            "judge_model": (f"{_TEXT} NOT NULL", "Judge that was asked."),
            "calls": (_INT, "Calls."),
            "errors": (_INT, "Of them without a reply."),
            "malformed": (_INT, "Of them with a reply that could not be used."),
            "prompt_tokens": (_BIG, "Tokens sent."),
            "completion_tokens": (_BIG, "Tokens received."),
            "cached_tokens": (_BIG, "Of the tokens sent from the cache of the vendor."),
            "cost_usd": (_EXACT, "Cost in US dollars; NULL where none has a known price."),
            "unpriced": (_INT, "Calls without a known price."),
            "batched": (_INT, "Calls that were lines of a batch."),
            "batched_cost_usd": (_EXACT, "Their cost."),
        },
    ),
    "hourly_issues": (
        "Issues of the current verdicts of each hour.",
        {
            "judge_model": (f"{_TEXT} NOT NULL", "Judge that was asked."),
            "kind": (f"{_TEXT} NOT NULL", "Kind of issue."),
            "issues": (_INT, "How many."),
            "answers": (_INT, "Answers with at least one."),
            "example": (_TEXT, "The last detail in the order of the alphabet."),
        },
    ),
    "hourly_pairs": (
        "Pairs of judgements of the answers of each hour, the lesser key first.",
        {
            "judge_model": (_TEXT, "Judge that was asked; NULL where two were."),
            "first_key": (f"{_TEXT} NOT NULL", "judge_key of the one."),
            "second_key": (f"{_TEXT} NOT NULL", "judge_key of the other."),
            "pairs": (_INT, "How many."),
            "first_correctness": (
                "bigint NOT NULL",
                "Sum of correctness by the one, in billionths.",
            ),
            "second_correctness": ("bigint NOT NULL", "Sum of correctness by the other."),
            "difference_squares": ("numeric NOT NULL", "Sum of the squares of their differences."),
        },
    ),
    "daily_note_uses": (
        "Notes that the answers of each day (UTC) with a verdict were given, part by part.",
        {
            **_NOTE,
            "given": (_INT, "How often."),
            "cited": ("integer", "Of them cited."),
            "ignored": ("integer", "Of them not cited."),
            "misquoted": ("integer", "Of them quoted with words that do not stand there."),
        },
    ),
    "daily_note_citations": (
        "Notes that the answers of each day (UTC) cite.",
        {
            **_NOTE,
            "cited": ("integer", "Answers that cite it."),
            "scored": (_INT, "Of them with a correctness that is not degraded."),
            "correctness": (_BIG, "Sum of their correctness, in billionths."),
            "ungrounded": ("integer", "Of them with a correctness below 0.5."),
            "misquoted": ("integer", "Answers that misquote it."),
        },
    ),
}
# A day that is not over by the clock is open, whatever the clock said before.
_ROLLED_VIEW = """
SELECT d.workspace_id, d.day FROM qa_rolled_days d
WHERE d.rolled_at IS NOT NULL
    AND d.day < ((now() - interval '1 hour') AT TIME ZONE 'UTC')::date
    AND NOT EXISTS (
    SELECT FROM qa_changed_days c WHERE c.workspace_id = d.workspace_id AND c.day = d.day)
"""
# Statement triggers, which partitioned tables have as well: the function that finds the days of a
# table's rows, by statements. A row's day never changes. Issues and notes come with their
# judgement, in its transaction. In the order in which writers lock the tables: in another one
# they and the migration would wait for each other, and PostgreSQL ends a writer.
_EVENTS = {"INSERT": "NEW", "UPDATE": "OLD", "DELETE": "OLD"}
_TRIGGERS = {
    "qa_answer_sources": ("mark_days_of_notes", ("UPDATE", "DELETE")),
    "qa_evaluations": ("mark_days_of_verdicts", ("INSERT", "UPDATE", "DELETE")),
    "judge_calls": ("mark_days_of_findings", ("INSERT", "UPDATE", "DELETE")),
    "qa_evaluation_issues": ("mark_days_of_findings", ("UPDATE", "DELETE")),
}
_VIEW_OWNER, _READERS = "searchqa_views", "searchqa_analyst, searchqa_app"
_SEEN = "workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces()))"


def upgrade() -> None:
    _create_days()
    for name, (_, columns) in _TABLES.items():
        _create_rollup(f"qa_{name}", {column: type_ for column, (type_, _) in columns.items()})
    op.execute(f"GRANT CREATE ON SCHEMA analytics TO {_VIEW_OWNER}")
    for table in (_DAYS, _MARKS, *(f"qa_{name}" for name in _TABLES)):
        protect(table)
        op.execute(f"GRANT SELECT ON {table} TO {_VIEW_OWNER}")
        op.execute(
            f"CREATE POLICY analytics ON {table} FOR SELECT TO {_VIEW_OWNER} USING ({_SEEN})"
        )
    for name, (meaning, columns) in _TABLES.items():
        described = {"at": "When the hour or the day began, of the answers."}
        described |= {column: what for column, (_, what) in columns.items()}
        query = f"SELECT workspace_id, {', '.join(described)} FROM qa_{name}"
        _create_view(
            name, query, f"{meaning} Counts only on days that rolled_days names.", described
        )
    _create_view(
        "rolled_days",
        _ROLLED_VIEW,
        "Days (UTC) whose rollups say what single rows say.",
        {"day": "The day."},
    )
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {_VIEW_OWNER}")
    _create_triggers()


def downgrade() -> None:
    for table, (function, events) in _TRIGGERS.items():
        for event in events:
            op.execute(f"DROP TRIGGER {function}_{event.lower()} ON {table}")
    for function in {function for function, _ in _TRIGGERS.values()}:
        op.execute(f"DROP FUNCTION {function}")
    for name in ("rolled_days", *_TABLES):
        op.execute(f"DROP VIEW analytics.{name}")
    for table in (*(f"qa_{name}" for name in _TABLES), _MARKS, _DAYS):
        op.execute(f"DROP POLICY analytics ON {table}")
        unprotect(table)
        op.drop_table(table)


def _create_days() -> None:
    op.create_table(
        _DAYS,
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("fence", Xid8()),
        sa.Column("rolled_at", sa.DateTime(timezone=True)),
        _of_workspace(_DAYS),
        sa.PrimaryKeyConstraint("workspace_id", "day", name=op.f(f"pk_{_DAYS}")),
    )
    op.create_table(
        _MARKS,
        _id(),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.func.clock_timestamp(),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{_MARKS}")),
    )
    op.create_index(op.f(f"ix_{_MARKS}_workspace_id_day"), _MARKS, ["workspace_id", "day"])


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False)


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )


def _create_rollup(table: str, columns: Mapping[str, str]) -> None:
    written = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
    op.execute(f"""
        CREATE TABLE {table} (
            id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_{table} PRIMARY KEY,
            workspace_id uuid NOT NULL CONSTRAINT fk_{table}_workspace_id_workspaces
                REFERENCES workspaces ON DELETE CASCADE,
            at timestamptz NOT NULL, {written})
    """)
    op.create_index(op.f(f"ix_{table}_workspace_id_at"), table, ["workspace_id", "at"])


def _create_view(name: str, query: str, meaning: str, columns: Mapping[str, str]) -> None:
    op.execute(f"CREATE VIEW analytics.{name} AS {query}")
    _comment(f"VIEW analytics.{name}", f"Version 1. {meaning}")
    for column, what in {"workspace_id": "Workspace of the answers.", **columns}.items():
        _comment(f"COLUMN analytics.{name}.{column}", what)
    op.execute(f"GRANT SELECT ON analytics.{name} TO {_READERS}")
    op.execute(f"ALTER VIEW analytics.{name} OWNER TO {_VIEW_OWNER}")


def _comment(what: str, text: str) -> None:
    quoted = text.replace("'", "''")
    op.execute(f"COMMENT ON {what} IS '{quoted}'")


def _create_triggers() -> None:
    for table, (function, events) in _TRIGGERS.items():
        op.execute(create_function(function))
        for event in events:
            op.execute(
                f"CREATE TRIGGER {function}_{event.lower()} AFTER {event} ON {table}"
                f" REFERENCING {_EVENTS[event]} TABLE AS changed"
                f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
            )
