"""The part of JSON Schema that every vendor's structured output understands."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from app.ai_router.types import OutputSchema

# Vendors disagree on these and refuse the request over them. They only narrow a value, and
# the caller checks the reply against the full schema anyway.
_NARROWING_KEYWORDS = """
    default examples exclusiveMaximum exclusiveMinimum format maxItems maxLength maximum
    minItems minLength minimum multipleOf pattern uniqueItems
    """
_NARROWING = frozenset(_NARROWING_KEYWORDS.split())
# Names and docstrings of our classes, which would be paid for with every request.
_ANNOTATIONS = frozenset({"title", "description"})
_NAMED_SCHEMAS = frozenset({"properties", "$defs", "definitions"})


# Those that grammars of local servers enforce, without which a small model may write one text or
# list until its reply is cut off. Prompts ask for shorter texts than this.
BOUNDING = frozenset({"maximum", "maxItems", "maxLength", "minimum", "minItems"})
_TEXT_CHARS = 200


@lru_cache(maxsize=256)
def strict_output(output: OutputSchema) -> Mapping[str, Any]:
    """The strict form of an output's schema, made once and not for each request."""
    return strict_schema(output.schema)


@lru_cache(maxsize=256)
def bounded_output(output: OutputSchema) -> Mapping[str, Any]:
    """The same with its bounds of lists and numbers, and with bounds for all texts."""
    return _bounded(strict_schema(output.schema, keep=BOUNDING))


def strict_schema(schema: Mapping[str, Any], keep: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema as "strict" modes require it: every object closed, every property required. keep:
    the narrowing keywords that stay."""
    strict: dict[str, Any] = {}
    for key, value in schema.items():
        if (key in _NARROWING and key not in keep) or key in _ANNOTATIONS:
            continue
        if key in _NAMED_SCHEMAS:
            strict[key] = {name: strict_schema(part, keep) for name, part in value.items()}
        else:
            strict[key] = _each(value, lambda part: strict_schema(part, keep))
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    bounded: dict[str, Any] = {
        key: {name: _bounded(part) for name, part in value.items()}
        if key in _NAMED_SCHEMAS
        else _each(value, _bounded)
        for key, value in schema.items()
    }
    if bounded.get("type") == "string" and "enum" not in bounded and "const" not in bounded:
        bounded["maxLength"] = min(bounded.get("maxLength", _TEXT_CHARS), _TEXT_CHARS)
    return bounded


def _each(value: Any, change: Callable[[Mapping[str, Any]], Any]) -> Any:
    """A value of a schema with `change` made to the schemas in it."""
    if isinstance(value, Mapping):
        return change(value)
    return [_each(part, change) for part in value] if isinstance(value, list) else value


def without_references(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with each definition in the place of its references, which takes fewer tokens
    where there is one. No definition may hold itself."""
    definitions = schema.get("$defs", {})

    def inlined(value: Any) -> Any:
        if isinstance(value, list):
            return [inlined(part) for part in value]
        if not isinstance(value, Mapping):
            return value
        if "$ref" in value:
            return inlined(definitions[value["$ref"].removeprefix("#/$defs/")])
        return {key: inlined(part) for key, part in value.items()}

    return {key: inlined(part) for key, part in schema.items() if key != "$defs"}
