"""pgvector's column type."""

from typing import Any

from sqlalchemy.types import UserDefinedType


class Vector(UserDefinedType[str]):
    """A vector of any length; its text `[0.1,0.2]` goes in and comes out."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        return "vector"


def vector_text(numbers: list[float]) -> str:
    """A vector as PostgreSQL reads it."""
    return f"[{','.join(map(repr, numbers))}]"
