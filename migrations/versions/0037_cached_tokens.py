"""Calls store the tokens of their prompt that the vendor's cache had, or was given; verdicts,
whether a reply was one to an identical request for another answer.

Older calls keep NULL. The indexes are of all replies that are kept and of all verdicts that a judge
was asked for, and read their tables once.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0037"
down_revision: str | None = "0036"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COMMENTS: Mapping[str, Mapping[str, str]] = {
    "verdicts": {
        "from_cache": "Whether a reply of the judge was one to an identical request for another"
        " answer, which costs nothing."
    },
    "calls": {
        "cached_tokens": "Of prompt_tokens, those that the vendor read from its cache.",
        "cache_write_tokens": "Of prompt_tokens, those that the vendor wrote to its cache.",
    },
    "judge_cost_daily": {
        "cached_tokens": "Of prompt_tokens, those that vendors read from their cache.",
        "cache_write_tokens": "Of prompt_tokens, those that vendors wrote to their cache.",
        "cached_share": "cached_tokens by prompt_tokens, 0 to 1; NULL without any.",
        "from_cache": "Verdicts with a reply to an identical request for another answer.",
    },
}
_CALLS = """
SELECT workspace_id, evaluation_id, attempt, created_at AS called_at,
    provider || ':' || model AS made_by,
    CASE WHEN error IS NOT NULL THEN split_part(error, ':', 1)
         WHEN discarded THEN 'malformed' ELSE 'ok' END AS outcome,
    prompt_tokens, completion_tokens, cost_usd, latency_ms, error,
    {cached_tokens} AS cached_tokens, {cache_write_tokens} AS cache_write_tokens
FROM judge_calls
"""
_JUDGE_COST_DAILY = """
SELECT v.workspace_id, (v.answered_at AT TIME ZONE 'UTC')::date AS day, v.judge_model,
    count(DISTINCT v.evaluation_id) FILTER (WHERE v.status = 'succeeded' AND NOT v.degraded)
        AS verdicts,
    count(c.evaluation_id) AS calls,
    COALESCE(sum(c.prompt_tokens), 0)::bigint AS prompt_tokens,
    COALESCE(sum(c.completion_tokens), 0)::bigint AS completion_tokens,
    round(sum(c.cost_usd), 8)::float8 AS cost_usd,
    round(sum(c.cost_usd) / NULLIF(count(DISTINCT v.evaluation_id)
        FILTER (WHERE v.status = 'succeeded' AND NOT v.degraded), 0), 8)::float8
        AS cost_per_verdict_usd,
    count(c.evaluation_id) FILTER (WHERE c.cost_usd IS NULL) AS unpriced_calls,
    COALESCE(sum(c.cached_tokens), 0)::bigint AS cached_tokens,
    COALESCE(sum(c.cache_write_tokens), 0)::bigint AS cache_write_tokens,
    round(sum(c.cached_tokens)::numeric / NULLIF(sum(c.prompt_tokens), 0), 4)::float8
        AS cached_share,
    count(DISTINCT v.evaluation_id) FILTER (WHERE v.from_cache) AS from_cache
FROM analytics.verdicts v
LEFT JOIN analytics.calls c ON c.evaluation_id = v.evaluation_id
WHERE v.status <> 'skipped'
GROUP BY 1, 2, 3
"""
_SERVED = "status = 'succeeded' AND NOT degraded"
_EMPTY, _FILLED = "NULL::boolean AS from_cache", "e.from_cache"


def upgrade() -> None:
    op.add_column("judge_calls", sa.Column("cached_tokens", sa.Integer()))
    op.add_column("judge_calls", sa.Column("cache_write_tokens", sa.Integer()))
    op.add_column(
        "qa_evaluations",
        sa.Column("from_cache", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.create_index(
        "ix_judge_calls_replies",
        "judge_calls",
        ["request_hash", "created_at"],
        postgresql_where=sa.text("content IS NOT NULL"),
    )
    _index_of_served(f"{_SERVED} AND NOT from_cache")
    _replace_views(filled=True)
    for view, columns in _COMMENTS.items():
        for name, meaning in columns.items():
            op.execute(f"COMMENT ON COLUMN analytics.{view}.{name} IS '{meaning}'")


def downgrade() -> None:
    _replace_views(filled=False)
    op.drop_index("ix_judge_calls_replies", "judge_calls")
    _index_of_served(_SERVED)
    op.drop_column("qa_evaluations", "from_cache")
    op.drop_column("judge_calls", "cache_write_tokens")
    op.drop_column("judge_calls", "cached_tokens")


def _index_of_served(condition: str) -> None:
    """A verdict from a stored reply says nothing of whether its judge works."""
    name, table = "ix_qa_evaluations_served", "qa_evaluations"
    op.drop_index(name, table)
    columns = ["judge_model", "finished_at"]
    op.create_index(name, table, columns, postgresql_where=sa.text(condition))


def _replace_views(*, filled: bool) -> None:
    """Puts the columns at the end of the views. They cannot be taken away, see 0014: on the way
    down they stay, empty."""
    view = op.get_bind().scalar(sa.text("SELECT pg_get_viewdef('analytics.verdicts'::regclass)"))
    if "from_cache" not in view:
        view = view.replace("\n   FROM ", f",\n    {_EMPTY}\n   FROM ", 1)
    view = view.replace(_EMPTY, _FILLED) if filled else view.replace(_FILLED, _EMPTY)
    op.execute(f"CREATE OR REPLACE VIEW analytics.verdicts AS {view}")
    names = _COMMENTS["calls"]
    columns = {name: name if filled else "NULL::integer" for name in names}
    op.execute(f"CREATE OR REPLACE VIEW analytics.calls AS {_CALLS.format(**columns)}")
    op.execute(f"CREATE OR REPLACE VIEW analytics.judge_cost_daily AS {_JUDGE_COST_DAILY}")
