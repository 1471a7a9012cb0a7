"""Tokens: their form, and those of the command line, which expire soon."""

import datetime as dt
import enum
import hashlib
import secrets
from collections.abc import Collection
from typing import Literal

import psycopg

from app.platform.db.address import psycopg_url
from app.platform.ids import new_id

DEFAULT_WORKSPACE = "default"


class Scope(enum.StrEnum):
    """What a token may do: `read` notes and verdicts, `write` (ask, import, judge), `admin` of its
    workspace; `operator`: what concerns all workspaces. That one is given on the server only."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    OPERATOR = "operator"


class TokenKind(enum.StrEnum):
    """`api` for programs, `login` opens a browser session once, `session` is that session,
    `reader` lets a page of somebody else show one verdict."""

    API = "api"
    LOGIN = "login"
    SESSION = "session"
    READER = "reader"


TokenState = Literal["valid", "expired", "revoked"]

# Of a workspace: what its own admins may give.
ALL_SCOPES = frozenset(Scope) - {Scope.OPERATOR}
_PREFIX = {
    TokenKind.API: "sqa",
    TokenKind.LOGIN: "sql",
    TokenKind.SESSION: "sqs",
    TokenKind.READER: "sqr",
}


def new_token(kind: TokenKind) -> str:
    return f"{_PREFIX[kind]}_{secrets.token_urlsafe(32)}"


def hash_of(token: str) -> bytes:
    # Tokens carry 256 bits of chance, so a plain hash cannot be searched backwards.
    return hashlib.sha256(token.encode()).digest()


_LIFETIME = dt.timedelta(minutes=15)
_ADD_WORKSPACE = """
INSERT INTO workspaces (id, name) VALUES (%(id)s, %(workspace)s) ON CONFLICT DO NOTHING
"""
_ADD_SESSION = """
INSERT INTO api_tokens (id, workspace_id, name, kind, token_hash, scopes, expires_at)
SELECT %(id)s, id, 'cli', %(kind)s, %(hash)s, %(scopes)s, now() + %(lifetime)s
FROM workspaces WHERE name = %(workspace)s
"""


def short_lived_token(
    database_url: str, workspace: str = DEFAULT_WORKSPACE, scopes: Collection[Scope] = ALL_SCOPES
) -> str:
    """A token of fifteen minutes; it is never written to disk. Makes the workspace if there is
    none. Raises psycopg.Error."""
    # Of kind session, so that the list of API tokens shows only those that people created.
    token = new_token(TokenKind.SESSION)
    with psycopg.connect(psycopg_url(database_url), connect_timeout=5) as connection:
        connection.execute(_ADD_WORKSPACE, {"id": new_id(), "workspace": workspace})
        connection.execute(
            _ADD_SESSION,
            {
                "id": new_id(),
                "workspace": workspace,
                "kind": TokenKind.SESSION.value,
                "hash": hash_of(token),
                "scopes": sorted(scopes),
                "lifetime": _LIFETIME,
            },
        )
    return token
