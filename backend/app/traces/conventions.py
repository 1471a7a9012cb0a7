"""What a span says, by the conventions that it may follow: OpenInference, GenAI of OpenTelemetry
(attributes and the older events), and OpenLLMetry's attributes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from app.answers.limits import (
    MAX_ANSWER_CHARS,
    MAX_NOTE_CHARS,
    MAX_NOTES,
    MAX_QUESTION_CHARS,
    MAX_TITLE_CHARS,
)
from app.text.storable import storable
from app.traces.spans import (
    ANSWERING,
    Attributes,
    Content,
    Document,
    KeptSpan,
    RawSpan,
    SpanKind,
    Value,
)
from app.traces.texts import (
    PASSED_ON,
    RETRIEVED,
    answer_in,
    document_of,
    documents_in,
    message_text,
    parsed,
    question_in,
)

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
_DOCUMENT = re.compile(
    r"(?P<of>retrieval\.documents|reranker\.output_documents)\.(?P<index>\d{1,6})\.document\."
    r"(?P<field>id|content|score|metadata)"
)
_MESSAGE = re.compile(
    r"(?P<of>llm\.input_messages|llm\.output_messages|gen_ai\.prompt|gen_ai\.completion)"
    r"\.(?P<index>\d{1,6})\.(?:message\.)?"
    r"(?:(?P<field>role|content)|contents\.(?P<part>\d{1,6})\.message_content\.text)"
)
_USER_EVENT, _CHOICE_EVENT = "gen_ai.user.message", "gen_ai.choice"
_RETRIEVING = frozenset({SpanKind.RETRIEVER, SpanKind.RERANKER})
_OUTPUTS = ("output.value", "traceloop.entity.output")
_INPUTS = ("input.value", "traceloop.entity.input")
_PLACES = {
    **dict.fromkeys(_RETRIEVING, _OUTPUTS),
    **dict.fromkeys((SpanKind.CHAIN, SpanKind.AGENT), (*_OUTPUTS, *_INPUTS)),
}
_MAX_TEXTLESS = 1_000_000
_MAX_TOKENS = 2**31 - 1
_MAX_MODEL_CHARS = 200


def keep(span: RawSpan) -> KeptSpan:
    """What is kept of a span with valid ids. Never raises, whatever its attributes are."""
    kind = _kind(span)
    return KeptSpan(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id,
        name=storable(span.name),
        start=min(max(span.start, 0), 2**63 - 1),
        is_root=span.is_root,
        service=storable(span.service),
        kind=kind,
        content=Content() if kind is None else _content(kind, span),
    )


def _kind(span: RawSpan) -> SpanKind | None:
    """None for a span of no convention: HTTP, a database without text, and the like."""
    for key in _KIND_KEYS:
        named = span.attributes.get(key)
        if isinstance(named, str):
            return _KINDS.get(named.lower(), SpanKind.OTHER)
    keys = [*span.attributes, *chain.from_iterable(attributes for _, attributes in span.events)]
    if any(_DOCUMENT.fullmatch(key) or key.startswith("db.query.result") for key in keys):
        return SpanKind.RETRIEVER
    if "gen_ai.retrieval.documents" in keys:
        return SpanKind.RETRIEVER
    if any(key.startswith(("llm.", "gen_ai.")) for key in keys):
        return SpanKind.LLM
    return None


def _content(kind: SpanKind, span: RawSpan) -> Content:
    cutting = _Cutting()
    question = cutting.text(_question(kind, span), MAX_QUESTION_CHARS)
    answer = cutting.text(_answer(span), MAX_ANSWER_CHARS) if kind in ANSWERING else None
    documents, textless = _documents(kind, span)
    given = span.attributes
    return Content(
        question=question,
        answer=answer,
        documents=[cutting.document(document) for document in cutting.most(documents)],
        textless=textless,
        model=_name(given, "llm.model_name", "gen_ai.response.model", "gen_ai.request.model"),
        provider=_name(given, "llm.provider", "gen_ai.provider.name", "gen_ai.system"),
        prompt_tokens=_tokens(given, "llm.token_count.prompt", "gen_ai.usage.input_tokens"),
        completion_tokens=_tokens(
            given, "llm.token_count.completion", "gen_ai.usage.output_tokens"
        ),
        cut=cutting.count,
    )


class _Cutting:
    """Shortens texts to what is stored, and counts how many."""

    def __init__(self) -> None:
        self.count = 0

    def text(self, text: str | None, limit: int) -> str | None:
        if text is None:
            return None
        if len(text) > limit:
            self.count += 1
        return storable(text[:limit]).strip() or None

    def document(self, document: Document) -> Document:
        content = self.text(document.content, MAX_NOTE_CHARS) or ""
        title = storable(document.title[:MAX_TITLE_CHARS])
        return Document(title, content, document.score)

    def most(self, documents: list[Document]) -> list[Document]:
        self.count += max(0, len(documents) - MAX_NOTES)
        return documents[:MAX_NOTES]


def _question(kind: SpanKind, span: RawSpan) -> str | None:
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


def _answer(span: RawSpan) -> str | None:
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


def _documents(kind: SpanKind, span: RawSpan) -> tuple[list[Document], int]:
    """Those with text, and how many have none."""
    found = list(_described(kind, span))
    documents = [document for each in found if (document := document_of(each))]
    if not documents:
        documents = _documents_elsewhere(kind, span)
    return documents, 0 if documents else min(len(found), _MAX_TEXTLESS)


def _documents_elsewhere(kind: SpanKind, span: RawSpan) -> list[Document]:
    """Documents in the output of a retriever, and in what a chain passes on."""
    keys = _PLACES.get(kind, ())
    for key in keys:
        named = RETRIEVED if kind in _RETRIEVING else PASSED_ON
        found = map(document_of, documents_in(span.attributes.get(key), named))
        if documents := [document for document in found if document]:
            return documents
    return []


def _described(kind: SpanKind, span: RawSpan) -> Iterable[Mapping[str, Value]]:
    """The documents that conventions put into attributes and events."""
    of = "reranker.output_documents" if kind is SpanKind.RERANKER else "retrieval.documents"
    indexed: dict[int, dict[str, Value]] = {}
    for key, value in span.attributes.items():
        found = _DOCUMENT.fullmatch(key)
        if found and found["of"] == of:
            indexed.setdefault(int(found["index"]), {})[found["field"]] = value
    yield from (indexed[index] for index in sorted(indexed))
    sources = (span.attributes, *(attributes for _, attributes in span.events))
    for attributes in sources:
        yield from _listed(attributes.get("gen_ai.retrieval.documents"))
    prefix = "db.query.result."
    for name, attributes in span.events:
        if name == "db.query.result":
            yield {key.removeprefix(prefix): value for key, value in attributes.items()}


def _listed(value: Value) -> Iterator[Mapping[str, Value]]:
    documents = parsed(value)
    if isinstance(documents, list):
        yield from (each for each in documents if isinstance(each, Mapping))


def _name(attributes: Attributes, *keys: str) -> str | None:
    named = (attributes.get(key) for key in keys)
    found = next((each for each in named if isinstance(each, str) and each.strip()), None)
    return storable(found[:_MAX_MODEL_CHARS]) if found else None


def _tokens(attributes: Attributes, *keys: str) -> int | None:
    counts = (attributes.get(key) for key in keys)
    whole = (each for each in counts if isinstance(each, int) and not isinstance(each, bool))
    return next((each for each in whole if 0 <= each <= _MAX_TOKENS), None)
