"""A would-be answer of a trace: its question, text and documents, out of its spans."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.integrations.traces.spans import MAX_TOKENS, Document, KeptSpan, SpanKind
from app.verdicts.answers.limits import MAX_CONTEXT_CHARS, MAX_NOTES


class Outcome(StrEnum):
    """How a trace ended. The first that fits one of its would-be answers is the trace's."""

    ANSWERED = "answered"
    WITHOUT_DOCUMENT_TEXT = "without_document_text"
    WITHOUT_DOCUMENTS = "without_documents"
    WITHOUT_QUESTION = "without_question"
    WITHOUT_ANSWER = "without_answer"
    # Nothing in it has to do with a model; such a trace is not kept.
    NOT_GENAI = "not_genai"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TracedAnswer:
    """span_id is that of the span whose output it is. Tokens are those of all its model calls.
    members: all spans that it was made of."""

    span_id: str
    question: str
    answer: str
    documents: Sequence[Document]
    model: str | None
    provider: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    members: Sequence[str]


@dataclass(frozen=True, slots=True)
class AnswerUnit:
    """An outermost span that may give an answer, and all that is inside of it and beside it."""

    root: KeptSpan
    members: list[KeptSpan]

    def _text(self) -> str | None:
        """The outermost output; that of the last model call where it cannot be read."""
        calls = (span for span in reversed(self.members) if span.kind is SpanKind.LLM)
        return _first(self.root, calls, lambda span: span.content.answer)

    def _question(self) -> str | None:
        """The outermost input, else what was searched for, else what the model was asked."""
        by_kind = sorted(self.members, key=_asked_by)
        return _first(self.root, by_kind, lambda span: span.content.question)

    def _documents(self) -> list[Document]:
        """What the last reranker gave, else what was retrieved, else what was passed on."""
        for kinds in _DOCUMENTS_OF:
            of_kind = [span for span in self.members if span.kind in kinds]
            given = [span.content.documents for span in of_kind if span.content.documents]
            if given:
                last_only = kinds is _RERANKERS
                return _distinct(given[-1:] if last_only else given)
        return []

    def settle(self) -> TracedAnswer | Outcome:
        """The answer, or what it lacks."""
        text, question, documents = self._text(), self._question(), self._documents()
        if not text:
            return Outcome.WITHOUT_ANSWER
        if not question:
            return Outcome.WITHOUT_QUESTION
        if not documents:
            textless = any(span.content.textless for span in self.members)
            return Outcome.WITHOUT_DOCUMENT_TEXT if textless else Outcome.WITHOUT_DOCUMENTS
        calls = [span.content for span in self.members if span.kind is SpanKind.LLM]
        return TracedAnswer(
            self.root.span_id,
            question,
            text,
            documents,
            next((call.model for call in reversed(calls) if call.model), None),
            next((call.provider for call in reversed(calls) if call.provider), None),
            _total(call.prompt_tokens for call in calls),
            _total(call.completion_tokens for call in calls),
            [span.span_id for span in self.members],
        )


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return min(sum(known), MAX_TOKENS) if known else None


_ASKED_BY = (SpanKind.RETRIEVER, SpanKind.EMBEDDING, SpanKind.LLM)
_RERANKERS = frozenset({SpanKind.RERANKER})
_DOCUMENTS_OF: Sequence[Collection[SpanKind]] = (
    _RERANKERS,
    frozenset({SpanKind.RETRIEVER}),
    frozenset(SpanKind),
)


def _asked_by(span: KeptSpan) -> int:
    return _ASKED_BY.index(span.kind) if span.kind in _ASKED_BY else len(_ASKED_BY)


def _first(
    root: KeptSpan, others: Iterable[KeptSpan], text_of: Callable[[KeptSpan], str | None]
) -> str | None:
    return next(filter(None, map(text_of, (root, *others))), None)


def _distinct(given: Iterable[Sequence[Document]]) -> list[Document]:
    """Each text once, in order, and no more than an answer may have."""
    kept: dict[str, Document] = {}
    chars = 0
    for documents in given:
        for document in documents:
            if document.content in kept or len(kept) >= MAX_NOTES:
                continue
            if chars + len(document.content) <= MAX_CONTEXT_CHARS:
                chars += len(document.content)
                kept[document.content] = document
    return list(kept.values())
