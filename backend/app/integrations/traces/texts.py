"""Questions, answers and documents in the attributes of spans, as frameworks write them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from app.integrations.traces.spans import Document, RawSpan, SpanKind, Value
from app.text.turns import Turn, paired

# A longer value is not read as JSON.
MAX_JSON_CHARS = 2_000_000
_MAX_DEPTH = 8
# What OpenInference writes where its settings hide inputs, outputs or documents.
_REDACTED = "__REDACTED__"
# The first that a mapping has and that leads to a text.
_QUESTION_KEYS = (
    *("question", "query", "query_str", "input", "user_query", "user_input", "prompt", "message"),
    *("messages", "query_bundle", "str_or_query_bundle", "q", "text", "content", "parts"),
    *("kwargs", "data"),
)
_ANSWER_KEYS = (
    *("answer", "output", "response", "result", "output_text", "completion", "generations"),
    *("choices", "messages", "message", "text", "content", "parts", "kwargs", "data"),
)
# What a chain passes on under these names was retrieved; under the others only a retriever's is.
PASSED_ON = (
    *("documents", "source_documents", "context", "contexts", "source_nodes", "docs"),
    "retrieved_documents",
)
RETRIEVED = (*PASSED_ON, "sources", "matches", "results", "chunks")
_TEXT_KEYS = ("page_content", "content", "text", "document", "body", "snippet")
_TITLE_KEYS = ("title", "name", "file_name", "filename", "source", "file_path", "url")
_SCORE_KEYS = ("score", "relevance_score", "similarity", "relevance")
_ASKING = frozenset({"user", "human"})
_ANSWERING = frozenset({"assistant", "ai", "model", "aimessage", "aimessagechunk"})


def parsed(value: Value) -> Value:
    """A text that is JSON of an object, a list or a string, parsed; else the value itself."""
    if not isinstance(value, str) or len(value) > MAX_JSON_CHARS:
        return value
    if value.lstrip()[:1] not in {"{", "[", '"'}:
        return value
    try:
        found: Value = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found


def question_in(value: Value) -> str | None:
    """The question in an input; in a conversation, what the user said last."""
    return _text_in(parsed(value), _QUESTION_KEYS, _ASKING)


def answer_in(value: Value) -> str | None:
    """The answer in an output; in a conversation, what the model said last."""
    return _text_in(parsed(value), _ANSWER_KEYS, _ANSWERING)


def _text_in(
    value: Value, keys: Sequence[str], roles: frozenset[str], depth: int = 0
) -> str | None:
    if isinstance(value, str):
        return _shown(value)
    if depth >= _MAX_DEPTH:
        return None

    def inner(each: Value) -> str | None:
        return _text_in(each, keys, roles, depth + 1)

    if isinstance(value, Mapping):
        return next(filter(None, (inner(value[key]) for key in keys if key in value)), None)
    if not isinstance(value, Sequence):
        return None
    if any(_role(each) for each in value):
        contents = [_message_content(each) for each in value if _role(each) in roles]
        return next(filter(None, map(inner, reversed(contents))), None)
    if all(_is_text_part(each) for each in value):
        return "\n".join(filter(None, map(inner, value))) or None
    return next(filter(None, map(inner, value)), None)


def _shown(text: str) -> str | None:
    """None for a blank text, and for one that the sender keeps to itself."""
    return text.strip() if text.strip() not in {"", _REDACTED} else None


def _is_text_part(value: Value) -> bool:
    return isinstance(value, Mapping) and value.get("type") == "text"


def _is_pair(value: Value) -> bool:
    """Of a role and a text, as LangGraph lets messages be written."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        return False
    return isinstance(value[0], str) and value[0].lower() in _ROLES


def _message_content(value: Value) -> Value:
    return value[1] if isinstance(value, Sequence) and _is_pair(value) else value


def _role(value: Value) -> str:
    """The role of a message; empty for anything else."""
    if isinstance(value, Sequence) and _is_pair(value):
        return str(value[0]).lower()
    if not isinstance(value, Mapping):
        return ""
    for key in ("role", "type"):
        role = value.get(key)
        if isinstance(role, str) and role.lower() in _ROLES:
            return role.lower()
    name = value.get("id")
    if isinstance(name, Sequence) and not isinstance(name, str) and name:
        last = name[-1]
        return _CONSTRUCTORS.get(last, "") if isinstance(last, str) else ""
    return ""


_SPEAKING = _ASKING | _ANSWERING
_ROLES = _SPEAKING | {"system", "tool", "function", "developer"}
# LangChain's serialised messages name their class.
_CONSTRUCTORS = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
}


def message_text(value: Value) -> str | None:
    """The text of one message: a string, or parts of which some are text."""
    return _text_in(parsed(value), ("content", "parts", "text"), frozenset())


def documents_in(value: Value, keys: Sequence[str]) -> list[Mapping[str, Value]]:
    """The documents with text of an input or output: a list of them, or under one of `keys`."""
    return list(_documents_in(parsed(value), keys, 0))


def _documents_in(value: Value, keys: Sequence[str], depth: int) -> Iterator[Mapping[str, Value]]:
    if depth >= _MAX_DEPTH or isinstance(value, str):
        return
    if isinstance(value, Mapping):
        for key in keys:
            found = list(_documents_in(value.get(key), keys, depth + 1))
            if found:
                yield from found
                return
    elif isinstance(value, Sequence):
        for each in value:
            if isinstance(each, Mapping) and not _role(each) and _document_text(each):
                yield each


def _document_text(value: Mapping[str, Value]) -> str | None:
    node = value.get("node")
    for owner in (value, node if isinstance(node, Mapping) else {}):
        for key in _TEXT_KEYS:
            text = owner.get(key)
            if isinstance(text, str) and _shown(text):
                return text
    return None


def document_of(value: Mapping[str, Value]) -> Document | None:
    """None for a document without text. The title is that of its metadata, or where it is from."""
    text = _document_text(value)
    if text is None:
        return None
    metadata = parsed(value.get("metadata"))
    owners = (value, metadata if isinstance(metadata, Mapping) else {})
    named = (owner.get(key) for owner in reversed(owners) for key in _TITLE_KEYS)
    title = next((each for each in named if isinstance(each, str) and each.strip()), "")
    scored = (owner.get(key) for owner in owners for key in _SCORE_KEYS)
    score = next((each for each in scored if _is_number(each)), None)
    return Document(title, text, float(score) if isinstance(score, int | float) else None)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


_DOCUMENT = re.compile(
    r"(?P<of>retrieval\.documents|reranker\.output_documents)\.(?P<index>\d{1,6})\.document\."
    r"(?P<field>id|content|score|metadata)"
)
_RETRIEVING = frozenset({SpanKind.RETRIEVER, SpanKind.RERANKER})
_OUTPUTS = ("output.value", "traceloop.entity.output")
_INPUTS = ("input.value", "traceloop.entity.input")
_PLACES = {
    **dict.fromkeys(_RETRIEVING, _OUTPUTS),
    **dict.fromkeys((SpanKind.CHAIN, SpanKind.AGENT), (*_OUTPUTS, *_INPUTS)),
}
_MAX_TEXTLESS = 1_000_000


def is_document(key: str) -> bool:
    """Whether an attribute describes a retrieved document."""
    return bool(_DOCUMENT.fullmatch(key)) or key.startswith("db.query.result")


def documents_of(kind: SpanKind, span: RawSpan) -> tuple[list[Document], int]:
    """The documents with text, and the number of those without."""
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


def history_of(span: RawSpan) -> tuple[Turn, ...]:
    """The turns before the question, of the messages of a chat."""
    given = span.attributes
    inputs = ("gen_ai.input.messages", "input.value", "traceloop.entity.input")
    events = (
        (_EVENT_ROLES.get(name, ""), message_text(of.get("content"))) for name, of in span.events
    )
    chats = chain(
        [_indexed(span, ("llm.input_messages", "gen_ai.prompt"), "user")],
        (_chat_in(parsed(given.get(key))) for key in inputs),
        [events],
    )
    return next(filter(None, map(_before_the_last, chats)), ())


# Roles, and what they said, in the order of a chat.
_Chat = Iterable[tuple[str, str | None]]
_EVENT_ROLES = {"gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant"}
# Under these names a chain is given the messages before its question.
_EARLIER = ("chat_history", "history", "previous_messages")
_THEN_ASKED = ("user", "?")


def _chat_in(value: Value, depth: int = 0) -> Sequence[tuple[str, str | None]]:
    if depth >= _MAX_DEPTH or isinstance(value, str):
        return ()
    if isinstance(value, Mapping):
        for key in _EARLIER:
            if earlier := _chat_in(value.get(key), depth + 1):
                return (*earlier, _THEN_ASKED)
        inner = (_chat_in(value.get(key), depth + 1) for key in ("messages", "input"))
        return next(filter(None, inner), ())
    if not isinstance(value, Sequence):
        return ()
    if len(value) == 1 and not _role(value[0]):
        return _chat_in(value[0], depth + 1)
    return [(_role(each), message_text(_message_content(each))) for each in value if _role(each)]


def _before_the_last(chat: _Chat) -> tuple[Turn, ...]:
    """The turns before the last message of the user."""
    said = [(role in _ASKING, text) for role, text in chat if text and role in _SPEAKING]
    last = max((number for number, (asks, _) in enumerate(said) if asks), default=0)
    return paired(said[:last])


def _last(span: RawSpan, prefixes: tuple[str, ...], role: str) -> str | None:
    """The last text that `role` said, of messages in indexed attributes."""
    said = [text for by, text in _indexed(span, prefixes, role) if by == role]
    return said[-1] if said else None


def _indexed(span: RawSpan, prefixes: tuple[str, ...], role: str) -> Iterator[tuple[str, str]]:
    """Roles and texts of the messages in indexed attributes. One without a role counts as said by
    `role`; the parts of a message are joined."""
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
    for index in sorted(texts):
        parts = texts[index]
        yield roles.get(index, role), "\n".join(parts[part] for part in sorted(parts))


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
