"""Keeps pages of other sites from acting with what a browser sends by itself.

A bearer token is put into each request by a program that knows it. A cookie, and the right of
this machine to ask without authentication, come along with every request that any page sends;
SameSite does not tell the ports of one host apart. So what changes something must come from a
page of this server.
"""

from urllib.parse import urlsplit

from fastapi import Request

from app.platform.errors import Forbidden

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def refuse_other_sites(request: Request, *, public_url: str | None, unless_silent: bool) -> None:
    """Raises Forbidden for a method that changes something unless the request's own headers say
    that a page of this server sent it.

    public_url: where browsers find this server, when a proxy does not pass its name on.
    unless_silent: lets a request pass that says nothing of where it comes from, as those of
    programs do. Browsers always say it.
    """
    if request.method in _SAFE_METHODS:
        return
    if _from_here(request, public_url) or (unless_silent and _is_silent(request)):
        return
    raise Forbidden(
        "This request does not come from a page of this server; programs send a bearer token.",
        ko="이 서버의 페이지에서 보낸 요청이 아닙니다. 프로그램에서는 Bearer 토큰을 보내세요.",
        code="cross-origin",
    )


def _from_here(request: Request, public_url: str | None) -> bool:
    # Browsers set Sec-Fetch-Site themselves and no page can change it; `none` is the person at
    # the address bar. Over plain HTTP between machines it is missing.
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    source = request.headers.get("origin") or request.headers.get("referer")
    own = {request.headers.get("host", "").lower(), _host(public_url)} - {""}
    return _host(source) in own


def _is_silent(request: Request) -> bool:
    return not any(name in request.headers for name in ("sec-fetch-site", "origin", "referer"))


def _host(url: str | None) -> str:
    """Host and port as written; "" when there is none."""
    try:
        return urlsplit(url or "").netloc.lower()
    except ValueError:
        return ""
