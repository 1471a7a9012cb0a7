"""Every exception that SearchQA raises on purpose.

SearchQAError
├── RequestError                 the caller can fix it; carries an HTTP status
│   ├── InvalidRequest           422
│   ├── Unauthenticated          401
│   ├── Forbidden                403
│   ├── NotFound                 404 (also for what belongs to another workspace)
│   ├── Conflict                 409
│   ├── PreconditionFailed       412
│   ├── PayloadTooLarge          413
│   ├── TooManyRequests          429
│   └── Unavailable              503
├── ProviderError                a model server did not give a usable reply
│   ├── TransientProviderError   trying again may help: 429, 5xx, timeout, connection
│   │   ├── MalformedOutput      the reply arrived but does not fit the schema
│   │   └── Throttled            refused by the server's limits, which workers now keep to
│   ├── ConfigurationError       no request will work until the configuration is fixed
│   ├── PermanentProviderError   this request will never work
│   ├── CallLimitReached         not asked: the answer has used up its calls
│   ├── BatchesNotSupported      the server takes single requests only
│   └── BatchTooLarge            the server takes fewer lines, or bytes, in a batch
└── SetupError                   the operator can fix it; one sentence, exit code 1
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Self


class SearchQAError(Exception):
    """Base class: catch it to catch everything that is not our own bug."""


class RequestError(SearchQAError):
    """A request that cannot be served as it was sent.

    `detail` says what to change, by language ("ko", "en"), because readers see it.
    `code` is the stable last part of the problem type. `headers` go with the response.
    """

    status = 400
    code = "bad-request"
    headers: Mapping[str, str] = MappingProxyType({})

    def __init__(self, detail: str, *, ko: str | None = None, code: str | None = None) -> None:
        super().__init__(detail)
        self.detail: Mapping[str, str] = {"en": detail, "ko": ko or detail}
        self.code = code or type(self).code

    @classmethod
    def worded(cls, name: str, /, **values: object) -> Self:
        """With that `error_text`, and the code that the catalog has for it."""
        en, ko = (error_text(name, lang, **values) for lang in ("en", "ko"))
        return cls(en, ko=ko, code=_texts()[name].get("code"))

    def with_headers(self, headers: Mapping[str, str]) -> Self:
        self.headers = headers
        return self


def error_text(name: str, lang: str, /, **values: object) -> str:
    """The text of that name in request_errors.json, with these values in it. Raises KeyError for a
    name or value that is missing."""
    return _texts()[name][lang].format(**values)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    """By name the text in each language, and the code where it is not that of the kind of error."""
    written = Path(__file__).with_name("request_errors.json").read_text("utf-8")
    texts: Mapping[str, Mapping[str, str]] = json.loads(written)
    return texts


class InvalidRequest(RequestError):
    status = 422
    code = "invalid-request"


class Unauthenticated(RequestError):
    status = 401
    code = "unauthenticated"
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})


class Forbidden(RequestError):
    status = 403
    code = "forbidden"


class NotFound(RequestError):
    status = 404
    code = "not-found"


def no_such(thing: str, ko: str, path: str) -> NotFound:
    """ko: the thing with its particle, as in 노트가; path: what lists those that there are."""
    return NotFound(
        f"There is no such {thing}; GET {path} lists yours.",
        ko=f"그런 {ko} 없습니다. GET {path}에서 목록을 확인하세요.",
    )


class Conflict(RequestError):
    status = 409
    code = "conflict"


class PreconditionFailed(RequestError):
    status = 412
    code = "precondition-failed"


class PayloadTooLarge(RequestError):
    status = 413
    code = "payload-too-large"


class TooManyRequests(RequestError):
    """`headers` say when to come again."""

    status = 429
    code = "too-many-requests"


class Unavailable(RequestError):
    """Something that we need does not answer; trying again later helps."""

    status = 503
    code = "unavailable"


BODY_EXCERPT_CHARS = 500


class ProviderError(SearchQAError):
    """A model server's failure. `kind` names it where it is stored.

    status: HTTP status, None when no reply arrived.
    body_excerpt: at most 500 characters of the reply.
    retry_after: seconds the server asked us to wait, None when it did not say.
    cause: a word of ours for what is wrong, see PAUSE_REASONS; never a word of the server's.
    reply: the ChatResponse that came all the same, of no use but perhaps billed.
    """

    kind = "provider"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        body_excerpt: str = "",
        retry_after: float | None = None,
        reply: object | None = None,
        cause: str = "unknown",
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.status = status
        self.body_excerpt = body_excerpt[:BODY_EXCERPT_CHARS]
        self.retry_after = retry_after
        self.reply = reply


class TransientProviderError(ProviderError):
    """Trying again later may help."""

    kind = "transient"


class MalformedOutput(TransientProviderError):
    """The model replied, but not with the one JSON object that was requested."""

    kind = "malformed"


class Throttled(TransientProviderError):
    """The server refused for its limits (429), and all workers ask it less now. It says nothing
    against the judge."""


class ConfigurationError(ProviderError):
    """The key, the model name, the address or the quota is wrong: all calls fail alike. Without a
    status of a server it is our own settings that lack something."""

    kind = "configuration"


class PermanentProviderError(ProviderError):
    """This very request will never be served; others may be."""

    kind = "permanent"


class CallLimitReached(ProviderError):
    """The model was not asked, because the answer has used up the calls that it may take."""

    kind = "calls"


class BatchesNotSupported(ProviderError):
    """The server has no batch endpoint; what was meant for it is asked by calls."""

    kind = "no_batches"


class BatchTooLarge(ProviderError):
    """A batch of fewer lines may be taken; of this one nothing was."""

    kind = "batch_size"


class SetupError(SearchQAError):
    """The stack cannot start or be reached. The message says what to do next."""
