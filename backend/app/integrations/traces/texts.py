"""Questions, answers and documents in what frameworks write as a span's input and output: plain
text, or JSON of their own shapes (LangChain, LlamaIndex, OpenAI, GenAI conventions)."""

import json
from collections.abc import Iterator, Mapping, Sequence

from app.integrations.traces.spans import Document, Value

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
        said = [_said(each) for each in value if _role(each) in roles]
        return next(filter(None, map(inner, reversed(said))), None)
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


def _said(value: Value) -> Value:
    return value[1] if isinstance(value, Sequence) and _is_pair(value) else value


def _role(value: Value) -> str:
    """Who said a message; empty for what is no message."""
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


_ROLES = _ASKING | _ANSWERING | {"system", "tool", "function", "developer"}
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
