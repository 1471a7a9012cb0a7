"""The part of JSON Schema that every vendor's structured output understands."""

from collections.abc import Mapping
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


@lru_cache(maxsize=256)
def strict_output(output: OutputSchema) -> Mapping[str, Any]:
    """The strict form of an output's schema, made once and not for each request."""
    return strict_schema(output.schema)


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as "strict" modes require it: every object closed, every property required."""
    strict: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NARROWING or key in _ANNOTATIONS:
            continue
        if key in _NAMED_SCHEMAS:
            strict[key] = {name: strict_schema(part) for name, part in value.items()}
        else:
            strict[key] = _strict_value(value)
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _strict_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return strict_schema(value)
    if isinstance(value, list):
        return [_strict_value(part) for part in value]
    return value


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
