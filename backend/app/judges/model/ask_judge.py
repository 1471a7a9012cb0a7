"""Asks a judge for a structured reply, a second time if the first cannot be used; parses replies.

A reply is accepted when it holds exactly one JSON object and that object is one of the schema:
bare, in a code fence, or with words around it, as small models write. A verdict planted in
a note for the judge to repeat adds a second object beside the judge's own, and two are refused.

A brace outside of the object may stand only in a placeholder such as {note}, which holds no
quote, colon or brace. So a verdict that is no valid JSON never lets a quoted one pass for it, nor
does a quotation that ends the judge's object early. Objects inside an object or inside its texts
are its parts. A block <think>…</think> that opens the reply is left out.

Nothing is repaired: a guess about a broken verdict would be a verdict of our own. The reasons
name fields of the schema only, never text of the reply, so that they can be shown to the judge
again without carrying anything that was smuggled into it.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from app.ai_router.prompts.quoting import fenced, fenced_line
from app.ai_router.providers.forms import BOUNDING, strict_schema, without_references
from app.ai_router.types import ChatRequest, ChatRouter, Lang, Message, OutputSchema
from app.judges.prompts.search_qa_eval import RE_ASK
from app.platform.errors import CallLimitReached, MalformedOutput

logger = logging.getLogger(__name__)

MAX_OUTPUT_CHARS = 20_000
MAX_REASONS = 3

_PLACEHOLDER_OR_BRACE = re.compile(r"\{\s*[^\s{}\"'`“”‘’:\\][^{}\"'`“”‘’:\\]*\}|[{}]")
_REASONING, _REASONING_END = "<think>", "</think>"

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
        return model.model_validate(parse_object(text))
    except ValidationError as error:
        raise MalformedOutput("; ".join(schema_reasons(error)), body_excerpt=text) from None


def parse_object(text: str) -> Any:
    """What the one object that `text` holds says. Raises MalformedOutput with the reason."""
    try:
        return only_object(text)[0]
    except json.JSONDecodeError as error:
        reason = _syntax_reason(error)
    except RecursionError:
        reason = "the JSON is nested too deeply"
    except ValueError as error:
        reason = str(error)
    raise MalformedOutput(reason, body_excerpt=text) from None


def _without_reasoning(text: str) -> str:
    """The reply without the reasoning that it opens with, whose objects are drafts."""
    if len(text) > MAX_OUTPUT_CHARS:
        raise ValueError(f"the reply is longer than {MAX_OUTPUT_CHARS} characters")
    text = text.strip()
    if text.startswith(_REASONING):
        # The first end: a later one may stand in a text of the verdict.
        _, ended, text = text.partition(_REASONING_END)
        if not ended:
            raise ValueError(f"the reply breaks off before {_REASONING_END}")
    if not text.strip():
        raise ValueError("the reply is empty")
    return text


def only_object(text: str) -> tuple[Any, str]:
    """The object of a reply, and how it is written there. Raises ValueError or RecursionError."""
    text = _without_reasoning(text)
    start = _next_brace(text, 0)
    if start is None:
        raise ValueError("the reply must hold one JSON object, and it holds none")
    if text[:start].rstrip().endswith("["):
        raise ValueError("the reply must be a JSON object, not a list")
    found, end = _DECODER.raw_decode(text, start)
    after = _next_brace(text, end)
    if after is not None and text[after] == "}":
        raise ValueError("a brace follows the JSON object; escape quotation marks inside of texts")
    if after is not None:
        raise ValueError("the reply must hold one JSON object, and it holds more than one")
    return found, text[start:end]


def _next_brace(text: str, start: int) -> int | None:
    """Where the first brace is that belongs to no placeholder."""
    found = _PLACEHOLDER_OR_BRACE.finditer(text, start)
    return next((match.start() for match in found if len(match[0]) == 1), None)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object of the reply names the same field twice")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


# Control characters inside of texts mean themselves: grammars of local servers let them pass.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, strict=False
)


def _syntax_reason(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return "the JSON object breaks off before its end; write shorter texts"
    return f"the reply is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})"


def schema_reasons(error: ValidationError) -> list[str]:
    """The first problems, by the places of the schema alone."""
    reasons = []
    for problem in error.errors(include_url=False, include_input=False)[:MAX_REASONS]:
        place = problem["loc"]
        if problem["type"] == "model_type":
            reasons.append(f"{_path(place)} must be a JSON object, not a list, text or number")
        elif problem["type"] == "extra_forbidden":
            reasons.append(f"{_path(place[:-1])} has a field that was not asked for")
        else:
            reasons.append(f"{_path(place)}: {problem['msg']}")
    return reasons


def _path(place: Sequence[str | int]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(parts).lstrip(".") or "the object"


def output_schema(name: str, model: type[BaseModel], *, by_alias: bool = True) -> OutputSchema:
    """The JSON schema of `model` with every object closed and every field required. by_alias:
    whether its members are named by their aliases.

    Ranges go to servers that hold a reply to them; `parse_reply` checks them anyway.
    """
    schema = without_references(model.model_json_schema(by_alias=by_alias))
    return OutputSchema(name=name, schema=strict_schema(schema, keep=BOUNDING))


# In a line of JSON the quote of its first member follows the brace of an object; within a text a
# quote is escaped, so that a brace of an object that stands in a text is followed by anything else.
_BRACE_IN_TEXT = re.compile(r'\{(?!")')


def refuse_copy(reply: str, messages: Sequence[Message]) -> None:
    """Raises MalformedOutput when a text of the material in `messages` holds the object of the
    reply, whatever its spacing and escapes. reply: one that `parse_reply` takes.

    A note may hold a ready verdict that the judge is told to repeat, or that it mentions without
    giving one of its own.
    """
    if not _BRACE_IN_TEXT.search(fenced_line(messages[-1].content)):
        return
    found, written = only_object(reply)
    plain = json.dumps(found, ensure_ascii=False)
    forms = {_without_blanks(written), _without_blanks(plain)}
    if any(form in text for text in _texts(fenced(messages[-1].content)) for form in forms):
        reason = "the reply copies an object from the material; write an evaluation of your own"
        raise MalformedOutput(reason, body_excerpt=reply)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield _without_blanks(value)
    elif isinstance(value, dict):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _one_line(text: str) -> str:
    return " ".join(text.split())


ShortText = Annotated[JudgeText, AfterValidator(_one_line), Field(min_length=1, max_length=400)]

JUDGE_TEMPERATURE = 0.1

T = TypeVar("T")


async def ask_judge(
    router: ChatRouter,
    messages: Sequence[Message],
    *,
    output: OutputSchema,
    max_tokens: int,
    parse: Callable[[str], T],
    lang: Lang,
    temperature: float = JUDGE_TEMPERATURE,
    re_ask: Mapping[Lang, str] = RE_ASK,
) -> T:
    """What `parse` makes of the reply, asking a second time when it raises MalformedOutput, or
    when the reply is a copy (`refuse_copy`). parse: reads the reply by `parse_reply`.

    The second request repeats the first and adds the reason by way of `re_ask`, which holds
    `{reason}`; the refused reply itself is never sent back. Raises MalformedOutput after the
    second bad reply, or after the first when no call is left, and whatever ProviderError the router
    raises.
    """

    async def ask(asked: Sequence[Message], *, again: bool = False) -> T:
        request = ChatRequest(asked, temperature, max_tokens, output, re_ask=again)
        response = await router.chat(request)
        parsed = parse(response.content)
        refuse_copy(response.content, messages)
        return parsed

    try:
        return await ask(messages)
    except MalformedOutput as error:
        unusable = error
    logger.warning("A reply of %s cannot be used, asking again: %s", router.model, unusable)
    # One longer message instead of a third one: some chat templates insist on taking turns.
    last = messages[-1]
    reminder = re_ask[lang].format(reason=unusable)
    try:
        longer = Message(last.role, f"{last.content}\n\n{reminder}")
        return await ask([*messages[:-1], longer], again=True)
    except CallLimitReached:
        raise unusable from None
    except MalformedOutput as error:
        logger.warning("The second reply of %s cannot be used either: %s", router.model, error)
        raise


async def all_of(asking: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What each gives, asked at the same time. Where one fails the others may finish, because
    their replies are paid for, and then its error is raised."""
    coroutines = list(asking)
    if len(coroutines) == 1:
        return [await coroutines[0]]
    results = await asyncio.gather(*coroutines, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]
