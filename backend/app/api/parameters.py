"""Parameters and dependencies that routes share: cursors, days, trace and timing."""

import base64
import binascii
import datetime as dt
import math
import re
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping
from decimal import Decimal, InvalidOperation
from time import perf_counter
from typing import Annotated, TypeVar

from fastapi import Depends, Query, Request
from pydantic import AfterValidator, BeforeValidator, StringConstraints

from app.integrations.traces.conventions import baggage_attributes
from app.platform.errors import InvalidRequest
from app.platform.metrics import Timings
from app.platform.setting_types import is_time_zone
from app.platform.spans import (
    TRACEPARENT,
    current_traceparent,
    enter_trace,
    parse_traceparent,
    span,
)
from app.verdicts.answers.attributes import Attributes

Key = TypeVar("Key", dt.datetime, float, Decimal)

# Of lists in the order of their ids: the `next` of the page before.
After = Annotated[uuid.UUID | None, Query()]
Limit = Annotated[int, Query(ge=1, le=200)]


def encode_cursor(order: str, key: dt.datetime | float | Decimal, id_: uuid.UUID) -> str:
    """The last row of a page: what it is sorted by, and its id."""
    written = key.isoformat() if isinstance(key, dt.datetime) else str(key)
    return base64.urlsafe_b64encode(f"{order}|{written}|{id_}".encode()).decode()


def decode_cursor(written: str, order: str, parse: Callable[[str], Key]) -> tuple[Key, uuid.UUID]:
    """Raises InvalidRequest for what is no cursor of a list in this order."""
    try:
        its_order, key, id_ = base64.urlsafe_b64decode(written).decode().split("|")
        if its_order != order:
            raise ValueError("of another order")
        return parse(key), uuid.UUID(id_)
    except (binascii.Error, UnicodeDecodeError, ValueError, InvalidOperation):
        raise InvalidRequest.worded("wrong-cursor") from None


def moment(written: str) -> dt.datetime:
    when = dt.datetime.fromisoformat(written)
    if when.tzinfo is None:
        raise ValueError("no time zone")
    return when


def number(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value


def exact(written: str) -> Decimal:
    value = Decimal(written)
    if not value.is_finite() or abs(value) > 1_000:
        raise ValueError("out of range")
    return value


def _written_as_a_day(written: object) -> object:
    """A bare number is a mistake, not the days or seconds since 1970."""
    if isinstance(written, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", written, re.ASCII):
        raise ValueError("write a day as 2026-01-31")
    return written


def _known_zone(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("write a time zone as Asia/Seoul or UTC")
    return name


Day = Annotated[dt.date, BeforeValidator(_written_as_a_day)]
TimeZone = Annotated[str, StringConstraints(max_length=100), AfterValidator(_known_zone)]


async def take_traceparent(request: Request) -> AsyncGenerator[str | None]:
    """That of the request, for its model calls too, or where spans are exported that of its own
    span. Never refuses a request: the header is set by proxies and instrumentations, of which its
    sender need not know."""
    enter_trace(parse_traceparent(request.headers.getlist(TRACEPARENT)))
    route = request.scope["route"].path
    attributes = {"http.request.method": request.method, "http.route": route}
    with span(f"{request.method} {route}", "server", attributes):
        yield current_traceparent()


TraceParent = Annotated[str | None, Depends(take_traceparent)]


async def take_baggage(request: Request) -> Attributes:
    """What the request's baggage says of its answer. Never refuses one, as traceparent."""
    return baggage_attributes(",".join(request.headers.getlist("baggage")))


Baggage = Annotated[Attributes, Depends(take_baggage)]

HEADER = "Server-Timing"


async def started() -> float:
    """When the request's body was there, of `perf_counter`: the first dependency of its router."""
    return perf_counter()


Started = Annotated[float, Depends(started)]


def timing_ms(timings: Timings, started: float) -> dict[str, float]:
    """Milliseconds of each part, and of the whole until now as `total`."""
    parts = timings.milliseconds | {"total": (perf_counter() - started) * 1000}
    return {name: round(milliseconds, 1) for name, milliseconds in parts.items()}


def server_timing(milliseconds: Mapping[str, float]) -> str:
    """The header's value. Pages of other origins may read it as `app.api.middleware` says."""
    return ", ".join(f"{name};dur={value:.1f}" for name, value in milliseconds.items())
