"""Which answers the spans of a trace make."""

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.integrations.traces.grouping import Outcome, PriorAnswers, Settled, settle
from app.integrations.traces.spans import Content, Document, KeptSpan, SpanKind

_numbers = itertools.count(1)


def span(
    kind: SpanKind | None,
    parent: KeptSpan | str = "",
    *notes: str,
    start: int | None = None,
    **said: Any,
) -> KeptSpan:
    number = next(_numbers)
    return KeptSpan(
        f"{number:016x}",
        parent.span_id if isinstance(parent, KeptSpan) else parent,
        number if start is None else start,
        kind=kind,
        content=Content(documents=[Document("", note) for note in notes], **said),
    )


def chain(parent: KeptSpan | str = "", **said: Any) -> KeptSpan:
    return span(SpanKind.CHAIN, parent, **({"question": "q?", "answer": "a"} | said))


def retriever(parent: KeptSpan | str = "", *notes: str, **said: Any) -> KeptSpan:
    return span(SpanKind.RETRIEVER, parent, *notes, **said)


def notes(settled: Settled) -> list[list[str]]:
    return [[document.content for document in answer.documents] for answer in settled.answers]


class TestOneAnswer:
    def test_nested_calls_are_one_and_the_outermost_output_is_it(self):
        outer = chain()
        inner = chain(outer, question="inner?", answer="inner")
        call = span(SpanKind.LLM, inner, question="prompt", answer="raw", model="m")
        found = settle([call, inner, retriever(inner, "n"), outer])

        (answer,) = found.answers
        assert (answer.question, answer.answer, answer.model) == ("q?", "a", "m")
        assert answer.span_id == outer.span_id
        assert notes(found) == [["n"]]

    def test_texts_come_from_inside_where_the_outermost_has_none(self):
        outer = chain(question=None, answer=None)
        search = retriever(outer, "n", question="search?")
        first = span(SpanKind.LLM, outer, question="prompt", answer="draft")
        last = span(SpanKind.LLM, outer, question="prompt", answer="final")

        (answer,) = settle([outer, search, first, last]).answers

        assert (answer.question, answer.answer) == ("search?", "final")

    def test_a_reranker_decides_which_documents_count(self):
        outer = chain()
        ranked = span(SpanKind.RERANKER, outer, "best")

        assert notes(settle([outer, retriever(outer, "a", "best"), ranked])) == [["best"]]

    def test_documents_count_once(self):
        outer = chain()
        found = settle([outer, retriever(outer, "a", "b"), retriever(outer, "b", "c")])

        assert notes(found) == [["a", "b", "c"]]

    def test_spans_of_no_convention_connect(self):
        outer = chain()
        between = span(None, outer)

        assert notes(settle([outer, between, retriever(between, "n")])) == [["n"]]

    @pytest.mark.parametrize("clock", [{}, {"start": 0}, {"start": 10**18}])
    def test_a_call_beside_its_retriever_is_an_answer_by_any_clock(self, clock):
        page = span(None)
        search = retriever(page, "n", **clock)
        call = span(SpanKind.LLM, page, question="q?", answer="a")

        assert notes(settle([page, search, call])) == [["n"]]


class TestSeveralAnswers:
    def test_each_takes_the_documents_before_it(self):
        page = span(None)
        spans = [page]
        for number in "12":
            spans.append(retriever(page, f"n{number}"))
            spans.append(span(SpanKind.LLM, page, question="q?", answer=f"a{number}"))

        assert notes(settle(spans)) == [["n1"], ["n2"]]

    def test_the_nearest_in_the_tree_takes_a_document(self):
        first, second = span(None), span(None)
        late = retriever(first, "n1")
        calls = [span(SpanKind.LLM, page, question="q?", answer="a") for page in (first, second)]
        after = retriever(first, "n2", start=10**18)

        found = settle([first, second, late, *calls, after])

        assert notes(found) == [["n1", "n2"]]
        assert found.outcome is Outcome.ANSWERED

    def test_one_that_lacks_documents_does_not_hide_the_other(self):
        page = span(None)
        good = chain(page)

        found = settle([page, chain(page), good, retriever(good, "n")])

        assert [answer.span_id for answer in found.answers] == [good.span_id]


class TestAfterwards:
    def test_what_belongs_to_an_answer_that_was_made_is_late(self):
        outer = chain()
        made = settle([outer, retriever(outer, "n")])
        before = PriorAnswers(frozenset(made.answers[0].members), frozenset(made.outer))
        more = retriever(outer, "late")

        found = settle([more], before)

        assert (found.outcome, found.answers) == (Outcome.ANSWERED, [])
        assert found.late == [more.span_id]

    def test_a_span_around_an_answer_that_was_made_is_no_answer(self):
        outer = chain()
        inner = chain(outer)
        made = settle([inner, retriever(inner, "n")])
        before = PriorAnswers(frozenset(made.answers[0].members), frozenset(made.outer))

        found = settle([outer], before)

        assert (found.answers, found.late) == ([], [outer.span_id])

    @pytest.mark.parametrize("mid_kind", [SpanKind.CHAIN, None])
    def test_nor_are_several_around_it(self, mid_kind):
        root = chain()
        mid = span(mid_kind, root, question="q?", answer="a")
        call = span(SpanKind.LLM, mid, question="q?", answer="a")
        search = retriever(mid, "n")
        made = settle([call, search])
        before = PriorAnswers(frozenset(made.answers[0].members), frozenset(made.outer))

        more = retriever(root, "m")
        together = settle([root, mid, more], before)
        first = settle([mid], before)
        then = settle([root, more], PriorAnswers(before.members, before.outer | {*first.outer}))

        assert len(made.answers) == 1
        for found in (together, first, then):
            assert (found.outcome, found.answers) == (Outcome.ANSWERED, [])
        assert {root.span_id, more.span_id} <= {*together.late} & {*then.late}

    def test_another_answer_of_the_same_trace_is_made(self):
        page = span(None)
        first, second = chain(page), chain(page)
        made = settle([page, first, retriever(first, "n")])
        before = PriorAnswers(frozenset(made.answers[0].members), frozenset(made.outer))

        found = settle([page, second, retriever(second, "m")], before)

        assert notes(found) == [["m"]]
        assert found.late == []


kinds = st.sampled_from([None, *SpanKind])


@given(
    st.lists(st.tuples(kinds, st.integers(0, 30), st.booleans(), st.integers(0, 3)), max_size=30)
)
def test_no_tree_raises(given):
    """Parents that are missing, that lead in circles, or to the span itself."""
    spans = [
        KeptSpan(
            *(f"{number:016x}", f"{parent:016x}" if parent else "", start),
            kind=kind,
            content=Content("q?", "a", [Document("", "n")]) if said else Content(),
        )
        for number, (kind, parent, said, start) in enumerate(given, start=1)
    ]

    found = settle(spans)

    members = [member for answer in found.answers for member in answer.members]
    assert len(members) == len(set(members))
    assert (found.outcome is Outcome.ANSWERED) == bool(found.answers)
    shuffled = random.Random(1).sample(spans, len(spans))
    assert settle(shuffled) == found


def test_a_trace_as_large_as_may_be_is_grouped():
    """As many spans as a trace may have, each kind of nesting among them."""
    page = span(None)
    spans, deep = [page], page
    for _ in range(1_000):
        deep = span(None, deep)
        spans += [deep, retriever(deep, "n"), chain(deep), chain(page)]

    assert len(settle(spans).answers) == 1_000
