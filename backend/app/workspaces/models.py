"""Workspaces, the tokens that open them, and the log of what was changed in them."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Identity,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, Keyed, KeyedInWorkspace, foreign_key
from app.workspaces.tokens import TokenKind, TokenState


class Workspace(Keyed, Base):
    __tablename__ = "workspaces"

    name: Mapped[str] = mapped_column(Text, unique=True)
    # Two keys of 32 bytes, of the hashes of those who ask (stored_user_ref). Never loaded.
    user_ref_key: Mapped[bytes] = mapped_column(
        LargeBinary,
        # As PostgreSQL writes it, so that it compares equal.
        server_default=text("(((u || u) || u) || u)".replace("u", "uuid_send(gen_random_uuid())")),
        deferred=True,
    )


class ApiToken(KeyedInWorkspace, Base):
    """A bearer token, known only by its SHA-256.

    evaluation_id: the one verdict that a reader token shows, null for other kinds. Verdicts are
    above this package: nothing refers to them, and the token of one that was deleted finds none.
    issued_by: the token that a reader token was made with, and ends with.
    subject: issuer and user of the login provider that a session began at.
    """

    __tablename__ = "api_tokens"
    __table_args__ = (
        # Whatever reads a token gives a reader nothing but its verdict, and not for long.
        CheckConstraint(
            "(kind = 'reader') = (evaluation_id IS NOT NULL)"
            " AND (kind <> 'reader' OR cardinality(scopes) = 0 AND expires_at IS NOT NULL)",
            name="reader_is_limited",
        ),
        Index(
            "ix_api_tokens_issued_by", "issued_by", postgresql_where=text("issued_by IS NOT NULL")
        ),
        Index(
            "ix_api_tokens_readers_expires_at",
            "expires_at",
            postgresql_where=text("kind = 'reader'"),
        ),
    )

    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[TokenKind] = mapped_column(String(16))
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    expires_at: Mapped[dt.datetime | None]
    last_used_at: Mapped[dt.datetime | None]
    revoked_at: Mapped[dt.datetime | None]
    rotated_at: Mapped[dt.datetime | None]
    evaluation_id: Mapped[uuid.UUID | None]
    issued_by: Mapped[uuid.UUID | None] = foreign_key("api_tokens.id")
    subject: Mapped[str | None] = mapped_column(Text)

    @property
    def state(self) -> TokenState:
        """Whether it opens anything now."""
        if self.revoked_at:
            return "revoked"
        expired = self.expires_at is not None and self.expires_at <= dt.datetime.now(dt.UTC)
        return "expired" if expired else "valid"


class AuditEvent(InWorkspace, Base):
    """A change, an export or a backup; triggers of the tables add it. `position` and `hash`, of the
    workspace's chain, come when the transaction commits. No foreign key: it outlives what it is
    about. Of the installation as a whole, the workspace is nil."""

    __tablename__ = "audit_events"
    __table_args__ = (
        UniqueConstraint("workspace_id", "position"),
        Index(
            "ix_audit_events_unchained",
            *("workspace_id", "id"),
            postgresql_where=text("position IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    position: Mapped[int | None] = mapped_column(BigInteger)
    at: Mapped[dt.datetime] = mapped_column(server_default=func.clock_timestamp())
    actor: Mapped[str] = mapped_column(Text)
    actor_id: Mapped[uuid.UUID | None]
    via: Mapped[str] = mapped_column(Text)
    origin: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    subject: Mapped[str | None] = mapped_column(Text)
    subject_id: Mapped[str | None] = mapped_column(Text)
    row_count: Mapped[int] = mapped_column(BigInteger)
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    after: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    hash: Mapped[bytes | None]


class AuditHead(Base):
    """The end of a workspace's chain, and the anchor: the last event that retention deleted."""

    __tablename__ = "audit_heads"

    workspace_id: Mapped[uuid.UUID] = mapped_column(Uuid, primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, server_default="0")
    hash: Mapped[bytes | None]
    anchor_position: Mapped[int] = mapped_column(BigInteger, server_default="0")
    anchor_hash: Mapped[bytes | None]
