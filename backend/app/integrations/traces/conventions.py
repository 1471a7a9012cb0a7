"""Reads spans by the conventions that they may follow: OpenInference, GenAI of OpenTelemetry
(attributes and the older events), and OpenLLMetry's attributes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from urllib.parse import unquote

from app.integrations.traces.spans import (
    ANSWERING,
    MAX_TOKENS,
    Attributes,
    Content,
    Document,
    RawSpan,
    SentSpan,
    SpanKind,
    Value,
)
from app.integrations.traces.texts import (
    answer_of,
    documents_of,
    history_of,
    is_document,
    parsed,
    question_of,
)
from app.judges.answer_parts import MAX_ANSWER_CHARS
from app.platform.db.statements import storable
from app.verdicts.answers.attributes import Attributes as AnswerAttributes
from app.verdicts.answers.finished import (
    MAX_CONTEXT_CHARS,
    MAX_NOTE_CHARS,
    MAX_NOTES,
    MAX_QUESTION_CHARS,
    MAX_TITLE_CHARS,
)

# The first that is there counts. langfuse_…: keys of Langfuse's baggage.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "app_version": (
        *("searchqa.app_version", "langfuse.release", "langfuse.version", "service.version"),
    ),
    "environment": (
        *("searchqa.environment", "langfuse.environment"),
        *("deployment.environment.name", "deployment.environment"),
    ),
    "user_ref": (
        *("searchqa.user_ref", "user.id", "langfuse.user.id", "enduser.id", "langfuse_user_id"),
        "traceloop.association.properties.user_id",
    ),
    "session_id": (
        *("searchqa.session_id", "session.id", "langfuse.session.id", "gen_ai.conversation.id"),
        *("langfuse_session_id", "traceloop.association.properties.session_id"),
    ),
}
_TAGS = ("searchqa.tags", "tag.tags", "langfuse.trace.tags")
_OWN = ("metadata", "langfuse.trace.metadata")
_OWN_PREFIXES = (
    *("searchqa.attributes.", "langfuse.trace.metadata.", "traceloop.association.properties."),
)
_USED = {key for keys in _TEXTS.values() for key in keys}
# Prefixes of what is read here.
WANTED = (*_USED, *_TAGS, *_OWN, *_OWN_PREFIXES)

_MAX_BAGGAGE_CHARS = 8_192


def attributes_of(given: Mapping[str, Value]) -> AnswerAttributes:
    """Of one span with its resource. Never raises."""
    texts = {
        name: next((given[key] for key in keys if given.get(key) not in (None, "")), None)
        for name, keys in _TEXTS.items()
    }
    return AnswerAttributes.fitted(texts, _tags(given), dict(_own(given)))


def _tags(given: Mapping[str, Value]) -> Iterator[Value]:
    for key in _TAGS:
        tags = parsed(given.get(key))
        if isinstance(tags, list):
            yield from tags
        elif isinstance(tags, str):
            yield from tags.split(",")


def _own(given: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    for key in _OWN:
        found = parsed(given.get(key))
        if isinstance(found, Mapping):
            yield from found.items()
    for key, value in given.items():
        for prefix in _OWN_PREFIXES:
            if key.startswith(prefix) and key not in _USED:
                yield key.removeprefix(prefix), value


def baggage_attributes(header: str) -> AnswerAttributes:
    """Of a request, by W3C Baggage. Never raises: proxies and instrumentations write it."""
    found: dict[str, Value] = {}
    for member in header[:_MAX_BAGGAGE_CHARS].split(","):
        name, equals, value = member.partition(";")[0].partition("=")
        if equals:
            found[unquote(name.strip())] = unquote(value.strip())
    return attributes_of(found)


_KINDS: Mapping[str, SpanKind] = {
    # openinference.span.kind, traceloop.span.kind
    **{kind.value: kind for kind in SpanKind},
    "workflow": SpanKind.CHAIN,
    "task": SpanKind.CHAIN,
    # gen_ai.operation.name
    "chat": SpanKind.LLM,
    "text_completion": SpanKind.LLM,
    "generate_content": SpanKind.LLM,
    "embeddings": SpanKind.EMBEDDING,
    "retrieval": SpanKind.RETRIEVER,
    "invoke_agent": SpanKind.AGENT,
    "invoke_workflow": SpanKind.CHAIN,
}
_KIND_KEYS = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind")
_MAX_MODEL_CHARS = 200


def read_span(span: RawSpan) -> SentSpan:
    """The stored part of a span with valid ids. Never raises, whatever its attributes are."""
    kind = _kind(span)
    return SentSpan(
        span_id=span.span_id,
        parent_id=span.parent_id,
        start=min(max(span.start, 0), 2**63 - 1),
        kind=kind,
        content=Content() if kind is None else _content(kind, span),
        trace_id=span.trace_id,
        name=storable(span.name),
        service=storable(span.service),
        is_root=span.is_root,
    )


def _kind(span: RawSpan) -> SpanKind | None:
    """None for a span of no convention: HTTP, a database without text, and the like."""
    for key in _KIND_KEYS:
        named = span.attributes.get(key)
        if isinstance(named, str):
            return _KINDS.get(named.lower(), SpanKind.OTHER)
    keys = [*span.attributes, *chain.from_iterable(attributes for _, attributes in span.events)]
    if any(map(is_document, keys)) or "gen_ai.retrieval.documents" in keys:
        return SpanKind.RETRIEVER
    if any(key.startswith(("llm.", "gen_ai.")) for key in keys):
        return SpanKind.LLM
    return None


def _content(kind: SpanKind, span: RawSpan) -> Content:
    truncation = _Truncation()
    question = truncation.text(question_of(kind, span), MAX_QUESTION_CHARS)
    answer = truncation.text(answer_of(span), MAX_ANSWER_CHARS) if kind in ANSWERING else None
    described, textless = documents_of(kind, span)
    documents = list(truncation.documents(described))
    given = span.attributes
    return Content(
        question=question,
        answer=answer,
        documents=documents,
        textless=textless,
        model=_name(given, "llm.model_name", "gen_ai.response.model", "gen_ai.request.model"),
        provider=_name(given, "llm.provider", "gen_ai.provider.name", "gen_ai.system"),
        prompt_tokens=_tokens(given, "llm.token_count.prompt", "gen_ai.usage.input_tokens"),
        completion_tokens=_tokens(
            given, "llm.token_count.completion", "gen_ai.usage.output_tokens"
        ),
        attributes=attributes_of(given),
        history=history_of(span),
        cut=truncation.count,
    )


class _Truncation:
    """Shortens texts to what is stored, and counts how many."""

    def __init__(self) -> None:
        self.count = 0

    def text(self, text: str | None, limit: int) -> str | None:
        if text is None:
            return None
        if len(text) > limit:
            self.count += 1
        return storable(text[:limit]).strip() or None

    def _document(self, document: Document) -> Document:
        content = self.text(document.content, MAX_NOTE_CHARS) or ""
        title = storable(document.title[:MAX_TITLE_CHARS])
        return Document(title, content, document.score)

    def documents(self, documents: Sequence[Document]) -> Iterator[Document]:
        """As many as one answer may have."""
        chars = 0
        for kept, document in enumerate(map(self._document, documents)):
            chars += len(document.content)
            if kept >= MAX_NOTES or chars > MAX_CONTEXT_CHARS:
                self.count += len(documents) - kept
                return
            yield document


def _name(attributes: Attributes, *keys: str) -> str | None:
    named = (attributes.get(key) for key in keys)
    found = next((each for each in named if isinstance(each, str) and each.strip()), None)
    return storable(found[:_MAX_MODEL_CHARS]) if found else None


def _tokens(attributes: Attributes, *keys: str) -> int | None:
    counts = (attributes.get(key) for key in keys)
    whole = (each for each in counts if isinstance(each, int) and not isinstance(each, bool))
    return next((each for each in whole if 0 <= each <= MAX_TOKENS), None)
