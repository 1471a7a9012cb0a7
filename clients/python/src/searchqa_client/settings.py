"""Where the server is, and with which token."""

from __future__ import annotations

import ipaddress
import logging
import os
from collections.abc import Generator
from dataclasses import dataclass

import httpx

from searchqa_client.errors import ConfigurationError

DEFAULT_URL = "http://127.0.0.1:8765"

_NO_ADDRESS = (
    "The address of the server must read http://host:port or https://host; set SEARCHQA_URL, or"
    " name it by `url=`."
)

_log = logging.getLogger("searchqa_client")


class Bearer(httpx.Auth):
    """Sends the token; no text of this object shows it."""

    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request


@dataclass(frozen=True, slots=True)
class Server:
    """url: without a slash at its end."""

    url: str
    auth: Bearer | None
    is_local: bool


def server_of(url: str | None, token: str | None) -> Server:
    """The server that is named, else that of SEARCHQA_URL and SEARCHQA_TOKEN, else the one that
    `searchqa up` starts. Raises ConfigurationError."""
    given = (url or os.environ.get("SEARCHQA_URL") or DEFAULT_URL).strip().rstrip("/")
    token = (token if token is not None else os.environ.get("SEARCHQA_TOKEN", "")).strip()
    try:
        parsed = httpx.URL(given)
    except (httpx.InvalidURL, UnicodeError):
        raise ConfigurationError(_NO_ADDRESS) from None
    if parsed.userinfo:
        raise ConfigurationError(
            "The address of the server holds a user or a password; name the token by"
            " SEARCHQA_TOKEN, or by `token=`, instead."
        )
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.query:
        raise ConfigurationError(_NO_ADDRESS)
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise ConfigurationError(
            "The token has characters that no token has; copy it again from `searchqa token"
            " create`."
        )
    is_local = _is_loopback(parsed.host)
    if token and parsed.scheme == "http" and not is_local:
        _log.warning(
            "The token is sent to %s unencrypted; use https outside of a network that you trust.",
            given,
        )
    return Server(given, Bearer(token) if token else None, is_local)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
