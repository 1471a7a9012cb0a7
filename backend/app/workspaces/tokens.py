"""What a token is, apart from its row. Imports nothing that is slow to import."""

import enum
import hashlib
import secrets
from typing import Literal

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
