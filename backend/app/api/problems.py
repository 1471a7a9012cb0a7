"""Errors as RFC 9457 problem details, in the caller's language."""

import logging
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
from app.platform.errors import ProviderError, RequestError, TransientProviderError

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
        detail = {
            "en": "The answer model is not available at the moment; ask again shortly.",
            "ko": "답변 모델을 잠시 사용할 수 없습니다. 잠시 후 다시 질문해 주세요.",
        }
        retry_after = str(max(1, round(error.retry_after or 5)))
        return detail[lang], {"Retry-After": retry_after}, HTTPStatus.SERVICE_UNAVAILABLE
    detail = {
        "en": "The answer model refused the request; the operator can run `searchqa doctor`.",
        "ko": "답변 모델이 요청을 거부했습니다. 운영자가 `searchqa doctor`로 확인할 수 있습니다.",
    }
    return detail[lang], {}, HTTPStatus.BAD_GATEWAY


# Pages pass on the ids of their addresses, so a mistyped link is the usual cause.
_NO_ID: Mapping[Lang, str] = {
    "en": "An id in the address is not valid; check the link.",
    "ko": "주소에 있는 ID가 올바르지 않습니다. 링크를 확인하세요.",
}


async def _validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    lang = preferred_language(request)
    # Every dependency that reads the same parameter reports it.
    found = dict.fromkeys(
        (".".join(map(str, item["loc"])), _mistake(item, lang)) for item in error.errors()
    )
    errors = [{"at": where, "message": text} for where, text in found]
    at, message = next(iter(found), ("", ""))
    lead = {"en": "The request is not valid", "ko": "요청 형식이 올바르지 않습니다"}
    detail = message if message == _NO_ID[lang] else f"{lead[lang]}: {at}: {message}"
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors=errors)


def _mistake(item: Mapping[str, Any], lang: Lang) -> str:
    in_address = item["loc"][0] in ("path", "query")
    return _NO_ID[lang] if in_address and item["type"] == "uuid_parsing" else str(item["msg"])


# What the framework itself refuses; our own refusals say what to do, in two languages, already.
_REFUSED = {
    HTTPStatus.BAD_REQUEST: {
        "en": "The body cannot be read; send JSON in UTF-8, or a file as multipart/form-data.",
        "ko": "본문을 읽을 수 없습니다. UTF-8 JSON이나 multipart/form-data 파일로 보내세요.",
    },
    HTTPStatus.NOT_FOUND: {
        "en": "There is nothing at this address; /docs lists every call.",
        "ko": "이 주소에는 아무것도 없습니다. /docs에서 호출 목록을 확인하세요.",
    },
    HTTPStatus.METHOD_NOT_ALLOWED: {
        "en": "This address does not take that method; the header Allow names those it does.",
        "ko": "이 주소에서 쓸 수 없는 메서드입니다. Allow 헤더에 있는 것을 쓰세요.",
    },
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
    refused = _REFUSED.get(status)
    detail = refused[preferred_language(request)] if refused else str(error.detail)
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
DATABASE_UNAVAILABLE: Mapping[Lang, str] = {
    "en": "The database is not available at the moment; try again shortly.",
    "ko": "데이터베이스를 잠시 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.",
}
# Where nothing says how long it will last.
TRY_AGAIN: Mapping[str, str] = MappingProxyType({"Retry-After": "5"})


async def _database_unavailable(request: Request, error: Exception) -> JSONResponse:
    # SQLAlchemy's own message would log the parameters, which are what readers wrote.
    logger.warning("PostgreSQL cannot be asked: %s", getattr(error, "orig", error))
    detail = DATABASE_UNAVAILABLE[preferred_language(request)]
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return problem(status, "database-unavailable", detail, headers=TRY_AGAIN)


def add_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(RequestError, _request_error)
    app.add_exception_handler(ProviderError, _provider_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    for kind in DATABASE_AWAY:
        app.add_exception_handler(kind, _database_unavailable)
