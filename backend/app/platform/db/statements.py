"""SQL files, `sql/NAME.sql` in the package that sends them, and text that PostgreSQL stores.

A file begins with a comment that says why, what its parameters are and what it returns; lines of
comment are not sent. `{name}` stands for a fragment that statements share.
"""

import re
from collections.abc import Iterable
from importlib import resources

_COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)
_FRAGMENT = re.compile(r"\{(\w+)\}")


def load_sql(package: str, name: str, **fragments: str) -> str:
    """Raises KeyError for a fragment that is not given."""
    written = (resources.files(package) / "sql" / f"{name}.sql").read_text("utf-8")
    return fill_in(strip_comments(written), **fragments)


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
