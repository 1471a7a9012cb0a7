"""Conversations, each of one person of a workspace."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0041"
down_revision: str | None = "0040"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_CONVERSATIONS, _ANSWERS = "conversations", "conversation_answers"
_TRIGGER = f"""
CREATE TRIGGER delete_empty_conversation AFTER DELETE ON {_ANSWERS}
FOR EACH ROW EXECUTE FUNCTION delete_empty_conversation()
"""


def upgrade() -> None:
    _create_tables()
    protect(_CONVERSATIONS, _ANSWERS)
    op.execute(create_function("delete_empty_conversation"))
    op.execute(_TRIGGER)
    # A session takes the name of its login link from now on.
    op.execute("UPDATE api_tokens SET name = 'browser session' WHERE kind = 'login'")


def downgrade() -> None:
    op.execute(f"DROP TRIGGER delete_empty_conversation ON {_ANSWERS}")
    op.execute("DROP FUNCTION delete_empty_conversation")
    unprotect(_CONVERSATIONS, _ANSWERS)
    op.drop_table(_ANSWERS)
    op.drop_table(_CONVERSATIONS)


def _create_tables() -> None:
    op.create_table(
        _CONVERSATIONS,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("title", sa.Text()),
        _now("created_at"),
        _now("last_asked_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_conversations_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "owner", "id", name=op.f("pk_conversations")),
    )
    op.create_index(
        op.f("ix_conversations_workspace_id_owner_last_asked_at_id"),
        _CONVERSATIONS,
        ["workspace_id", "owner", "last_asked_at", "id"],
    )
    op.create_table(
        _ANSWERS,
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_conversation_answers_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "owner", "conversation_id"],
            ["conversations.workspace_id", "conversations.owner", "conversations.id"],
            name=op.f("fk_conversation_answers_conversation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_conversation_answers")),
    )
    op.create_index(
        op.f("ix_conversation_answers_conversation"),
        _ANSWERS,
        ["workspace_id", "owner", "conversation_id", "answer_id"],
    )


def _now(name: str) -> sa.Column[object]:
    return sa.Column(
        name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
    )
