"""Tokens of commands that run beside the server, made without SQLAlchemy: importing that takes
longer than the rest of such a command."""

import datetime as dt
from collections.abc import Collection

import psycopg

from app.platform.db.address import psycopg_url
from app.platform.ids import new_id
from app.workspaces.tokens import (
    ALL_SCOPES,
    DEFAULT_WORKSPACE,
    Scope,
    TokenKind,
    hash_of,
    new_token,
)

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
    database_url: str,
    workspace: str = DEFAULT_WORKSPACE,
    scopes: Collection[Scope] = ALL_SCOPES,
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
