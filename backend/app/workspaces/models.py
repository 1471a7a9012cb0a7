"""Workspaces and the tokens that open them."""

import datetime as dt
import enum
from typing import Literal

from sqlalchemy import ARRAY, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, Keyed, OwnedByWorkspace


class Scope(enum.StrEnum):
    """What a token may do: `read` notes and verdicts, `write` (ask, import, judge), `admin` of its
    workspace; `operator`: what concerns all workspaces. That one is given on the server only."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    OPERATOR = "operator"


class TokenKind(enum.StrEnum):
    """`api` for programs, `login` opens a browser session once, `session` is that session."""

    API = "api"
    LOGIN = "login"
    SESSION = "session"


TokenState = Literal["valid", "expired", "revoked"]


class Workspace(Keyed, Base):
    __tablename__ = "workspaces"

    name: Mapped[str] = mapped_column(Text, unique=True)


class ApiToken(Keyed, OwnedByWorkspace, Base):
    """A bearer token, known only by its SHA-256."""

    __tablename__ = "api_tokens"

    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[TokenKind] = mapped_column(String(16))
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    expires_at: Mapped[dt.datetime | None]
    last_used_at: Mapped[dt.datetime | None]
    revoked_at: Mapped[dt.datetime | None]

    @property
    def state(self) -> TokenState:
        """Whether it opens anything now."""
        if self.revoked_at:
            return "revoked"
        expired = self.expires_at is not None and self.expires_at <= dt.datetime.now(dt.UTC)
        return "expired" if expired else "valid"
