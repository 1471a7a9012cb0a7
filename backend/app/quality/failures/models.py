"""Tables of failures that recur, of the answers in them, and of how far a workspace is grouped; and
the SQL on them."""

import datetime as dt
import enum
import uuid

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, KeyedByWorkspace, KeyedInWorkspace, foreign_key
from app.platform.db.statements import SqlFile, in_list
from app.verdicts.models.evaluations import Xid8
from app.verdicts.reading.queries import OUTCOME

MAX_OWNER_CHARS = 200

# Older verdicts are not grouped, and a group is frequent by the answers of so many days.
WINDOW_DAYS = 30
# Of one verdict.
MAX_STATEMENTS = 5
# A name is settled when a group has more answers than this.
NAMED_BY = 8
# Answers from which a failure is frequent, and reported once.
FREQUENT = 5

FAILURES_SQL = SqlFile(
    __package__,
    "queries",
    outcome=OUTCOME,
    # What is wrong with a doubted statement; older verdicts do not say in what way.
    fault="COALESCE(q.fault, q.verdict)",
    days=str(WINDOW_DAYS),
    statements=str(MAX_STATEMENTS),
    named=str(NAMED_BY),
    frequent=str(FREQUENT),
)


class FailureState(enum.StrEnum):
    """
    open ──▶ mended ──▶ open (came back in a release that is not older)
      └────▶ ignored

    People may set any of them.
    """

    OPEN = "open"
    MENDED = "mended"
    IGNORED = "ignored"


class RecurringFailure(KeyedInWorkspace, Base):
    """Doubted answers with the same fault, about the same note, whose statements are nearly equal.

    signature: a hash of fault, note and `terms`, those of the statement that founded the group, in
    its order; all of them stay as the group grows. name: commonest words. note_id has no foreign
    key: a note that is deleted leaves its groups as they are. reopened_in, reopened_at: of the last
    return after `mended_at`. alarmed_at: when it was reported as frequent, once.
    """

    __tablename__ = "recurring_failures"
    __table_args__ = (
        sa.UniqueConstraint("workspace_id", "signature"),
        sa.CheckConstraint(f"state IN ({in_list(FailureState)})", name="state_known"),
        sa.CheckConstraint("state <> 'mended' OR mended_at IS NOT NULL", name="mended"),
        sa.CheckConstraint(
            f"char_length(owner) BETWEEN 1 AND {MAX_OWNER_CHARS}", name="owner_length"
        ),
    )

    signature: Mapped[str] = mapped_column(sa.String(64))
    fault: Mapped[str] = mapped_column(sa.String(16))
    note_id: Mapped[uuid.UUID | None]
    note_title: Mapped[str | None] = mapped_column(sa.Text)
    terms: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    name: Mapped[str] = mapped_column(sa.Text)
    first_seen_at: Mapped[dt.datetime]
    last_seen_at: Mapped[dt.datetime]
    state: Mapped[str] = mapped_column(sa.String(8), server_default=FailureState.OPEN.value)
    owner: Mapped[str | None] = mapped_column(sa.Text)
    mended_in: Mapped[str | None] = mapped_column(sa.Text)
    mended_at: Mapped[dt.datetime | None]
    reopened_in: Mapped[str | None] = mapped_column(sa.Text)
    reopened_at: Mapped[dt.datetime | None]
    alarmed_at: Mapped[dt.datetime | None]
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=sa.func.now())


class RecurringFailureAnswer(InWorkspace, Base):
    """A doubted verdict in a group. claim_position: of its statement, NULL of the whole answer."""

    __tablename__ = "recurring_failure_answers"
    __table_args__ = (
        sa.Index(None, "failure_id", "answered_at"),
        sa.Index(None, "workspace_id", "answered_at"),
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    failure_id: Mapped[uuid.UUID] = foreign_key("recurring_failures.id", primary_key=True)
    claim_position: Mapped[int | None]
    answered_at: Mapped[dt.datetime]


class RecurringFailureCursor(KeyedByWorkspace, Base):
    """The last verdict event (xid, event_id) that was looked at. dropped: answers whose group gave
    way to newer ones. Only answers since `began_at` raise alarms."""

    __tablename__ = "recurring_failure_cursors"

    xid: Mapped[str] = mapped_column(Xid8)
    event_id: Mapped[int] = mapped_column(sa.BigInteger)
    dropped: Mapped[int] = mapped_column(server_default=sa.text("0"))
    began_at: Mapped[dt.datetime] = mapped_column(server_default=sa.func.now())
