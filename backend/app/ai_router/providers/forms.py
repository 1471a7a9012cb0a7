"""The forms in which servers of OpenAI's protocol are asked for a structured reply, how they refuse
them, and the optional parts of requests that a server refuses, so that each is tried once.

OpenAI, vLLM, SGLang, LM Studio, llama-server and Ollama take a strict schema; llama-cpp-python
takes one beside `json_object`; gateways hand Ollama's own `format` on; others know JSON without a
schema, or nothing at all. There the prompt alone says what to write, and a judge asks once more.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from app.ai_router.types import OutputSchema
from app.platform.db.statements import load_sql

if TYPE_CHECKING:
    from app.platform.db.pool import Pool

logger = logging.getLogger(__name__)

JSON_SCHEMA, SCHEMA_OBJECT, OLLAMA, JSON_OBJECT = FORMS = (
    "json_schema",
    "json_object with schema",
    "format",
    "json_object",
)
PLAIN = "plain"
# The part of a schema that bounds lengths and ranges.
BOUNDS = "bounds"
STRUCTURE = frozenset({*FORMS, BOUNDS})

# What a refusal of a form names, in lower case.
_MARKS = (
    # of OpenAI, Azure, Mistral, DeepSeek, LM Studio, LiteLLM, llama.cpp and the validation error of
    # llama-cpp-python
    *("response_format", "json_schema", "json_object"),
    # of Groq, Together and Fireworks
    *("response format", "json mode"),
    # of vLLM and SGLang, whose versions word it differently
    *("structured output", "structured_output", "structured decoding", "guided_json"),
    *("guided decoding", "guided_decoding", "json schema"),
    # of SGLang without a grammar backend, vLLM, TGI and llama.cpp
    "grammar",
    # of Ollama: a model vocabulary that is required for it, or a value that it does not know
    *("required for format", "invalid format"),
    # of OpenRouter, where no server behind it takes the form
    "requested parameters",
)
# What one names that is about the keywords of a schema.
_KEYWORD_MARKS = (
    *("maxlength", "maxitems", "minitems", "not supported by xgrammar", "grammar error"),
    *("failed to parse grammar", "conversion failed", "invalid schema", "invalid json schema"),
    "repetitions",
)


def first_form(refused: frozenset[str]) -> str:
    """The first form that is not refused; PLAIN after the last."""
    return next((form for form in FORMS if form not in refused), PLAIN)


def form_fields(output: OutputSchema, refused: frozenset[str]) -> dict[str, Any]:
    """The members of a request that ask for `output` in the first form that is not refused."""
    schema = strict_output(output) if BOUNDS in refused else bounded_output(output)
    match first_form(refused):
        case "json_schema":
            named = {"name": output.name, "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "json_object with schema":
            return {"response_format": {"type": "json_object", "schema": schema}}
        case "format":
            return {"format": schema}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
    return {}


def refused_form(body: Mapping[str, Any], refused: frozenset[str], complaint: str) -> str | None:
    """What of the structure that `body` asks for the complaint (lower case) is about: a form or
    BOUNDS. refused: what the body was made without."""
    asked = body.get("response_format", body.get("format"))
    own = OLLAMA in body and "format" in complaint
    if asked is None or not (own or any(mark in complaint for mark in _MARKS + _KEYWORD_MARKS)):
        return None
    form = first_form(refused)
    by_keyword = any(mark in complaint for mark in _KEYWORD_MARKS)
    return BOUNDS if by_keyword and form != JSON_OBJECT and BOUNDS not in refused else form


# The part of JSON Schema that every vendor's structured output understands.

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


Parts = frozenset[str]

# A server may be upgraded: after a week it is sent everything again.
KEPT_SECONDS = 7 * 86_400.0
_NONE: Parts = frozenset()


class _Known(NamedTuple):
    """until: of `monotonic`."""

    parts: Parts
    until: float


class PartsInDatabase:
    """Keeps refused parts for other processes. Raises nothing: they are found out anew."""

    def __init__(self, pool: "Pool") -> None:
        self._pool = pool

    async def load(self, server: str, model: str) -> Parts:
        rows = await self._run("load_refused_parts", {"server": server, "model": model})
        return frozenset(rows[0][0]) if rows else _NONE

    async def save(self, server: str, model: str, parts: Parts) -> None:
        given = {"server": server, "model": model, "parts": sorted(parts)}
        await self._run("save_refused_parts", given)

    async def _run(self, statement: str, given: Mapping[str, object]) -> list[tuple[list[str]]]:
        # Processes without a database import this module too.
        import psycopg

        sql = load_sql("app.ai_router", statement).encode()
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(sql, {**given, "seconds": KEPT_SECONDS})
                return await cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            logger.warning("What model servers refuse is not shared now (%s)", error)
            return []


class RefusedParts:
    """What is known by server (its address) and model; for one event loop. store: shares it with
    other processes and with those after a restart."""

    def __init__(self, store: PartsInDatabase | None = None) -> None:
        self._store = store
        self._known: dict[tuple[str, str], _Known] = {}
        self._saving: set[asyncio.Task[None]] = set()

    async def read(self, server: str, model: str) -> Parts:
        """Reads the store if this process has no entry, or one older than KEPT_SECONDS."""
        key = (server, model)
        known = self._known.get(key)
        if known is None or known.until < monotonic():
            self._known.pop(key, None)
            # Joined with what other calls find out meanwhile.
            self._keep(key, await self._store.load(server, model) if self._store else _NONE)
        return self._known[key].parts

    def known(self, server: str, model: str) -> Parts:
        """The entries of this process, without reading the store."""
        return self._known.get((server, model), _Known(_NONE, 0)).parts

    def add(self, server: str, model: str, parts: Parts) -> None:
        """Keeps them, and has the store keep them in the background."""
        key = (server, model)
        if parts <= self.known(*key):
            return
        self._keep(key, parts)
        if self._store:
            saving = asyncio.create_task(self._store.save(server, model, parts))
            self._saving.add(saving)
            saving.add_done_callback(self._saving.discard)

    def _keep(self, key: tuple[str, str], parts: Parts) -> None:
        self._known[key] = _Known(parts | self.known(*key), monotonic() + KEPT_SECONDS)

    async def aclose(self) -> None:
        """Returns once all is saved."""
        await asyncio.gather(*self._saving)
