"""A page of a list."""

import uuid
from collections.abc import Callable, Sequence
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

Item = TypeVar("Item")
Mark = TypeVar("Mark", uuid.UUID, str)


class Listed(BaseModel):
    """An entry of a list in the order of ids."""

    id: uuid.UUID


class Page(BaseModel, Generic[Item, Mark]):
    """`next` continues the list; it is null on the last page."""

    items: list[Item]
    next: Mark | None

    @classmethod
    def of(cls, rows: Sequence[Item], limit: int, mark_of: Callable[[Item], Mark]) -> Self:
        """rows: one more than `limit` where another page follows."""
        more = len(rows) > limit
        return cls(items=list(rows[:limit]), next=mark_of(rows[limit - 1]) if more else None)
