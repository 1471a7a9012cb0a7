"""How a browser gets its session: by a one-time link, or from the login provider of the company."""

import base64
import json
import logging
import re
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel

from app.api.auth import COOKIE, cookie_or_bearer, origin
from app.api.pages import failed_login
from app.api.problems import preferred_language
from app.api.services import Services, ServicesDep
from app.platform.db.actor import act_as
from app.platform.errors import Forbidden, NotFound, RequestError, Unauthenticated
from app.workspaces import queries
from app.workspaces.oidc import CALLBACK_PATH, Attempt, Identity, OidcProvider
from app.workspaces.service import (
    SESSION_LIFETIME,
    create_token,
    end_session,
    ensure_workspace,
    redeem_login_code,
)
from app.workspaces.tokens import TokenKind

logger = logging.getLogger(__name__)

router = APIRouter(tags=["login"])

_START = "/ui/"
# Paths of the pages, nothing that a browser could read as another site.
_PAGE = re.compile(r"/ui/[^\\\s\x00-\x1f]{0,500}")
_ATTEMPT_SECONDS = 600


@router.get("/login", include_in_schema=False)
async def login(
    request: Request, services: ServicesDep, code: Annotated[str, Query(max_length=200)]
) -> Response:
    """Exchanges a one-time code for an HttpOnly cookie and leads to the pages. Browsers see a page
    for a code that is used up, other programs a problem document."""
    limits = services.rate_limits
    act_as("login link", "api", origin(request, services))
    try:
        async with limits.guessing(request, code), services.sessions.begin() as session:
            token = await redeem_login_code(session, code)
    except Unauthenticated as error:
        return _failed(request, error)
    return _signed_in(services, token, int(SESSION_LIFETIME.total_seconds()), _START)


@router.get("/login/provider", include_in_schema=False)
async def login_provider(services: ServicesDep) -> dict[str, str | None]:
    """What the button of the sign-in page names; null without a provider."""
    settings = services.settings.oidc
    return {"name": settings.issuer and (settings.name or urlsplit(settings.issuer).hostname)}


@router.get("/login/oidc", include_in_schema=False)
async def begin_login(
    request: Request,
    services: ServicesDep,
    next_page: Annotated[str, Query(alias="next")] = _START,
    workspace: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Leads to the login provider. workspace: of those that the user's groups give, by default the
    first in the settings."""
    begun = _Begun(Attempt(), next_page if _PAGE.fullmatch(next_page) else _START, workspace)
    try:
        address = await _provider(services).authorization_url(begun.attempt)
    except RequestError as error:
        return _failed(request, error)
    response = _redirect(address)
    _set_cookie(services, response, _attempt_cookie(services), begun.pack(), _ATTEMPT_SECONDS)
    return response


@router.get(CALLBACK_PATH, include_in_schema=False)
async def finish_login(
    request: Request,
    services: ServicesDep,
    state: Annotated[str, Query(max_length=200)] = "",
    code: Annotated[str, Query(max_length=4_000)] = "",
    error: Annotated[str, Query(max_length=200)] = "",
    iss: Annotated[str | None, Query(max_length=2_000)] = None,
) -> Response:
    """Where the provider sends the browser back to: with a code, or with an error."""
    name = _attempt_cookie(services)
    act_as("login", "api", origin(request, services))
    begun = _Begun.unpack(request.cookies.get(name, ""))
    is_of_attempt = begun is not None and begun.attempt.began(state)
    try:
        async with services.rate_limits.logging_in(request):
            if begun is None or not is_of_attempt:
                raise Unauthenticated.worded("login-not-begun")
            if error or not code:
                shown = re.sub(r"[^\w.-]+", " ", error, flags=re.ASCII)[:60] or "no code"
                raise Unauthenticated.worded("login-cancelled", error=shown)
            user = await _provider(services).identity(code, iss, begun.attempt)
        token = await _open_session(request, services, user, begun.workspace)
        seconds = services.settings.oidc.session_minutes * 60
        response = _signed_in(services, token, seconds, begun.next_page)
    except RequestError as failure:
        response = _failed(request, failure)
    # One attempt is one callback, whatever comes of it; that of another tab has used up none.
    if is_of_attempt:
        _delete_cookie(services, response, name)
    return response


class LoggedOut(BaseModel):
    """`next`: where the browser ends its session at the login provider."""

    next: str


@router.post("/logout", status_code=204, responses={200: {"model": LoggedOut}})
async def logout(services: ServicesDep, request: Request) -> Response:
    """Ends this browser's session. For one that began at a login provider that can end its own
    session too, `next` is the address to open for that."""
    token = cookie_or_bearer(request, services.settings.api.public_url)
    act_as("browser session", "api", origin(request, services))
    async with services.sessions.begin() as session:
        is_company_login = await end_session(session, token)
    response = Response(status_code=204)
    if is_company_login and services.oidc is not None:
        try:
            if address := await services.oidc.logout_url():
                response = JSONResponse(LoggedOut(next=address).model_dump())
        except RequestError:
            logger.warning("The session at the login provider goes on: it cannot be asked")
    _delete_cookie(services, response, COOKIE)
    return response


class _Begun(NamedTuple):
    """What the cookie of a login keeps until the callback. Only its browser can read or send it, so
    that nobody has a browser finish a login that somebody else has begun."""

    attempt: Attempt
    next_page: str
    workspace: str | None

    def pack(self) -> str:
        kept = [self.attempt.secret, self.next_page, self.workspace]
        # Browsers drop cookies over 4 kB.
        return base64.urlsafe_b64encode(json.dumps(kept, ensure_ascii=False).encode()).decode()

    @classmethod
    def unpack(cls, cookie: str) -> "_Begun | None":
        try:
            secret, next_page, workspace = json.loads(base64.urlsafe_b64decode(cookie))
            if secret and _PAGE.fullmatch(next_page) and isinstance(workspace, str | None):
                return cls(Attempt(secret), next_page, workspace)
        except (ValueError, TypeError, AttributeError, RecursionError):
            pass
        return None


async def _open_session(
    request: Request, services: Services, user: Identity, workspace: str | None
) -> str:
    """The token of a new session in place of the browser's old one. Other sessions of the user that
    may do more than their groups give now end. Raises Forbidden for a user without rights there."""
    act_as(user.name, "api", origin(request, services))
    name = workspace or next(iter(user.rights), "")
    async with services.sessions.begin() as session:
        await queries.revoke_sessions_beyond(session, user.subject, user.rights)
        if old := request.cookies.get(COOKIE):
            await end_session(session, old)
        made = name in user.rights and await create_token(
            session,
            await ensure_workspace(session, name),
            name=user.name,
            kind=TokenKind.SESSION,
            scopes=user.rights[name],
            lifetime=services.settings.oidc.session_lifetime,
            subject=user.subject,
        )
    if not made:
        raise Forbidden.worded("login-without-rights", name=user.name)
    return made[1]


def _provider(services: Services) -> OidcProvider:
    if services.oidc is None:
        raise NotFound.worded("login-not-set-up")
    return services.oidc


def _failed(request: Request, error: RequestError) -> Response:
    if "text/html" not in request.headers.get("accept", ""):
        raise error
    return failed_login(error, preferred_language(request))


def _signed_in(services: Services, token: str, seconds: int, page: str) -> Response:
    response = _redirect(page)
    _set_cookie(services, response, COOKIE, token, seconds)
    return response


def _redirect(address: str) -> Response:
    # Neither codes nor states may leak by Referer.
    return RedirectResponse(address, 303, {"Referrer-Policy": "no-referrer"})


def _is_https(services: Services) -> bool:
    return (services.settings.api.public_url or "").startswith("https:")


def _attempt_cookie(services: Services) -> str:
    # With this prefix no other host, such as another subdomain, can set it.
    return "__Host-searchqa_login" if _is_https(services) else "searchqa_login"


def _set_cookie(
    services: Services, response: Response, name: str, value: str, seconds: int
) -> None:
    # Lax: the provider sends the browser back from another site.
    response.set_cookie(
        name, value, seconds, httponly=True, samesite="lax", secure=_is_https(services)
    )


def _delete_cookie(services: Services, response: Response, name: str) -> None:
    response.delete_cookie(name, httponly=True, samesite="lax", secure=_is_https(services))
