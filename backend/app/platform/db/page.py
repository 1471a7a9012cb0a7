"""A page of a list."""

import uuid
from collections.abc import Callable, Sequence
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

Item = TypeVar("Item")
PageCursor = TypeVar("PageCursor", uuid.UUID, str)

# Rows selected in a list, on which one request acts.
MAX_SELECTED = 1_000


class Listed(BaseModel):
    """An entry of a list in the order of ids."""

    id: uuid.UUID


class Page(BaseModel, Generic[Item, PageCursor]):
    """`next` continues the list; it is null on the last page."""

    items: list[Item]
    next: PageCursor | None

    @classmethod
    def of(cls, rows: Sequence[Item], limit: int, cursor_of: Callable[[Item], PageCursor]) -> Self:
        """rows: one more than `limit` where another page follows."""
        more = len(rows) > limit
        return cls(items=list(rows[:limit]), next=cursor_of(rows[limit - 1]) if more else None)
