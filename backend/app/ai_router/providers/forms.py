"""The forms in which servers of OpenAI's protocol are asked for a structured reply, and how they
refuse them.

OpenAI, vLLM, SGLang, LM Studio, llama-server and Ollama take a strict schema; llama-cpp-python
takes one beside `json_object`; gateways hand Ollama's own `format` on; others know JSON without a
schema, or nothing at all. There the prompt alone says what to write, and a judge asks once more.
"""

from collections.abc import Mapping
from typing import Any

from app.ai_router.providers.schema import bounded_output, strict_output
from app.ai_router.types import OutputSchema

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
