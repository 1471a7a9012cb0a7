"""Terms as PostgreSQL's tsvector and tsquery write them."""

from collections.abc import Sequence

from app.platform.db.statements import storable

# PostgreSQL's own limits: a lexeme has at most 2,046 bytes, a position is at most 16,383.
_MAX_TERM_CHARS = 255
_MAX_POSITION = 16_383


def quoted(term: str) -> str:
    """The term as a tsvector or a tsquery writes it."""
    return escaped(stored(term))


def escaped(lexeme: str) -> str:
    """Any lexeme as they write it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def stored(term: str) -> str:
    """The term as it is stored: at most 255 characters."""
    return storable(term)[:_MAX_TERM_CHARS]


def tsvector(terms: Sequence[str]) -> str:
    """Each term with its positions; the number of positions is its frequency."""
    positions: dict[str, list[int]] = {}
    for position, term in enumerate(terms[:_MAX_POSITION], start=1):
        if stored(term):
            positions.setdefault(quoted(term), []).append(position)
    return " ".join(f"{term}:{','.join(map(str, at))}" for term, at in positions.items())
