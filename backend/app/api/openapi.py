"""What the OpenAPI document says of every call: who may make it, and how it can fail.

A route names only the failures that are its own. This module adds those that all share, gives
each failure the problem document as its body, and leaves FastAPI's own error schema out.
"""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from app.api.auth import COOKIE
from app.api.problems import MEDIA_TYPE

_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_OPEN = {"/healthz", "/readyz"}
_METHODS = {"get", "put", "post", "delete", "patch"}
_SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
}
_LEFT_OUT = ("HTTPValidationError", "ValidationError")

Responses = dict[int | str, dict[str, Any]]

# Headers of responses, as routes name them.
TEXT_HEADER = {"schema": {"type": "string"}, "required": True}
SECONDS_HEADER = {"schema": {"type": "integer", "minimum": 1}}

# Work that has begun; Location says where to follow it.
ACCEPTED: Responses = {202: {"headers": {"Location": TEXT_HEADER}}}

_UNAUTHENTICATED = {
    "description": "No token, or one that is wrong, expired or revoked.",
    "headers": {"WWW-Authenticate": TEXT_HEADER},
}
_FORBIDDEN = {"description": "The token lacks the scope, or another site's page asks."}
_UNREADABLE = {"description": "The body is not JSON in UTF-8, or no whole multipart/form-data."}
_TOO_LARGE = {"description": "The body is too large."}
_INVALID = {"description": "The request is not valid; `errors` names the fields."}
_TOO_MANY = {
    "description": "More requests than this token may send; Retry-After says when to go on.",
    "headers": {"Retry-After": SECONDS_HEADER | {"required": True}},
}
_UNAVAILABLE = {
    "description": "The database, or the model that answers, cannot be reached.",
    "headers": {"Retry-After": SECONDS_HEADER | {"required": True}},
}


def not_found(description: str) -> Responses:
    return {404: {"description": description}}


def conflict(description: str) -> Responses:
    return {409: {"description": description}}


class ProblemField(BaseModel):
    """A field of the request that is wrong, and why."""

    at: str
    message: str


class Problem(BaseModel):
    """RFC 9457. `type` is stable for programs; `detail` says to a person what to change."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ProblemField] = []


class DocumentedAPI(FastAPI):
    """FastAPI whose document names every status that its calls can end with."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            _complete(super().openapi())
        assert self.openapi_schema is not None
        return self.openapi_schema


def _complete(document: dict[str, Any]) -> None:
    components = document.setdefault("components", {})
    components["securitySchemes"] = _SECURITY
    schemas = components.setdefault("schemas", {})
    for name in _LEFT_OUT:
        schemas.pop(name, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs") | {"Problem": problem}
    for path, item in document["paths"].items():
        for method in _METHODS & item.keys():
            _complete_operation(item[method], is_open=path in _OPEN)


def _complete_operation(operation: dict[str, Any], *, is_open: bool) -> None:
    responses: dict[str, Any] = operation["responses"]
    if not is_open:
        operation["security"] = [{name: []} for name in _SECURITY]
        _add(responses, HTTPStatus.UNAUTHORIZED, _UNAUTHENTICATED)
        _add(responses, HTTPStatus.FORBIDDEN, _FORBIDDEN)
        _add(responses, HTTPStatus.TOO_MANY_REQUESTS, _TOO_MANY)
        _add(responses, HTTPStatus.SERVICE_UNAVAILABLE, _UNAVAILABLE)
    if "requestBody" in operation:
        _add(responses, HTTPStatus.BAD_REQUEST, _UNREADABLE)
        _add(responses, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
    if "422" in responses:
        responses["422"] = dict(_INVALID)
    for status, response in responses.items():
        if int(status) >= HTTPStatus.BAD_REQUEST:
            response.setdefault("content", _PROBLEM)
    operation["responses"] = dict(sorted(responses.items()))


def _add(responses: dict[str, Any], status: int, response: dict[str, Any]) -> None:
    responses.setdefault(str(int(status)), dict(response))
