"""What can go wrong between an application and its SearchQA server.

SearchQAError
├── ConfigurationError   address or token cannot be used
├── Unreachable          no answer came
│   └── TimedOut         the server was reached, or is slow; the request may have arrived
├── UnexpectedReply      the answer is not one of a SearchQA server that fits this client
├── NotFinished          `wait` ended before the verdict or the run did
└── Problem              the server refused; its problem document (RFC 9457)
    ├── Invalid          400, 422
    ├── Unauthorized     401
    ├── Forbidden        403
    ├── NotFound         404
    ├── Conflict         409
    ├── TooLarge         413
    ├── RateLimited      429
    └── ServerFailed     5xx
"""

from __future__ import annotations

import datetime as dt
import email.utils
from collections.abc import Mapping, Sequence
from http import HTTPStatus

import httpx
from pydantic import BaseModel, ValidationError

from searchqa_client.models import EvaluationView, RunView

_TRANSIENT_STATUSES = {408, 429, 502, 503, 504}


class SearchQAError(Exception):
    """The text says what happened and what to do next.

    transient: the same request may succeed later. arrived: the server may have acted on it.
    retry_after: seconds that the server asks to wait, at least 0.
    """

    transient = False
    arrived = False
    retry_after: float | None = None


class ConfigurationError(SearchQAError, ValueError):
    """The address or the token cannot be used."""


class Unreachable(SearchQAError):
    """url: of the server. reason: in the words of httpx."""

    transient = True

    def __init__(self, message: str, *, url: str, reason: str) -> None:
        super().__init__(message)
        self.url = url
        self.reason = reason


class TimedOut(Unreachable):
    arrived = True


class UnexpectedReply(SearchQAError):
    arrived = True


class NotFinished(SearchQAError, TimeoutError):
    """last: the evaluation or the run as it was when the time was up."""

    transient = True

    def __init__(self, message: str, last: EvaluationView | RunView) -> None:
        super().__init__(message)
        self.last = last


class ProblemField(BaseModel):
    """A field of the request that is wrong, and why."""

    at: str
    message: str


class Problem(SearchQAError):
    """status: of HTTP. type: stable, for programs. detail: the sentence for people, in the
    language that the client asks for. errors: the fields of the request that are wrong."""

    arrived = True

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        type_: str = "about:blank",
        errors: Sequence[ProblemField] = (),
        retry_after: float | None = None,
    ) -> None:
        # The detail names the first error already.
        super().__init__("\n".join([detail, *(f"  {e.at}: {e.message}" for e in errors[1:])]))
        self.status = status
        self.type = type_
        self.detail = detail
        self.errors = tuple(errors)
        self.retry_after = retry_after
        self.transient = status in _TRANSIENT_STATUSES
        # What is over its limit is refused before anything is done.
        self.arrived = status != HTTPStatus.TOO_MANY_REQUESTS


class Invalid(Problem):
    pass


class Unauthorized(Problem):
    pass


class Forbidden(Problem):
    pass


class NotFound(Problem):
    pass


class Conflict(Problem):
    pass


class TooLarge(Problem):
    pass


class RateLimited(Problem):
    pass


class ServerFailed(Problem):
    pass


_BY_STATUS: dict[int, type[Problem]] = {
    400: Invalid,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: Invalid,
    429: RateLimited,
}


class _Document(BaseModel):
    type: str = "about:blank"
    status: int = HTTPStatus.BAD_GATEWAY
    detail: str
    errors: list[ProblemField] = []


def problem_of(response: httpx.Response) -> Problem:
    """The exception for an answer that is no success. Its body has been read."""
    status = response.status_code
    after = retry_after(response)
    try:
        document = _Document.model_validate_json(response.content)
    except ValidationError:
        detail = (
            f"{response.url.copy_with(query=None)} answered {status} without saying why; check"
            " that SEARCHQA_URL names a SearchQA server."
        )
        document = _Document(detail=detail)
    return _problem(status, document, after)


def problem_of_document(data: Mapping[str, object]) -> Problem:
    """The same for a problem that a stream reports. Raises ValidationError when it is none."""
    document = _Document.model_validate(data)
    return _problem(document.status, document, None)


def _problem(status: int, document: _Document, after: float | None) -> Problem:
    fallback = ServerFailed if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Problem
    return _BY_STATUS.get(status, fallback)(
        status, document.detail, type_=document.type, errors=document.errors, retry_after=after
    )


def unreachable(error: Exception, url: str) -> SearchQAError:
    """The exception for a request that got no answer, from that of httpx."""
    reason = str(error) or type(error).__name__
    if isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol)):
        return ConfigurationError(f"The request cannot be sent to {url}: {reason}")
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)):
        return Unreachable(
            f"{url} cannot be reached ({reason}); start the server, or set SEARCHQA_URL to where"
            " it runs.",
            url=url,
            reason=reason,
        )
    if isinstance(error, httpx.TransportError):
        text = f"{url} did not answer in full ({reason}); try again."
        return TimedOut(text, url=url, reason=reason)
    return UnexpectedReply(f"{url} answered what cannot be read ({reason}); check SEARCHQA_URL.")


def retry_after(response: httpx.Response) -> float | None:
    """Seconds of the header Retry-After, given as seconds or as a date; None without one that
    can be read. A date is compared with the server's own clock where it is told."""
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    until = _date(value)
    if until is None:
        return None
    now = _date(response.headers.get("date", "")) or dt.datetime.now(dt.timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _date(value: str) -> dt.datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=dt.timezone.utc)
