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
COUNT_HEADER = {"schema": {"type": "integer", "minimum": 0}, "required": True}
SECONDS_HEADER = {"schema": {"type": "integer", "minimum": 1}}

# Work that has begun; Location says where to follow it.
ACCEPTED: Responses = {202: {"headers": {"Location": TEXT_HEADER}}}

RETRY_AFTER = {"Retry-After": SECONDS_HEADER | {"required": True}}
_WITH_TOKEN = {
    "401": {
        "description": "No token, or one that is wrong, expired or revoked.",
        "headers": {"WWW-Authenticate": TEXT_HEADER},
    },
    "403": {"description": "The token lacks the scope, or another site's page asks."},
    "429": {
        "description": "More requests than this token may send; Retry-After says when to go on.",
        "headers": RETRY_AFTER,
    },
    "503": {
        "description": "The database, or the model that answers, cannot be reached.",
        "headers": RETRY_AFTER,
    },
}
_WITH_BODY = {
    "400": {"description": "The body is not JSON in UTF-8, or no whole multipart/form-data."},
    "413": {"description": "The body is too large."},
}
_INVALID = {"description": "The request is not valid; `errors` names the fields."}


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
        responses = _WITH_TOKEN | responses
    if "requestBody" in operation:
        responses = _WITH_BODY | responses
    if "422" in responses:
        responses["422"] = _INVALID
    operation["responses"] = {
        status: {**response, "content": response.get("content", _PROBLEM)}
        if int(status) >= HTTPStatus.BAD_REQUEST
        else response
        for status, response in sorted(responses.items())
    }
