"""The tables of processes, of the database's clock and of models that end."""

import datetime as dt
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, String, Text, func, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.operations.system.presence import ProcessKind
from app.platform.db.base import Base, Keyed
from app.platform.db.statements import in_list


class ProcessRow(Keyed, Base):
    """A process of this installation, which renews its row every few seconds and deletes it when it
    stops. `steady_since`: since when it has not been silent for longer than is allowed.
    `claims`: seconds, at `seen_at`, since the last claim for each judge. `ticked_at`: the last
    complete sweep of a dispatcher; `backlog`: what it has read of the queues, at `seen_at`;
    `unindexed`: how many large workspaces lack their index of vectors, and why.
    """

    __tablename__ = "processes"
    __table_args__ = (CheckConstraint(f"kind IN ({in_list(ProcessKind)})", name="kind_known"),)

    kind: Mapped[str] = mapped_column(String(16))
    hostname: Mapped[str] = mapped_column(Text)
    pid: Mapped[int]
    release: Mapped[str] = mapped_column(Text)
    queues: Mapped[list[str]] = mapped_column(ARRAY(Text))
    steady_since: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    seen_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    in_flight: Mapped[int] = mapped_column(server_default=text("0"))
    claims: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    ticked_at: Mapped[dt.datetime | None]
    backlog: Mapped[list[dict[str, Any]] | None]
    unindexed: Mapped[dict[str, Any] | None]


class DatabaseClock(Base):
    """The database's clock when retention last looked, and until when nothing is deleted
    by age; NULL while it is steady. At most one row."""

    __tablename__ = "database_clock"
    __table_args__ = (CheckConstraint("id", name="one_row"),)

    id: Mapped[bool] = mapped_column(primary_key=True, server_default=true())
    seen_at: Mapped[dt.datetime]
    held_until: Mapped[dt.datetime | None]


class ModelEndingRow(Base):
    """The last day of a `provider:model`, by its server (`shutdown_date`) or our own list.
    `workspaces`: how many use it, as a dispatcher last counted."""

    __tablename__ = "model_endings"
    __table_args__ = (CheckConstraint("source IN ('list', 'server')", name="source_known"),)

    model: Mapped[str] = mapped_column(Text, primary_key=True)
    ends_on: Mapped[dt.date]
    source: Mapped[str] = mapped_column(String(8))
    workspaces: Mapped[int] = mapped_column(server_default=text("0"))
