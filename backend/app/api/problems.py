"""Errors as RFC 9457 problem details, in the caller's language."""

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from psycopg import OperationalError as DriverError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeoutError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.ai_router.types import Lang
from app.platform.errors import ProviderError, RequestError, TransientProviderError, error_text
from app.verdicts.answers import attributes

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
ANSWER_MODEL_FAILED = "answer-model-failed"


def preferred_language(request: Request) -> Lang:
    """`ko` when Accept-Language names Korean before English, else `en`."""
    for part in request.headers.get("accept-language", "").lower().split(","):
        tag = part.split(";")[0].strip()
        if tag.startswith("ko"):
            return "ko"
        if tag.startswith("en"):
            return "en"
    return "en"


Language = Annotated[Lang, Depends(preferred_language)]


def problem_body(status: int, code: str, detail: str) -> dict[str, Any]:
    """`type` is stable for programs; `detail` says to a person what to change."""
    return {
        "type": f"urn:searchqa:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[Mapping[str, str]] | None = None,
) -> JSONResponse:
    body = problem_body(status, code, detail)
    if errors:
        body["errors"] = errors
    return JSONResponse(body, status, headers=headers, media_type=MEDIA_TYPE)


async def _request_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestError)
    detail = error.detail[preferred_language(request)]
    return problem(error.status, error.code, detail, headers=error.headers)


async def _provider_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProviderError)
    logger.warning("The answer model failed: %s", error)
    detail, headers, status = provider_detail(error, preferred_language(request))
    return problem(status, ANSWER_MODEL_FAILED, detail, headers=headers)


def provider_detail(error: ProviderError, lang: Lang) -> tuple[str, dict[str, str], int]:
    """Detail, headers and status for an answer model that failed. The vendor's own words stay
    in the log: they are for the operator."""
    if isinstance(error, TransientProviderError):
        retry_after = str(max(1, round(error.retry_after or 5)))
        headers = {"Retry-After": retry_after}
        return error_text("answer-model-away", lang), headers, HTTPStatus.SERVICE_UNAVAILABLE
    return error_text("answer-model-refused", lang), {}, HTTPStatus.BAD_GATEWAY


async def _validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    lang = preferred_language(request)
    # Every dependency that reads the same parameter reports it.
    found = dict.fromkeys(
        (".".join(map(str, item["loc"])), _mistake(item, lang)) for item in error.errors()
    )
    errors = [{"at": where, "message": text} for where, text in found]
    at, message = next(iter(found), ("", ""))
    detail = error_text("not-valid", lang, at=at, message=message)
    if message == error_text("wrong-id-in-address", lang):
        detail = message
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors=errors)


def _mistake(item: Mapping[str, Any], lang: Lang) -> str:
    # Pages pass on the ids of their addresses, so a mistyped link is the usual cause.
    if item["loc"][0] in ("path", "query") and item["type"] == "uuid_parsing":
        return error_text("wrong-id-in-address", lang)
    match item.get("ctx", {}).get("pattern"):
        case r"^[^\x00]*$" | r"^[^\x00]+$":
            return error_text("text-holds-nul", lang)
        case attributes.KEY_PATTERN:
            return error_text("not-a-key", lang)
        case attributes.KEY_AND_VALUE_PATTERN:
            return error_text("not-key-and-value", lang)
    # Of a member of an enumeration its value.
    return re.sub(r"<[\w.]+: ('[^']*')>", r"\1", str(item["msg"]))


# What the framework itself refuses; our own refusals say what to do, in two languages, already.
_REFUSED = {
    HTTPStatus.BAD_REQUEST: "http-400",
    HTTPStatus.NOT_FOUND: "http-404",
    HTTPStatus.METHOD_NOT_ALLOWED: "http-405",
}


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    headers = dict(error.headers or {})
    if status is HTTPStatus.NO_CONTENT:
        return Response(status_code=status, headers=headers)
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_allowed_methods(request))
    code = status.phrase.lower().replace(" ", "-")
    detail = str(error.detail)
    if name := _REFUSED.get(status):
        detail = error_text(name, preferred_language(request))
    return problem(status, code, detail, headers=headers)


def _allowed_methods(request: Request) -> list[str]:
    """Every method of this address; the framework names those of the first route only."""
    routes = request.app.router.routes
    return [
        method
        for method in ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes
        )
    ]


DATABASE_AWAY = (OperationalError, SQLAlchemyTimeoutError, DriverError)
# Where nothing says how long it will last.
TRY_AGAIN: Mapping[str, str] = MappingProxyType({"Retry-After": "5"})


async def _database_unavailable(request: Request, error: Exception) -> JSONResponse:
    # SQLAlchemy's own message would log the parameters, which are what readers wrote.
    logger.warning("PostgreSQL cannot be asked: %s", getattr(error, "orig", error))
    detail = error_text("database-unavailable", preferred_language(request))
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return problem(status, "database-unavailable", detail, headers=TRY_AGAIN)


def add_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(RequestError, _request_error)
    app.add_exception_handler(ProviderError, _provider_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    for kind in DATABASE_AWAY:
        app.add_exception_handler(kind, _database_unavailable)
