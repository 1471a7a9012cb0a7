"""SQL files, `sql/NAME.sql` in the package that sends them, and text that PostgreSQL stores.

A file begins with a comment that says why, what its parameters are and what it returns; lines of
comment are not sent. `{name}` stands for a fragment that statements share. A file of several
statements has a line `-- name: NAME` above each.
"""

import re
from collections.abc import Iterable, Mapping
from importlib import resources

_COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_FRAGMENT = re.compile(r"\{(\w+)\}")


def load_sql(package: str, name: str, **fragments: str) -> str:
    """Raises KeyError for a fragment that is not given."""
    return fill_in(strip_comments(_read(package, name)), **fragments)


def _read(package: str, name: str) -> str:
    return (resources.files(package) / "sql" / f"{name}.sql").read_text("utf-8")


class SqlFile:
    """The statements of one file, by name. In each `{name}` stands for a fragment that is given, or
    for another statement of the file."""

    def __init__(self, package: str, name: str, **fragments: str) -> None:
        _, *parts = _NAME.split(_read(package, name))
        self._written = dict(zip(parts[::2], map(strip_comments, parts[1::2]), strict=True))
        self._fragments: Mapping[str, str] = fragments

    def __call__(self, name: str, **fragments: str) -> str:
        """Raises KeyError for a statement or fragment that there is not."""
        given = {**self._fragments, **fragments}

        def fragment(found: re.Match[str]) -> str:
            return given[found[1]] if found[1] in given else self(found[1], **fragments)

        return _FRAGMENT.sub(fragment, self._written[name])


def strip_comments(written: str) -> str:
    """Without the lines of comment, and without space around."""
    return _COMMENT.sub("", written).strip()


def fill_in(sql: str, **fragments: str) -> str:
    """Raises KeyError for a fragment that is not given."""
    return _FRAGMENT.sub(lambda found: fragments[found[1]], sql)


def in_list(members: Iterable[str]) -> str:
    """What stands between the parentheses of IN."""
    return ", ".join(f"'{member}'" for member in members)


def storable(text: str) -> str:
    """The text without NUL, and with a question mark for each half of a surrogate pair."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_storable(text: str) -> bool:
    return storable(text) == text
