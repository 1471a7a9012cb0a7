"""The head of a Markdown file between two lines of ---, as far as notes use it."""

import re

# `key: value`, `key: [a, b]`, and `key:` with lines `- a` below it.
_FIELD = re.compile(r"([A-Za-z_][\w-]*):(.*)")
_ITEM = re.compile(r"[ \t]*-[ \t](.+)")
_HEAD = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class FrontMatter:
    """Fields by lower-case name; what is not understood is left out."""

    def __init__(self, head: str) -> None:
        self._fields: dict[str, list[str]] = {}
        name = None
        for line in head.splitlines():
            if field := _FIELD.match(line):
                name = field[1].lower()
                self._fields[name] = _values(field[2].strip())
            elif (item := _ITEM.match(line)) and name:
                self._fields[name].append(_unquoted(item[1]))

    def text(self, name: str) -> str | None:
        return ", ".join(self._fields.get(name, [])) or None

    def list(self, name: str) -> "list[str]":
        values = self._fields.get(name, [])
        if len(values) == 1:
            values = values[0].split(",")
        return [value.strip().removeprefix("#") for value in values if value.strip()]


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The fields, and the text behind them: all of it if it begins with no front matter."""
    head = _HEAD.match(text)
    return (FrontMatter(head[1]), text[head.end() :]) if head else (FrontMatter(""), text)


def _values(value: str) -> "list[str]":
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(item) for item in value[1:-1].split(",") if item.strip()]
    return [_unquoted(value)] if value else []


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
