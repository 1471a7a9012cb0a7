"""Groups the spans of a trace by answer: its question, text and documents.

An answer is the output of an outermost chain, agent or model call: what runs inside of it made
that answer. Spans of no convention (HTTP, databases) only connect others. Nothing here depends on
a clock but the order of siblings, so a wrong one costs no answer."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import TypeVar

from app.integrations.traces.spans import ANSWERING, MAX_TOKENS, Document, KeptSpan, SpanKind
from app.text.turns import Turn
from app.verdicts.answers.attributes import Attributes
from app.verdicts.answers.finished import MAX_CONTEXT_CHARS, MAX_NOTES


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
    members: all spans that it was made of. attributes: of these, the outermost first.
    history: the turns before its question."""

    span_id: str
    question: str
    answer: str
    documents: Sequence[Document]
    model: str | None
    provider: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    members: Sequence[str]
    attributes: Attributes
    history: Sequence[Turn]


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
        """Documents of the last reranker, else the retrieved ones, else those passed on."""
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
            reduce(Attributes.joined, (span.content.attributes for span in self.members)),
            _first(self.root, self.members, lambda span: span.content.history) or (),
        )


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return min(sum(known), MAX_TOKENS) if known else None


Content = TypeVar("Content", str, Sequence[Turn])
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
    root: KeptSpan, others: Iterable[KeptSpan], said_by: Callable[[KeptSpan], Content | None]
) -> Content | None:
    return next(filter(None, map(said_by, (root, *others))), None)


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


@dataclass(frozen=True, slots=True)
class PriorAnswers:
    """Answers that a trace has given already: the ids of the spans that they were
    made of, and of those around them, which may arrive later and are no answers of their own."""

    members: frozenset[str] = frozenset()
    outer: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Settled:
    """late: spans that belong to an answer which was made before they came. outer: see
    PriorAnswers."""

    outcome: Outcome
    answers: Sequence[TracedAnswer] = ()
    late: Sequence[str] = ()
    outer: Sequence[str] = ()


def settle(spans: Sequence[KeptSpan], before: PriorAnswers = PriorAnswers()) -> Settled:
    """The answers of one trace that it has not given before, with the outcome."""
    tree = _Tree(spans, before)
    found = [unit.settle() for unit in tree.units]
    answers = [each for each in found if isinstance(each, TracedAnswer)]
    outcomes = {each for each in found if isinstance(each, Outcome)}
    if answers or before.members:
        outcomes.add(Outcome.ANSWERED)
    if not outcomes:
        outcomes = {Outcome.WITHOUT_ANSWER if tree.has_models else Outcome.NOT_GENAI}
    # Spans that arrive later around an answer add to its surroundings.
    known = [span.span_id for span in spans if span.span_id in before.outer]
    inner = [*(answer.span_id for answer in answers), *tree.late, *known]
    outer = {above for span_id in inner for above in tree.above(span_id)}
    return Settled(
        next(outcome for outcome in Outcome if outcome in outcomes),
        answers,
        tree.late,
        sorted(outer - before.outer),
    )


class _Tree:
    """The spans of a trace by their parents, where these are known. A parent that is not there, or
    that leads round in a circle, is none."""

    def __init__(self, spans: Sequence[KeptSpan], before: PriorAnswers) -> None:
        ordered = sorted(spans, key=lambda span: (span.start, span.span_id))
        self._spans = {span.span_id: span for span in ordered}
        tops = self._tops()
        groups: dict[str, list[KeptSpan]] = {}
        for id_, span in self._spans.items():
            if span.kind and (top := tops[id_]):
                groups.setdefault(top, []).append(span)
        self.has_models = bool(groups)
        enclosing = {tops.get(id_) for id_ in before.outer}
        late = [
            top
            for top in groups
            if top in enclosing or not before.members.isdisjoint(self.above(top))
        ]
        self.late = [span.span_id for top in late for span in groups.pop(top)]
        self.units = self._make_units(groups)
        if before.members and not self.units:
            self.late += [span.span_id for group in groups.values() for span in group]

    def above(self, span_id: str) -> list[str]:
        """The ids of the spans around it, the nearest first, up to one that is not there."""
        path: list[str] = []
        parent = self._spans[span_id].parent_id
        while parent and len(path) < _MAX_ABOVE:
            path.append(parent)
            parent = self._spans[parent].parent_id if parent in self._spans else ""
        return path

    def _tops(self) -> Mapping[str, str | None]:
        """For each span the outermost one of a convention that it is inside of, or itself."""
        tops: dict[str, str | None] = {}
        for span_id in self._spans:
            path: dict[str, None] = {}
            at = span_id
            while at in self._spans and at not in tops and at not in path:
                path[at] = None
                at = self._spans[at].parent_id
            top = tops.get(at)
            for each in reversed(path):
                top = top or (each if self._spans[each].kind else None)
                tops[each] = top
        return tops

    def _make_units(self, groups: Mapping[str, list[KeptSpan]]) -> list[AnswerUnit]:
        inside = {top: group for top, group in groups.items() if self._spans[top].kind in ANSWERING}
        beside: dict[str, list[KeptSpan]] = defaultdict(list)
        # By each span around them, in the order in which they began.
        below: dict[str, list[str]] = defaultdict(list)
        for top in sorted(inside, key=lambda top: self._spans[top].start):
            for above in (*self.above(top), _ANYWHERE):
                below[above].append(top)
        for top in groups.keys() - inside.keys() if inside else ():
            beside[self._unit_beside(top, below)] += groups[top]
        return [
            AnswerUnit(self._spans[top], self._in_order(top, inside[top] + beside[top]))
            for top in inside
        ]

    def _in_order(self, top: str, members: Iterable[KeptSpan]) -> list[KeptSpan]:
        return sorted(members, key=lambda span: (span.span_id != top, span.start, span.span_id))

    def _unit_beside(self, loose: str, below: Mapping[str, list[str]]) -> str:
        """The answer that a retriever outside of all worked for: of those nearest in the tree, the
        next one that began, else the last."""
        nearest = next(below[above] for above in (*self.above(loose), _ANYWHERE) if above in below)
        begun = self._spans[loose].start
        place = bisect_left(nearest, begun, key=lambda top: self._spans[top].start)
        return nearest[min(place, len(nearest) - 1)]


_ANYWHERE = ""
# Deeper nesting than this around an answer is a loop rather than an application.
_MAX_ABOVE = 100
