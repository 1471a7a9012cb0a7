"""A page of a list that goes by ids."""

import uuid
from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from pydantic import BaseModel


class Listed(BaseModel):
    """An entry of a list."""

    id: uuid.UUID


T = TypeVar("T", bound=Listed)


class Page(BaseModel, Generic[T]):
    """`next` continues the list; it is null on the last page."""

    items: list[T]
    next: uuid.UUID | None

    @classmethod
    def of(cls, found: Sequence[T], limit: int) -> Self:
        """The first `limit` of what was found; one more says that there is another page."""
        items = list(found[:limit])
        return cls(items=items, next=items[-1].id if len(found) > limit else None)
