"""OpenAI SDK: has the answers of a client judged, with the notes that the caller names.

    from openai import OpenAI
    from searchqa_client.openai import context, judged

    client = judged(OpenAI())
    with context(notes, question=question):
        reply = client.chat.completions.create(model="gpt-6-luna", messages=messages)

`judged` takes OpenAI, AsyncOpenAI and their Azure forms, and leaves the client it is given as it
is. Watched are `chat.completions.create` and `.stream`, `responses.create` and `.stream`, whole and
streamed; what they return is what the SDK returns. Earlier messages of the call are the answer's
history. Only calls within a `context` are judged,
because an application also asks models for other things than answers; put only the call that
answers into it. Without `question`, the last user message is the question.

Nothing is submitted for a call that fails, for a reply with tool calls or without text, nor for a
stream that is left before the reply's end. Of several choices the first is judged.

Not supported: `.parse`, `.with_raw_response`, `.with_streaming_response`, `.beta`, responses in the
background, and what `with_options` makes of a judged client (call it before `judged`).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, cast

from openai import AsyncOpenAI, AsyncStream, OpenAI, Stream
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessage
from openai.types.chat.chat_completion_chunk import ChoiceDelta
from openai.types.responses import Response, ResponseCompletedEvent, ResponseIncompleteEvent

from searchqa_client import AnyNote, Background
from searchqa_client._collecting import (
    Turns,
    default_background,
    field_of,
    last_of_role,
    name_or_none,
    never_raises,
    text_of,
    turns_before,
)
from searchqa_client.attributes import current_attributes
from searchqa_client.note import kept

ClientT = TypeVar("ClientT", bound="OpenAI | AsyncOpenAI")
PartT = TypeVar("PartT")


@dataclass(frozen=True, slots=True)
class _Context:
    notes: Iterable[AnyNote]
    question: str | None
    feature: str | None
    profile: str | None
    slots: Mapping[str, object] | None
    traceparent: str | None


_context: ContextVar[_Context | None] = ContextVar("searchqa_context", default=None)


@contextmanager
def context(
    notes: Iterable[AnyNote],
    *,
    question: str | None = None,
    feature: str | None = None,
    profile: str | None = None,
    slots: Mapping[str, object] | None = None,
    traceparent: str | None = None,
) -> Iterator[None]:
    """The calls of judged clients within it, in this thread or task, answer from `notes`. A stream
    may be read after its end."""
    token = _context.set(_Context(kept(notes), question, feature, profile, slots, traceparent))
    try:
        yield
    finally:
        # A generator that a web framework drives may end in another context than it began in.
        with suppress(ValueError):
            _context.reset(token)


def judged(client: ClientT, background: Background | None = None) -> ClientT:
    """A copy of `client` that shares its connections and submits through `background`; by default
    through one that the process shares, set by SEARCHQA_URL and SEARCHQA_TOKEN."""
    background = background or default_background()
    copy = cast("ClientT", client.copy())
    watch = _watch_async if isinstance(copy, AsyncOpenAI) else _watch
    for resource in (copy.chat.completions, copy.responses):
        create: Callable[..., Any] = resource.create
        vars(resource)["create"] = watch(create, background)
    return copy


def _watch(create: Callable[..., object], background: Background) -> Callable[..., object]:
    @wraps(create)
    def watched(*args: object, **given: object) -> object:
        reply = create(*args, **given)
        _observe(reply, given, background)
        return reply

    return watched


def _watch_async(
    create: Callable[..., Awaitable[object]], background: Background
) -> Callable[..., Awaitable[object]]:
    @wraps(create)
    async def watched(*args: object, **given: object) -> object:
        reply = await create(*args, **given)
        _observe(reply, given, background)
        return reply

    return watched


@never_raises
def _observe(reply: object, given: Mapping[str, object], background: Background) -> None:
    """Submits a whole reply, or sees to it that a stream does so at its end. What is neither, as
    raw responses, is left alone."""
    current = _context.get()
    if current is None:
        return
    history = turns_before(_said(given), ("user",), ("assistant",))
    answer = _Answer(background, current, current.question or _question_in(given), history)
    # The SDK has no public way to see the parts of a stream that somebody else reads.
    if isinstance(reply, Stream):
        reply._iterator = _seen(reply._iterator, answer.add)  # noqa: SLF001
    elif isinstance(reply, AsyncStream):
        reply._iterator = _aseen(reply._iterator, answer.add)  # noqa: SLF001
    elif isinstance(reply, ChatCompletion):
        answer.of_completion(reply)
    elif isinstance(reply, Response):
        answer.of_response(reply)


def _seen(parts: Iterator[PartT], see: Callable[[PartT], None]) -> Iterator[PartT]:
    for part in parts:
        see(part)
        yield part


async def _aseen(parts: AsyncIterator[PartT], see: Callable[[PartT], None]) -> AsyncIterator[PartT]:
    async for part in parts:
        see(part)
        yield part


@dataclass(slots=True)
class _Answer:
    """An answer that comes whole or in parts. text: the parts so far. submitted: some servers end
    one answer several times."""

    background: Background
    context: _Context
    question: str
    history: Turns | None
    text: list[str] = field(default_factory=list)
    calls_tools: bool = False
    attributes: Mapping[str, object] = field(default_factory=current_attributes)
    submitted: bool = False

    @never_raises
    def add(self, part: object) -> None:
        """A part of a stream, of either API. What comes after the last word is not waited for."""
        if isinstance(part, ChatCompletionChunk):
            for choice in part.choices:
                if choice.index == 0:
                    self._add_message(choice.delta)
                    if choice.finish_reason:
                        self._submit("".join(self.text), field_of(part, "model"))
        elif isinstance(part, ResponseCompletedEvent | ResponseIncompleteEvent):
            self.of_response(part.response)

    def of_completion(self, completion: ChatCompletion) -> None:
        for choice in completion.choices:
            if choice.index == 0:
                self._add_message(choice.message)
                self._submit("".join(self.text), completion.model)

    def of_response(self, response: Response) -> None:
        """A response that ends with the call of a tool is not the answer yet."""
        if response.output and response.output[-1].type == "message":
            self._submit(response.output_text, response.model)

    def _add_message(self, message: ChatCompletionMessage | ChoiceDelta) -> None:
        self.text.append(message.content or "")
        self.calls_tools |= bool(message.tool_calls or message.function_call)

    def _submit(self, text: str, model: object) -> None:
        if self.submitted or self.calls_tools or not text.strip() or not self.question.strip():
            return
        self.submitted = True
        self.background.submit(
            self.question,
            text,
            self.context.notes,
            feature=self.context.feature,
            model=name_or_none(model),
            profile=self.context.profile,
            slots=self.context.slots,
            history=self.history,
            traceparent=self.context.traceparent,
            attributes=self.attributes,
        )


def _said(given: Mapping[str, object]) -> object:
    """The messages in the arguments of either API."""
    return given.get("messages", given.get("input"))


def _question_in(given: Mapping[str, object]) -> str:
    """The last thing the user said."""
    said = _said(given)
    return (
        said if isinstance(said, str) else text_of(field_of(last_of_role(said, "user"), "content"))
    )
