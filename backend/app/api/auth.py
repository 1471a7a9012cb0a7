"""Who is asking: a bearer token, or the cookie of a browser that has logged in."""

import ipaddress
import uuid
from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request

from app.ai_router.providers import offline
from app.api.client_address import client_address
from app.api.connections import mark_authenticated
from app.api.services import ServicesDep
from app.platform.db.actor import act_as
from app.platform.errors import Forbidden, Unauthenticated
from app.platform.processes.pool import quick_lane
from app.quality.review.feedback import no_such_evaluation
from app.workspaces.service import Principal, authenticate, ensure_workspace
from app.workspaces.tokens import Scope

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
    raise Forbidden.worded("cross-origin")


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


COOKIE = "searchqa_session"


def cookie_or_bearer(request: Request, public_url: str | None) -> str:
    """The bearer token, or else the cookie of a request that a page of ours sent. Raises
    Unauthenticated without either, Forbidden when the cookie comes from elsewhere."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    if cookie := request.cookies.get(COOKIE):
        refuse_other_sites(request, public_url=public_url, unless_silent=False)
        return cookie
    raise Unauthenticated.worded("send-a-token")


async def authenticated(request: Request, services: ServicesDep) -> Principal:
    """Who asks, by the database. Raises Unauthenticated and Forbidden."""
    # A reader who opens a page will ask: the Korean model should be there by then, and is not
    # loaded where nobody does.
    quick_lane().warm_up(offline.__name__)
    public_url = services.settings.api.public_url
    if not services.settings.api.auth and _is_local(request):
        refuse_other_sites(request, public_url=public_url, unless_silent=True)
        mark_authenticated(request)
        async with services.sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
        principal = Principal(workspace_id, None, frozenset(Scope))
        act_as(principal.name, "api", origin(request, services))
        return principal
    token = cookie_or_bearer(request, public_url)
    limits = services.rate_limits
    async with limits.guessing(request, token), services.sessions.begin() as session:
        principal = await authenticate(session, token)
    mark_authenticated(request)
    await limits.count(request, principal.token_id)
    act_as(principal.name, "api", origin(request, services), principal.token_id)
    return principal


def origin(request: Request, services: ServicesDep) -> str:
    """For the audit log: the address of a client, what it called, and its user agent."""
    address = client_address(request, services.settings.api.trusted_proxies)
    route = getattr(request.scope.get("route"), "path", "")
    agent = request.headers.get("user-agent", "")
    return " ".join(filter(None, (str(address or ""), request.method, route, agent)))


Authenticated = Annotated[Principal, Depends(authenticated)]


async def current_principal(principal: Authenticated) -> Principal:
    """Raises Forbidden for a reader token: only what asks for a VerdictReader takes those."""
    if principal.evaluation_id is not None:
        raise Forbidden.worded("reader-token")
    return principal


def _is_local(request: Request) -> bool:
    """Without authentication only this machine is served, whatever address is listened on, and
    only under its own name: a page from elsewhere may have its name point here."""
    host = request.client.host if request.client else ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
    return local and request.url.hostname in {"localhost", "127.0.0.1", "::1"}


CurrentPrincipal = Annotated[Principal, Depends(current_principal)]


def _require(scope: Scope) -> Callable[[Principal], Awaitable[Principal]]:
    async def check(principal: CurrentPrincipal) -> Principal:
        if scope not in principal.scopes:
            raise lacks(scope)
        return principal

    return check


def lacks(scope: Scope) -> Forbidden:
    """The refusal of a token without this scope."""
    if scope is Scope.OPERATOR:
        command = f"searchqa token create NAME --scope {scope}"
        return Forbidden.worded("needs-operator", command=command)
    return Forbidden.worded("lacks-scope", scope=scope)


Reader = Annotated[Principal, Depends(_require(Scope.READ))]
check_writer = _require(Scope.WRITE)
Writer = Annotated[Principal, Depends(check_writer)]
Admin = Annotated[Principal, Depends(_require(Scope.ADMIN))]
Operator = Annotated[Principal, Depends(_require(Scope.OPERATOR))]


async def _verdict_reader(evaluation_id: uuid.UUID, principal: Authenticated) -> Principal:
    if principal.evaluation_id is None and Scope.READ not in principal.scopes:
        raise lacks(Scope.READ)
    # In the words for an evaluation that is not there: a reader token must not find out.
    if principal.evaluation_id not in (None, evaluation_id):
        raise no_such_evaluation()
    return principal


# Who may see the evaluation that the path names: its workspace, or a reader token of it.
VerdictReader = Annotated[Principal, Depends(_verdict_reader)]
