"""Statements that PostgreSQL ends because they take too long."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import QueryCanceled
from sqlalchemy.exc import OperationalError

from app.platform.errors import InvalidRequest


@contextmanager
def refuse_when_too_slow(refusal: InvalidRequest) -> Iterator[None]:
    """Raises `refusal` in place of the statement timeout."""
    try:
        yield
    except OperationalError as error:
        if not isinstance(error.orig, QueryCanceled):
            raise
        raise refusal from None
