"""The question and the answer that a span carries."""

import re
from itertools import chain

from app.integrations.traces.spans import RawSpan, SpanKind
from app.integrations.traces.texts import answer_in, message_text, question_in

_MESSAGE = re.compile(
    r"(?P<of>llm\.input_messages|llm\.output_messages|gen_ai\.prompt|gen_ai\.completion)"
    r"\.(?P<index>\d{1,6})\.(?:message\.)?"
    r"(?:(?P<field>role|content)|contents\.(?P<part>\d{1,6})\.message_content\.text)"
)
_USER_EVENT, _CHOICE_EVENT = "gen_ai.user.message", "gen_ai.choice"


def question_of(kind: SpanKind, span: RawSpan) -> str | None:
    given = span.attributes
    if kind is SpanKind.LLM:
        return (
            _last(span, ("llm.input_messages", "gen_ai.prompt"), "user")
            or question_in(given.get("gen_ai.input.messages"))
            or _event_question(span)
            or question_in(given.get("input.value"))
        )
    texts = (
        *(given.get("gen_ai.retrieval.query.text"), given.get("input.value")),
        *(given.get("gen_ai.input.messages"), given.get("traceloop.entity.input")),
        given.get("embedding.embeddings.0.embedding.text"),
    )
    return next(filter(None, map(question_in, texts)), None) or _event_question(span)


def answer_of(span: RawSpan) -> str | None:
    given = span.attributes
    return (
        _last(span, ("llm.output_messages", "gen_ai.completion"), "assistant")
        or answer_in(given.get("gen_ai.output.messages"))
        or _event_answer(span)
        or answer_in(given.get("output.value"))
        or answer_in(given.get("traceloop.entity.output"))
    )


def _last(span: RawSpan, prefixes: tuple[str, ...], role: str) -> str | None:
    """The last text that `role` said, of messages in indexed attributes. One without a role counts
    as said by it; the parts of a message are joined."""
    texts: dict[int, dict[int, str]] = {}
    roles: dict[int, str] = {}
    for key, value in span.attributes.items():
        found = _MESSAGE.fullmatch(key)
        if not found or found["of"] not in prefixes:
            continue
        index = int(found["index"])
        if found["field"] == "role":
            roles[index] = str(value).lower()
        elif text := message_text(value):
            texts.setdefault(index, {})[int(found["part"] or 0)] = text
    for index in sorted(texts, reverse=True):
        if roles.get(index, role) == role:
            parts = texts[index]
            return "\n".join(parts[part] for part in sorted(parts))
    return None


def _event_question(span: RawSpan) -> str | None:
    events = list(reversed(span.events))
    said = (message_text(given.get("content")) for name, given in events if name == _USER_EVENT)
    inputs = (
        question_in(given.get("gen_ai.input.messages") or given.get("gen_ai.prompt"))
        for _, given in events
    )
    return next(filter(None, chain(said, inputs)), None)


def _event_answer(span: RawSpan) -> str | None:
    events = list(reversed(span.events))
    chosen = (
        message_text(given.get("message")) or message_text(given.get("content"))
        for name, given in events
        if name == _CHOICE_EVENT
    )
    outputs = (
        answer_in(given.get("gen_ai.output.messages") or given.get("gen_ai.completion"))
        for _, given in events
    )
    return next(filter(None, chain(chosen, outputs)), None)
