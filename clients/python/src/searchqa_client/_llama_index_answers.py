"""Answers of LlamaIndex in the making: spans gathered below the outermost one that answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from llama_index.core.schema import NodeWithScore

from searchqa_client._collecting import OpenRuns
from searchqa_client._forks import starts_over_in_children
from searchqa_client.attributes import current_attributes

Nodes = dict[str, NodeWithScore]


@dataclass(slots=True)
class Answer:
    """found: nodes of retrievers and of inner answers, by their id; retrieved: whether any were
    looked for; named: nodes that the response names as its sources."""

    span_id: str
    question: str
    outer: Answer | None
    found: Nodes = field(default_factory=dict)
    named: Nodes = field(default_factory=dict)
    retrieved: bool = False
    has_inner: bool = False
    model: str | None = None
    attributes: Mapping[str, object] = field(default_factory=current_attributes)

    @property
    def nodes(self) -> list[NodeWithScore]:
        """Those that the answer rests on. What inner answers say is not among them, though the
        response may name it as a source: a model has written it."""
        named = self.named
        if self.has_inner:
            named = {node_id: node for node_id, node in self.found.items() if node_id in named}
        return [*(named or self.found).values()]

    def add(self, nodes: Iterable[NodeWithScore]) -> None:
        self.retrieved = True
        self.found.update((node.node_id, node) for node in nodes)


@dataclass(slots=True)
class _Span:
    """answer: the innermost that it is part of, or that it makes."""

    answer: Answer
    root: Answer
    is_retriever: bool = False
    in_retriever: bool = False


@dataclass(frozen=True, slots=True)
class _Stream:
    """stream: kept, so that no other object gets its id."""

    stream: object
    answer: Answer | None
    text: str | None


class OpenAnswers:
    """Thread-safe. At most `max_open` outermost answers, and as many streams that are still being
    written, are kept; the oldest beyond them are given up."""

    def __init__(self, max_open: int) -> None:
        self._max_open = max_open
        self._start_over()
        starts_over_in_children(self)

    def _start_over(self) -> None:
        """Called in a forked child: what is open is its parent's."""
        self._lock = threading.Lock()
        self.clear()

    def __len__(self) -> int:
        return len(self._spans) + len(self._streams)

    def has(self, span_id: str | None) -> bool:
        return self._spans.get(span_id) is not None

    def begin_answer(self, span_id: str, parent_id: str | None, question: str) -> None:
        with self._lock:
            outer = self._spans.get(parent_id)
            answer = Answer(span_id, question, outer.answer if outer else None)
            self._begin(span_id, _Span(answer, outer.root if outer else answer))

    def begin_step(
        self, span_id: str, parent_id: str | None, *, is_retriever: bool, model: str | None
    ) -> None:
        """Of what is part of an answer; anything else is left alone."""
        with self._lock:
            outer = self._spans.get(parent_id)
            if outer is None:
                return
            below = outer.is_retriever or outer.in_retriever
            self._begin(span_id, _Span(outer.answer, outer.root, is_retriever, below))
            outer.root.model = model or outer.root.model

    def end(self, span_id: str, nodes: Iterable[NodeWithScore]) -> Answer | None:
        """The answer that is complete, if it was the outermost one that ended. nodes: what a
        retriever found, or a response names as its sources."""
        with self._lock:
            span = self._spans.get(span_id)
            if span is None:
                return None
            answer = span.answer
            if answer.span_id == span_id:
                answer.named = {node.node_id: node for node in nodes}
                if answer.outer is None:
                    self._spans.release(span_id)
                    return answer
                answer.outer.has_inner = True
                if answer.retrieved or answer.named:
                    answer.outer.add(answer.nodes)
            elif span.is_retriever and not span.in_retriever:
                answer.add(nodes)
            self._spans.end(span_id, span.root.span_id)
            return None

    def drop(self, span_id: str) -> None:
        with self._lock:
            span = self._spans.get(span_id)
            if span and span.root.span_id == span_id:
                self._spans.release(span_id)
            elif span:
                self._spans.end(span_id, span.root.span_id)

    def meet(
        self, stream: object, *, answer: Answer | None = None, text: str | None = None
    ) -> tuple[Answer, str] | None:
        """A stream has its answer when the call returns, and its text when it is written, in
        another thread or task; both are given to whichever comes second."""
        with self._lock:
            known = self._streams.pop(id(stream), None)
            if known:
                answer, text = answer or known.answer, known.text if text is None else text
            if answer and text is not None:
                return answer, text
            self._streams[id(stream)] = _Stream(stream, answer, text)
            if len(self._streams) > self._max_open:
                self._streams.popitem(last=False)
        return None

    def drop_stream(self, stream: object) -> None:
        with self._lock:
            self._streams.pop(id(stream), None)

    def clear(self) -> None:
        with self._lock:
            self._spans: OpenRuns[_Span] = OpenRuns(self._max_open)
            self._streams: OrderedDict[int, _Stream] = OrderedDict()

    def _begin(self, span_id: str, span: _Span) -> None:
        self._spans.begin(span_id, span.root.span_id, span)
