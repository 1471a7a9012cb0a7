"""Pages of lists, and the cursors that continue them."""

import base64
import binascii
import datetime as dt
import math
import uuid
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Annotated, TypeVar

from fastapi import Query

from app.platform.errors import InvalidRequest

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
        raise InvalidRequest(
            "`after` is not the `next` of a page in this order; leave it out to start anew.",
            ko="`after` 값이 올바르지 않습니다. 처음부터 보려면 생략하세요.",
        ) from None


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
