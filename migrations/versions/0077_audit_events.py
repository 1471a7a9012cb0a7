"""The audit log: who changed what, chained by hashes, added to by triggers alone.

No login of a process may insert, change or delete its rows: functions of the owner do."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from migrations.functions import create_function
from migrations.row_security import APP_ROLE, WORKER_ROLE, protect, unprotect

revision: str = "0077"
down_revision: str | None = "0076"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_EVENTS, _HEADS, _CASES = "audit_events", "audit_heads", "eval_test_cases"
_FUNCTIONS = {
    "audit_hash": "bytea, audit_events",
    "add_audit_event": "uuid, text, text, text, text, bigint, jsonb, jsonb",
    "chain_audit_events": "",
    "audit_row": "",
    "audit_rows": "",
    "record_audit_event": "uuid, text, text, jsonb",
    "delete_audit_events": "int, int",
}
# When, table, condition, and the arguments of audit_row: kind, columns of name and id, secret
# columns, columns left out. What retention deletes is a person's deletion only with an actor.
_BY_SOMEBODY = "current_setting('app.actor', true) <> ''"
_CHANGE, _DELETE = "INSERT OR UPDATE OR DELETE", "DELETE"
_ACCESS = "'token', 'name', 'id', 'token_hash', 'id,name,kind,last_used_at,evaluation_id'"
_LABEL = "'label', 'author', 'evaluation_id', 'comment', 'id'"
_SUCCESSION = "'succession', 'new_model', 'id', '', 'id,summary,before,status,done'"
_ROWS = (
    (_CHANGE, "evaluation_policies", "true", "'policy', '', '', '', ''"),
    ("INSERT", "api_tokens", "NEW.kind IN ('api', 'login')", _ACCESS),
    (
        "UPDATE OF name, token_hash, scopes, expires_at, revoked_at, rotated_at, workspace_id",
        *("api_tokens", "NEW.kind <> 'reader'", _ACCESS),
    ),
    (_DELETE, "api_tokens", "OLD.kind = 'api'", _ACCESS),
    (
        *(_CHANGE, "webhooks", "true"),
        "'webhook', 'name', 'id', 'url', 'id,failing_since,delivered_at,last_error'",
    ),
    (
        _CHANGE,
        "webhook_secrets",
        "true",
        "'webhook_secret', '', 'webhook_id', 'secret', 'id,webhook_id'",
    ),
    (_CHANGE, "judge_prompts", "true", "'prompt', 'reference', 'id', '', 'id'"),
    (_CHANGE, "judge_criteria", "true", "'criterion', 'reference', 'id', '', 'id'"),
    ("INSERT OR UPDATE", "qa_feedback", "true", _LABEL),
    (_DELETE, "qa_feedback", _BY_SOMEBODY, _LABEL),
    (_CHANGE, "eval_datasets", "true", "'dataset', 'name', 'id', '', 'id'"),
    (
        "INSERT OR DELETE OR UPDATE OF switched_at, undone_at",
        *("judge_successions", "true", _SUCCESSION),
    ),
    ("INSERT OR DELETE", "judge_pauses", "true", "'pause', 'judge_model', '', '', ''"),
    (_DELETE, "notes", "true", "'note', 'title', 'id', '*', ''"),
    (_DELETE, "notebooks", "true", "'notebook', 'name', 'id', '*', ''"),
    (_DELETE, "conversations", _BY_SOMEBODY, "'conversation', '', 'id', '*', ''"),
    (_DELETE, "qa_answers", _BY_SOMEBODY, "'answer', '', 'id', '*', ''"),
)


def _triggers() -> Iterator[tuple[str, str, str]]:
    """Name, table, and the rest of the statement."""
    for when, table, condition, arguments in _ROWS:
        rest = f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION audit_row({arguments})"
        yield f"audit_{when.split()[0].lower()}", table, f"AFTER {when} ON {table} {rest}"
    for when, side in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        rest = (
            f"AFTER {when} ON {_CASES} REFERENCING {side} TABLE AS changed FOR EACH STATEMENT"
            " EXECUTE FUNCTION audit_rows('test_case', 'dataset_id')"
        )
        yield f"audit_{when.lower()}", _CASES, rest


def upgrade() -> None:
    _create_tables()
    protect(_EVENTS, _HEADS)
    for role in (APP_ROLE, WORKER_ROLE):
        op.execute(f"REVOKE INSERT, UPDATE, DELETE ON {_EVENTS}, {_HEADS} FROM {role}")
    for name, arguments in _FUNCTIONS.items():
        op.execute(create_function(name))
        op.execute(f"REVOKE ALL ON FUNCTION {name}({arguments}) FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION audit_hash TO {APP_ROLE}, {WORKER_ROLE}")
    op.execute(f"GRANT EXECUTE ON FUNCTION record_audit_event TO {APP_ROLE}")
    op.execute(f"GRANT EXECUTE ON FUNCTION delete_audit_events TO {WORKER_ROLE}")
    op.execute(
        f"CREATE CONSTRAINT TRIGGER chain_audit_events AFTER INSERT ON {_EVENTS}"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_events()"
    )
    for name, _, rest in _triggers():
        op.execute(f"CREATE TRIGGER {name} {rest}")


def downgrade() -> None:
    for name, table, _ in _triggers():
        op.execute(f"DROP TRIGGER {name} ON {table}")
    op.execute(f"DROP TRIGGER chain_audit_events ON {_EVENTS}")
    for name, arguments in reversed(_FUNCTIONS.items()):
        op.execute(f"DROP FUNCTION {name}({arguments})")
    for table in (_EVENTS, _HEADS):
        unprotect(table)
        op.drop_table(table)


def _create_tables() -> None:
    op.create_table(
        _EVENTS,
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.BigInteger()),
        sa.Column(
            "at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("actor", "via", "origin")),
        sa.Column("actor_id", sa.Uuid()),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("kind", "action")),
        *(sa.Column(name, sa.Text()) for name in ("subject", "subject_id")),
        sa.Column("row_count", sa.BigInteger(), nullable=False),
        *(sa.Column(name, JSONB()) for name in ("before", "after")),
        sa.Column("hash", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_events")),
        sa.UniqueConstraint(
            "workspace_id", "position", name=op.f("uq_audit_events_workspace_id_position")
        ),
    )
    op.create_index(
        "ix_audit_events_unchained",
        _EVENTS,
        ["workspace_id", "id"],
        postgresql_where=sa.text("position IS NULL"),
    )
    op.create_table(
        _HEADS,
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        *(
            sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False)
            for name in ("position", "anchor_position")
        ),
        *(sa.Column(name, sa.LargeBinary()) for name in ("hash", "anchor_hash")),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_audit_heads")),
    )
