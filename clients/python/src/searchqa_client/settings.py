"""Where the server is, and with which token."""

from __future__ import annotations

import ipaddress
import logging
import os
from collections.abc import Callable, Generator
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
    """Sends the token; no text of this object shows it.

    token: or a function that makes one, called again when the server refuses the last.
    """

    def __init__(self, token: str | Callable[[], str]) -> None:
        self._make = None if isinstance(token, str) else token
        self._token = token if isinstance(token, str) else None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        may_be_expired = self._make is not None and self._token is not None
        response = yield self._signed(request)
        if response.status_code == httpx.codes.UNAUTHORIZED and may_be_expired:
            self._token = None
            yield self._signed(request)

    def _signed(self, request: httpx.Request) -> httpx.Request:
        # Another thread may replace the token meanwhile.
        token = self._token
        if token is None and self._make is not None:
            token = self._token = self._make()
        request.headers["Authorization"] = f"Bearer {token}"
        return request


@dataclass(frozen=True, slots=True)
class Server:
    """url: without a slash at its end."""

    url: str
    auth: Bearer | None
    is_local: bool


def server_of(url: str | None, token: str | Callable[[], str] | None) -> Server:
    """The server that is named, else that of SEARCHQA_URL and SEARCHQA_TOKEN, else the one that
    `searchqa up` starts. Raises ConfigurationError."""
    given = (url or os.environ.get("SEARCHQA_URL") or DEFAULT_URL).strip().rstrip("/")
    token = token if token is not None else os.environ.get("SEARCHQA_TOKEN", "")
    if isinstance(token, str):
        token = _checked(token.strip())
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
    is_local = _is_loopback(parsed.host)
    if token and parsed.scheme == "http" and not is_local:
        _log.warning(
            "The token is sent to %s unencrypted; use https outside of a network that you trust.",
            given,
        )
    return Server(given, Bearer(token) if token else None, is_local)


def _checked(token: str) -> str:
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise ConfigurationError(
            "The token has characters that no token has; copy it again from `searchqa token"
            " create`."
        )
    return token


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
