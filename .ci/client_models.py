"""The client's models of what the API takes and gives, from its OpenAPI document.

What the API gives becomes a pydantic model, what it takes a TypedDict. An enum is also any other
text, so that a newer server may have more values; fields that the client does not know are ignored
by its base class.
"""

import keyword
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

GIVEN = (
    "AIChatResponse",
    "AddedCase",
    "CriterionPage",
    "CriterionVersion",
    "DatasetDetail",
    "DatasetPage",
    "EstimateRead",
    "EvaluationCreated",
    "EvaluationPage",
    "EvaluationView",
    "GateRead",
    "HumanFeedbackView",
    "RunDetail",
    "RunPage",
    "RunView",
)
# Given by `notes` in the client.
_LEFT_OUT = {("ChatOptions", "context_notes"), ("ChatOptions", "note_titles")}
TAKEN = (
    *("CaseFromAnswer", "ChatOptions", "CriterionCreate", "DatasetCreate", "FeedbackCreate"),
    "RunEvaluation",
)
# Query parameters of a path become a TypedDict, but for those of paging.
FILTERS = {"EvaluationFilters": "/qa-evaluations"}
_PAGING = {"limit", "after", "order"}

_REF = "#/components/schemas/"
_SCALARS = {"integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_FORMATS = {"uuid": "uuid.UUID", "date-time": "dt.datetime", "date": "dt.date"}
_HEADER = '''"""What the API takes and gives. Made by `make client-types`; not to be edited."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

from searchqa_client.reply import Reply
'''


def models(document: Schema) -> str:
    """The module's text. Raises ValueError for what a schema says in a way not known here."""
    schemas: Schema = document["components"]["schemas"]
    given = _closure(GIVEN, schemas)
    taken = _closure(TAKEN, schemas)
    filters = {name: _parameters(document["paths"][path]) for name, path in FILTERS.items()}
    used = _closure([_name(ref) for each in filters.values() for ref in _refs(each)], schemas)
    enums = sorted(name for name in {*given, *taken, *used} if "enum" in schemas[name])
    parts = [_HEADER, *(_enum(name, schemas[name]) for name in enums)]
    parts += [_class(name, schemas[name], taken=False) for name in given if name not in enums]
    parts += [
        _class(name, schemas[name], taken=True)
        for name in taken
        if name not in enums and name not in given
    ]
    parts += [_class(name, each, taken=True) for name, each in filters.items()]
    return "\n\n".join(parts)


def _parameters(item: Schema) -> Schema:
    parameters = [each for each in item["get"]["parameters"] if each["in"] == "query"]
    return {"properties": {p["name"]: p["schema"] for p in parameters if p["name"] not in _PAGING}}


def _closure(roots: tuple[str, ...] | list[str], schemas: Schema) -> list[str]:
    """The schemas and those they name, each after those that it needs."""
    found: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in found or name in above:
            return
        for ref in _refs(schemas[name]):
            visit(_name(ref), (*above, name))
        found[name] = None

    for root in roots:
        visit(root, ())
    return list(found)


def _refs(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield schema["$ref"]
        for value in schema.values():
            yield from _refs(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _refs(value)


def _name(ref: str) -> str:
    return ref.removeprefix(_REF)


def _enum(name: str, schema: Schema) -> str:
    return f"{name}: TypeAlias = {_literal(schema['enum'])} | str"


def _literal(values: list[str]) -> str:
    return f"Literal[{', '.join(map(repr, values))}]"


def _class(name: str, schema: Schema, *, taken: bool) -> str:
    lines = [f"class {name}({'TypedDict' if taken else 'Reply'}):"]
    if description := schema.get("description"):
        lines.append(textwrap.indent(f'"""{description}"""', "    ") + "\n")
    required = schema.get("required", ())
    for field, its in schema["properties"].items():
        if keyword.iskeyword(field) or not field.isidentifier():
            raise ValueError(f"{name}.{field} cannot be an attribute; rename it in the API")
        if (name, field) in _LEFT_OUT:
            continue
        type_ = _type(its, taken=taken)
        if field in required:
            lines.append(f"    {field}: {type_}")
        elif taken:
            lines.append(f"    {field}: NotRequired[{type_}]")
        elif its.get("default") is not None:
            lines.append(f"    {field}: {type_} = {its['default']!r}")
        else:
            lines.append(f"    {field}: {_or_none(type_)} = None")
    return "\n".join(lines) + "\n"


def _or_none(type_: str) -> str:
    return type_ if type_.endswith("| None") else f"{type_} | None"


def _type(schema: Schema, *, taken: bool) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "anyOf" in schema:
        # null comes last, and once.
        options = dict.fromkeys(_type(each, taken=taken) for each in schema["anyOf"])
        return " | ".join(sorted(options, key="None".__eq__))
    if "enum" in schema:
        return f"{_literal(schema['enum'])} | str"
    kind = schema.get("type")
    if "const" in schema or kind == "string":
        known = _FORMATS.get(schema.get("format", ""), "str")
        # Callers have ids and dates as text, too.
        return f"{known} | str" if taken and known != "str" else known
    if kind == "array":
        return f"list[{_type(schema['items'], taken=taken)}]"
    if kind == "object":
        values = schema.get("additionalProperties", True)
        return f"dict[str, {_type(values, taken=taken) if values is not True else 'Any'}]"
    if kind in _SCALARS:
        return _SCALARS[kind]
    raise ValueError(f"there is no Python type for {schema}")
