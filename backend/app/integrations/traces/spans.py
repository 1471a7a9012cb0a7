"""Spans as they arrive, and the rows of them that are stored."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Self, TypeAlias

from app.text.redaction import Redactor
from app.text.turns import Turn
from app.verdicts.answers.attributes import NO_ATTRIBUTES
from app.verdicts.answers.attributes import Attributes as AnswerAttributes

# An attribute's value: AnyValue without bytes.
Value: TypeAlias = "str | bool | int | float | Sequence[Value] | Mapping[str, Value] | None"
Attributes = Mapping[str, Value]


class SpanKind(StrEnum):
    """The kind of a span. `other` is all else that has to do with a model: tools, prompts,
    guardrails."""

    CHAIN = "chain"
    AGENT = "agent"
    LLM = "llm"
    RETRIEVER = "retriever"
    RERANKER = "reranker"
    EMBEDDING = "embedding"
    OTHER = "other"


ANSWERING = frozenset({SpanKind.CHAIN, SpanKind.AGENT, SpanKind.LLM})
# What a column of PostgreSQL holds.
MAX_TOKENS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A span of either encoding. Ids are lower-case hex if they are valid, which is not checked
    yet; parent_id is empty for a root.

    is_root: it has no parent, or one in another process. start: nanoseconds by the sender's clock,
    which may be wrong by any amount. Attributes and events are those that a convention names.
    """

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: int
    is_root: bool
    service: str
    attributes: Attributes
    events: Sequence[tuple[str, Attributes]] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A retrieved document with text."""

    title: str
    content: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a span. question, answer: None where the span has none.

    documents: those that it retrieved or ranked; for other kinds those in its input or output.
    textless: how many of its documents came without text. prompt_tokens, completion_tokens: 0 to
    MAX_TOKENS. attributes: what the span says of its answer. history: the turns before its
    question. cut: how many texts were shortened.
    """

    question: str | None = None
    answer: str | None = None
    documents: Sequence[Document] = ()
    textless: int = 0
    model: str | None = None
    provider: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    attributes: AnswerAttributes = NO_ATTRIBUTES
    history: Sequence[Turn] = ()
    cut: int = 0

    def redacted(self, redactor: Redactor) -> Self:
        """As `FinishedAnswer.redacted`: what waits for the rest of its trace is stored too."""
        documents = [
            replace(one, title=redactor.redact(one.title), content=redactor.redact(one.content))
            for one in self.documents
        ]
        return replace(
            self,
            question=redactor.optional(self.question),
            answer=redactor.optional(self.answer),
            documents=documents,
            attributes=self.attributes.redacted(redactor),
            history=[turn.redacted(redactor) for turn in self.history],
        )


@dataclass(frozen=True, slots=True)
class KeptSpan:
    """kind is None for a span that only connects others; then there is no content."""

    span_id: str
    parent_id: str
    start: int
    kind: SpanKind | None
    content: Content


@dataclass(frozen=True, slots=True)
class SentSpan(KeptSpan):
    """With what goes into the row of its trace."""

    trace_id: str
    name: str
    service: str
    is_root: bool


# Of one statement, which has five seconds.
_BATCH_SPANS = 1_000
_BATCH_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Batch:
    """Spans of one statement each, and their traces, as JSON."""

    traces: str
    spans: str


def batches(kept: Iterable[SentSpan]) -> Iterator[Batch]:
    """In the order of trace ids, in which all writers lock traces."""
    spans: list[tuple[SentSpan, str]] = []
    size = 0
    for span in sorted(kept, key=lambda span: span.trace_id):
        row = _span_row(span)
        if spans and (len(spans) >= _BATCH_SPANS or size + len(row) > _BATCH_BYTES):
            yield _batch(spans)
            spans, size = [], 0
        spans.append((span, row))
        size += len(row)
    if spans:
        yield _batch(spans)


def _batch(spans: Sequence[tuple[SentSpan, str]]) -> Batch:
    traces: dict[str, dict[str, Any]] = {}
    for span, row in spans:
        trace = traces.setdefault(
            span.trace_id,
            {
                "trace_id": span.trace_id,
                "service": "",
                "name": "",
                "rooted": False,
                "spans": 0,
                "content_bytes": 0,
            },
        )
        trace["spans"] += 1
        trace["content_bytes"] += len(row)
        trace["service"] = trace["service"] or span.service
        if span.is_root:
            trace |= {"rooted": True, "name": span.name}
    rows = ",".join(row for _, row in spans)
    return Batch(json.dumps(list(traces.values())), f"[{rows}]")


def _span_row(span: SentSpan) -> str:
    return json.dumps(
        {
            "trace_id": span.trace_id,
            "span_id": span.span_id,
            "parent_id": span.parent_id,
            "kind": span.kind,
            "started_ns": span.start,
            "content": None if span.kind is None else _to_json(span.content),
        },
        ensure_ascii=False,
    )


def _to_json(content: Content) -> dict[str, Any]:
    """Without what is empty."""
    documents = [[each.title, each.content, each.score] for each in content.documents]
    fields = {
        "question": content.question,
        "answer": content.answer,
        "documents": documents or None,
        "textless": content.textless or None,
        "model": content.model,
        "provider": content.provider,
        "prompt_tokens": content.prompt_tokens,
        "completion_tokens": content.completion_tokens,
        "attributes": _given(content.attributes) or None,
        "history": [asdict(turn) for turn in content.history] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _given(attributes: AnswerAttributes) -> dict[str, Any]:
    return {name: value for name, value in asdict(attributes).items() if value}


def span_of(row: Sequence[Any]) -> KeptSpan:
    """The span that a row of SPANS_OF holds."""
    span_id, parent_id, started_ns, kind, content = row
    stored = content or {}
    documents = [Document(*each) for each in stored.get("documents", ())]
    said = stored.get("attributes", {})
    attributes = AnswerAttributes(**{**said, "tags": tuple(said.get("tags", ()))})
    turns = tuple(map(Turn.from_json, stored.get("history", ())))
    texts = {"documents": documents, "attributes": attributes, "history": turns}
    read = Content(**{**stored, **texts})
    return KeptSpan(span_id, parent_id, started_ns, kind and SpanKind(kind), read)
