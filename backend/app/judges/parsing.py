"""Turns what a judge wrote into one checked object, or gives the precise reason why it cannot.

A reply is accepted when it is exactly one JSON object of the schema, bare or inside one
```json fence. Nothing is repaired: a guess about a broken verdict would be a verdict of
our own. The reasons name fields of the schema only, never text of the reply, so that they
can be shown to the judge again without carrying anything that was smuggled into it.
"""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from app.ai_router.providers.schema import strict_schema
from app.ai_router.types import OutputSchema
from app.errors import MalformedOutput

MAX_OUTPUT_CHARS = 20_000
MAX_REASONS = 3

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)

M = TypeVar("M", bound=BaseModel)


def _storable(text: str) -> str:
    # PostgreSQL refuses NUL. Half a surrogate pair, which it refuses too, pydantic refuses.
    if "\0" in text:
        raise ValueError("holds the character NUL, which cannot be stored")
    return text


JudgeText = Annotated[str, Field(max_length=4_000), AfterValidator(_storable)]
Score = Annotated[float, Field(ge=0, le=1)]


class JudgeReply(BaseModel):
    """Base of what judges write: no conversions of type, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def parse_reply(text: str, model: type[M]) -> M:
    """The one object of `model` that `text` holds. Raises MalformedOutput with the reason."""
    try:
        data = json.loads(
            _body(text), object_pairs_hook=_unique_keys, parse_constant=_refuse_constant
        )
        return model.model_validate(data)
    except ValidationError as error:
        reason = _schema_reason(error)
    except json.JSONDecodeError as error:
        reason = _syntax_reason(error)
    except RecursionError:
        reason = "the JSON is nested too deeply"
    except ValueError as error:
        reason = str(error)
    raise MalformedOutput(reason, body_excerpt=text)


def _body(text: str) -> str:
    if len(text) > MAX_OUTPUT_CHARS:
        raise ValueError(f"the reply is longer than {MAX_OUTPUT_CHARS} characters")
    text = text.strip()
    if not text:
        raise ValueError("the reply is empty")
    fenced = _FENCED.fullmatch(text)
    return fenced.group(1) if fenced else text


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object of the reply names the same field twice")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _syntax_reason(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return "the reply must be one JSON object with nothing after it"
    if not error.doc.lstrip().startswith("{"):
        return "the reply must be one JSON object with nothing before it"
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return "the JSON object breaks off before its end; write shorter texts"
    return f"the reply is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})"


def _schema_reason(error: ValidationError) -> str:
    reasons = []
    for problem in error.errors(include_url=False, include_input=False)[:MAX_REASONS]:
        place = problem["loc"]
        if problem["type"] == "model_type":
            reasons.append(f"{_path(place)} must be a JSON object, not a list, text or number")
        elif problem["type"] == "extra_forbidden":
            reasons.append(f"{_path(place[:-1])} has a field that was not asked for")
        else:
            reasons.append(f"{_path(place)}: {problem['msg']}")
    return "; ".join(reasons)


def _path(place: Sequence[str | int]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(parts).lstrip(".") or "the object"


def output_schema(name: str, model: type[BaseModel]) -> OutputSchema:
    """The JSON schema of `model` with every object closed and every field required.

    Ranges are left out, because some vendors refuse them; `parse_reply` checks them anyway.
    """
    return OutputSchema(name=name, schema=strict_schema(model.model_json_schema()))
