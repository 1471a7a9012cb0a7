"""Spans as they arrive, and what is kept of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

# An attribute's value: AnyValue without bytes.
Value: TypeAlias = "str | bool | int | float | Sequence[Value] | Mapping[str, Value] | None"
Attributes = Mapping[str, Value]


class SpanKind(StrEnum):
    """What a span stands for. `other` is all else that has to do with a model: tools, prompts,
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
    """What a span says. question, answer: None where the span has none.

    documents: those that it retrieved or ranked; for other kinds those in its input or output.
    textless: how many of its documents came without text. prompt_tokens, completion_tokens: 0 to
    MAX_TOKENS. cut: how many texts were shortened.
    """

    question: str | None = None
    answer: str | None = None
    documents: Sequence[Document] = ()
    textless: int = 0
    model: str | None = None
    provider: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: int = 0


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
