"""Answers carry release, environment, user, session, tags and keys of the application's own; the
view of releases compares each with the one before."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index, drop_index
from migrations.functions import create_function
from migrations.row_security import APP_ROLE, WORKER_ROLE
from migrations.view_columns import set_view_columns

revision: str = "0070"
down_revision: str | None = "0069"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_ANSWERS = "qa_answers"
# Tags and own keys have none: row security lets their operators read no index.
_INDEXES: Mapping[str, Sequence[str]] = {
    "app_version": ("workspace_id", "app_version", "created_at"),
    "user_ref": ("workspace_id", "user_ref"),
    "session_id": ("workspace_id", "session_id"),
}
# Type and meaning.
_COLUMNS: Mapping[str, tuple[str, str]] = {
    "app_version": ("text", "Release of the application that answered."),
    "environment": ("text", "Where it runs, such as production."),
    "user_ref": ("text", "Who asked: hmac: and a keyed hash, unless the policy says plain."),
    "session_id": ("text", "Dialogue that the answer belongs to."),
    "tags": ("text[]", "Tags that the application gave the answer."),
    "attributes": ("jsonb", "Keys of the application's own."),
}
_KEY = "(((u || u) || u) || u)".replace("u", "uuid_send(gen_random_uuid())")

_RELEASES = """
CREATE VIEW analytics.releases AS
SELECT r.workspace_id, r.app_version, r.first_seen_at, r.last_seen_at, r.answers, r.scored,
    r.share_high, r.correctness, r.utility, lag(r.app_version) OVER before AS previous_version,
    r.share_high - lag(r.share_high) OVER before AS share_high_change,
    1.96 * sqrt(r.high_variance + lag(r.high_variance) OVER before) AS share_high_change_error,
    r.correctness - lag(r.correctness) OVER before AS correctness_change,
    1.96 * sqrt(r.correctness_variance + lag(r.correctness_variance) OVER before)
        AS correctness_change_error,
    r.utility - lag(r.utility) OVER before AS utility_change,
    1.96 * sqrt(r.utility_variance + lag(r.utility_variance) OVER before) AS utility_change_error
FROM (
    SELECT v.workspace_id, v.app_version, min(v.answered_at) AS first_seen_at,
        max(v.answered_at) AS last_seen_at, count(*) AS answers, count(s.c) AS scored,
        avg(s.high) AS share_high, avg(s.c) AS correctness, avg(s.u) AS utility,
        var_samp(s.high) / NULLIF(count(s.high), 0) AS high_variance,
        var_samp(s.c) / NULLIF(count(s.c), 0) AS correctness_variance,
        var_samp(s.u) / NULLIF(count(s.u), 0) AS utility_variance
    FROM analytics.verdicts v
    LEFT JOIN LATERAL (SELECT v.correctness AS c, v.utility AS u,
        (v.confidence = 'high')::int::float8 AS high
        WHERE v.correctness IS NOT NULL AND NOT v.degraded) s ON true
    WHERE v.app_version IS NOT NULL AND v.is_current
    GROUP BY 1, 2
) r
WINDOW before AS (PARTITION BY r.workspace_id ORDER BY r.first_seen_at, r.app_version)
"""
_RELEASES_COMMENT = "Version 1. Each release of an application beside the one that was seen before."
_MEANINGS = {
    "workspace_id": "Workspace.",
    "app_version": "The release.",
    "first_seen_at": "When its first answer was finished.",
    "last_seen_at": "When its last answer was finished.",
    "answers": "All answers.",
    "scored": "Verdicts the averages are of: none degraded.",
    "share_high": "Share of the scored whose confidence is high.",
    "correctness": "Mean correctness.",
    "utility": "Mean utility.",
    "previous_version": "The release that was first seen before; NULL for the first one.",
} | {
    f"{name}_change{error}": meaning
    for name in ("share_high", "correctness", "utility")
    for error, meaning in (
        ("", f"By how much {name} is above that of the release before."),
        ("_error", "Half of its 95 % interval; NULL below two scores."),
    )
}


def upgrade() -> None:
    for name, (type_, _) in _COLUMNS.items():
        op.execute(f"ALTER TABLE {_ANSWERS} ADD COLUMN IF NOT EXISTS {name} {type_}")
    op.add_column(
        "workspaces",
        sa.Column("user_ref_key", sa.LargeBinary(), server_default=sa.text(_KEY), nullable=False),
    )
    op.add_column("evaluation_policies", sa.Column("user_refs", sa.Text()))
    op.execute(
        "ALTER TABLE evaluation_policies ADD CONSTRAINT ck_evaluation_policies_user_refs"
        " CHECK (user_refs IN ('hashed', 'plain')) NOT VALID"
    )
    op.execute(create_function("stored_user_ref"))
    op.execute("REVOKE ALL ON FUNCTION stored_user_ref FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION stored_user_ref TO {APP_ROLE}, {WORKER_ROLE}")
    set_view_columns("analytics.verdicts", {name: f"a.{name}" for name in _COLUMNS})
    for name, (_, meaning) in _COLUMNS.items():
        _comment(f"COLUMN analytics.verdicts.{name}", meaning)
    # Giving views away takes the right to make them there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute(_RELEASES)
    _comment("VIEW analytics.releases", _RELEASES_COMMENT)
    for name, meaning in _MEANINGS.items():
        _comment(f"COLUMN analytics.releases.{name}", meaning)
    op.execute(f"GRANT SELECT ON analytics.releases TO searchqa_analyst, {APP_ROLE}")
    op.execute("ALTER VIEW analytics.releases OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")
    for name, columns in _INDEXES.items():
        index = f"ix_{_ANSWERS}_{'_'.join(columns)}"
        create_index(index, _ANSWERS, columns, where=f"{name} IS NOT NULL")
    op.execute(
        "ALTER TABLE evaluation_policies VALIDATE CONSTRAINT ck_evaluation_policies_user_refs"
    )


def downgrade() -> None:
    for columns in _INDEXES.values():
        drop_index(f"ix_{_ANSWERS}_{'_'.join(columns)}", _ANSWERS)
    op.execute("DROP VIEW analytics.releases")
    empty = {name: f"NULL::{type_}" for name, (type_, _) in _COLUMNS.items()}
    set_view_columns("analytics.verdicts", empty)
    op.execute("DROP FUNCTION stored_user_ref")
    op.drop_column("evaluation_policies", "user_refs")
    op.drop_column("workspaces", "user_ref_key")
    for name in _COLUMNS:
        op.drop_column(_ANSWERS, name)


def _comment(what: str, text: str) -> None:
    quoted = text.replace("'", "''")
    op.execute(f"COMMENT ON {what} IS '{quoted}'")
