"""What is read of spans, whatever is in them."""

import contextlib
import gzip
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

import otlp
from app.integrations.traces.body import MAX_SPANS_PER_TRACE, Body, ReadSpans, read_spans
from app.integrations.traces.conventions import baggage_attributes, read_span
from app.integrations.traces.spans import Content, RawSpan, SentSpan, SpanKind, batches, span_of
from app.integrations.traces.texts import answer_in, question_in
from app.integrations.traces.wire import WANTED, Unreadable, read_json, read_protobuf
from app.judges.answer_parts import MAX_ANSWER_CHARS
from app.platform.errors import PayloadTooLarge, RequestError
from app.text.turns import Turn
from app.verdicts.answers.attributes import MAX_KEYS, MAX_TAGS, Attributes
from app.verdicts.answers.finished import MAX_NOTES
from cases import for_each

FIRST_TAGS = tuple(f"t{n}" for n in range(MAX_TAGS))
FIRST_KEYS = {f"k{n}": n for n in range(MAX_KEYS)}
DOCUMENT = {"page_content": "배양기는 37도.", "metadata": {"title": "배양기"}}


def kept(attributes: dict[str, Any], events: Sequence[tuple[str, dict[str, Any]]] = ()) -> SentSpan:
    return read_span(
        RawSpan(
            trace_id="1" * 32,
            span_id="1" * 16,
            parent_id="",
            name="name",
            start=0,
            is_root=True,
            service="app",
            attributes=attributes,
            events=events,
        )
    )


def content(attributes: dict[str, Any], *events: tuple[str, dict[str, Any]]) -> Content:
    return kept(attributes, events).content


def rows(read: ReadSpans) -> list[dict[str, Any]]:
    return [row for batch in read.batches for row in json.loads(batch.spans)]


ROLES = ("system", "user", "assistant", "user")
CHAT = ("규칙", "여름에는 몇 시에 열어요?", "9시에 엽니다.", "겨울에는?")
MESSAGES = [{"role": role, "content": text} for role, text in zip(ROLES, CHAT, strict=True)]


@for_each(
    "attributes",
    [
        {
            f"llm.input_messages.{n}.message.{name}": value
            for n, message in enumerate(MESSAGES)
            for name, value in message.items()
        },
        {
            "gen_ai.input.messages": json.dumps(
                [
                    {"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]}
                    for one in MESSAGES
                ]
            )
        },
        {"input.value": json.dumps({"messages": [MESSAGES]})},
        {"input.value": json.dumps({"input": CHAT[3], "chat_history": MESSAGES[1:3]})},
        {"traceloop.entity.input": json.dumps({"history": [["human", CHAT[1]], ["ai", CHAT[2]]]})},
    ],
)
def test_the_turns_before_a_question_are_read_of_a_chat(attributes):
    found = content({"openinference.span.kind": "LLM", **attributes})

    assert found.history == (Turn(CHAT[1], CHAT[2]),)
    (batch,) = batches([kept({"openinference.span.kind": "LLM", **attributes})])
    (row,) = json.loads(batch.spans)
    stored = span_of(["1" * 16, "", 0, "llm", row["content"]])
    assert stored.content.history == found.history


def test_one_question_has_no_turns_before_it():
    asked = {"input.value": json.dumps({"messages": [MESSAGES[0], MESSAGES[3]]})}
    assert content({"openinference.span.kind": "LLM", **asked}).history == ()


NOTE_TEXT = "retrieval.documents.{}.document.content"
RETRIEVER = {"openinference.span.kind": "RETRIEVER"}
CHAT_ATTRIBUTES = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "Be brief.",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.text": "첫 줄",
    "llm.input_messages.1.message.contents.1.message_content.text": "둘째 줄",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "답",
    "llm.model_name": "gpt-4o-mini",
}
GEN_AI_CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": json.dumps(
        [
            {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
            {"role": "user", "parts": [{"type": "text", "content": "몇 도?"}]},
        ]
    ),
    "gen_ai.output.messages": [
        {"role": "assistant", "parts": [{"type": "text", "content": "95도."}]}
    ],
    "gen_ai.response.model": "gpt-4o-mini-2024",
    "gen_ai.usage.input_tokens": 12,
}
GEN_AI_EVENTS = (
    ("gen_ai.system.message", {"content": "Be brief."}),
    ("gen_ai.user.message", {"content": "몇 도?"}),
    ("gen_ai.choice", {"index": 0, "message": '{"role": "assistant", "content": "95도."}'}),
)
RETRIEVED = [{"id": "a", "content": "노트", "score": 0.9}, {"id": "b", "score": 0.1}]
STORE = {"db.query.result.document": "노트", "db.query.result.score": 0.7}


@for_each(
    ("attributes", "events", "kind", "expected", "documents"),
    [
        (  # in the order of their numbers, not of their attributes
            RETRIEVER
            | {NOTE_TEXT.format(i): f"노트 {i}" for i in (10, 2, 0)}
            | {"retrieval.documents.2.document.score": 0.5, "input.value": "질문?"}
            | {"retrieval.documents.2.document.metadata": '{"title": "둘"}'},
            (),
            "RETRIEVER",
            {"question": "질문?"},
            [("", "노트 0", None), ("둘", "노트 2", 0.5), ("", "노트 10", None)],
        ),
        (  # of the output where no attributes have them
            RETRIEVER | {"output.value": json.dumps({"documents": [DOCUMENT]})},
            (),
            "RETRIEVER",
            {},
            [("배양기", "배양기는 37도.", None)],
        ),
        (
            {"openinference.span.kind": "RERANKER"}
            | {"reranker.input_documents.0.document.content": "alles"}
            | {"reranker.output_documents.0.document.content": "best"},
            (),
            "RERANKER",
            {},
            [("", "best", None)],
        ),
        (
            CHAT_ATTRIBUTES,
            (),
            "LLM",
            {"question": "첫 줄\n둘째 줄", "answer": "답", "model": "gpt-4o-mini"},
            [],
        ),
        (
            RETRIEVER
            | {"input.value": "__REDACTED__", "retrieval.documents.0.document.id": "a"}
            | {NOTE_TEXT.format(1): "  ", NOTE_TEXT.format(2): "__REDACTED__"},
            (),
            "RETRIEVER",
            {"question": None, "textless": 3},
            [],
        ),
        (
            GEN_AI_CHAT,
            (),
            "LLM",
            {"question": "몇 도?", "answer": "95도.", "model": "gpt-4o-mini-2024"}
            | {"prompt_tokens": 12},
            [],
        ),
        (
            {"gen_ai.system": "openai"},
            GEN_AI_EVENTS,
            "LLM",
            {"question": "몇 도?", "answer": "95도."},
            [],
        ),
        (
            {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "몇 도?"}
            | {"gen_ai.retrieval.documents": json.dumps(RETRIEVED)},
            (),
            "RETRIEVER",
            {"question": "몇 도?"},
            [("", "노트", 0.9)],
        ),
        ({}, (("db.query.result", STORE),), "RETRIEVER", {}, [("", "노트", 0.7)]),
    ],
)
def test_conventions_are_read(attributes, events, kind, expected, documents):
    span = kept(attributes, events)
    found = span.content

    assert span.kind is SpanKind[kind]
    assert {name: getattr(found, name) for name in expected} == expected
    assert [(each.title or "", each.content, each.score) for each in found.documents] == documents


@pytest.mark.parametrize(
    ("written", "question"),
    [
        ("  몇 도?  ", "몇 도?"),
        ('{"input": "몇 도?", "chat_history": []}', "몇 도?"),
        ('{"query_bundle": {"query_str": "몇 도?", "embedding": null}}', "몇 도?"),
        ('{"messages": [{"type": "human", "content": "몇 도?"}]}', "몇 도?"),
        ('{"messages": [["system", "x"], ["user", "몇 도?"]]}', "몇 도?"),
        (
            '{"messages": [[{"id": ["lc", "HumanMessage"], "kwargs": {"content": "몇 도?"}}]]}',
            "몇 도?",
        ),
        ('{"unheard": 1}', None),
        ('{"broken', '{"broken'),
        ("", None),
    ],
)
def test_questions_are_found_in_inputs(written, question):
    assert question_in(written) == question


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ('{"type": "ai", "data": {"content": "95도"}}', "95도"),
        ('{"answer": "95도", "context": [{"page_content": "노트"}]}', "95도"),
        ('{"response": "95도", "source_nodes": ["<NodeWithScore>"]}', "95도"),
        ('{"generations": [[{"text": "95도", "message": {}}]]}', "95도"),
        ('{"choices": [{"message": {"role": "assistant", "content": "95도"}}]}', "95도"),
        ('"95도"', "95도"),
        ('{"messages": [{"type": "human", "content": "q"}]}', None),
    ],
)
def test_answers_are_found_in_outputs(written, answer):
    assert answer_in(written) == answer


class TestLimits:
    def test_texts_are_shortened_and_counted(self):
        found = content(otlp.kind("CHAIN", input_value="q", output_value="a" * 10_000_000))

        assert found.answer is not None
        assert (len(found.answer), found.cut) == (MAX_ANSWER_CHARS, 1)

    def test_documents_are_no_more_than_an_answer_may_have(self):
        found = content(otlp.kind("RETRIEVER") | otlp.documents(*map(str, range(1_000))))

        assert (len(found.documents), found.cut) == (MAX_NOTES, 800)

    def test_a_trace_has_so_many_spans(self):
        trace = otlp.new_trace()
        spans = [otlp.span(trace, {}) for _ in range(MAX_SPANS_PER_TRACE + 3)]

        read = read_spans(Body(otlp.request(spans)))

        assert (read.kept, read.rejected) == (MAX_SPANS_PER_TRACE, 3)

    def test_a_body_unpacks_to_so_much(self):
        with pytest.raises(PayloadTooLarge, match="unpacks to more than 64 MB"):
            read_spans(Body(gzip.compress(bytes(65 * 2**20)), is_gzip=True))

    def test_a_body_may_have_several_parts(self):
        body = otlp.request(otlp.answered_trace())
        parts = gzip.compress(body[:50]) + gzip.compress(body[50:])

        assert len(rows(read_spans(Body(parts, is_gzip=True)))) == 3

    def test_texts_that_postgresql_cannot_hold_are_mended(self):
        found = content(otlp.kind("CHAIN", input_value="a\x00b", output_value="c\ud800"))

        assert (found.question, found.answer) == ("ab", "c?")


def test_a_stored_span_says_what_was_sent_also_that_it_took_no_tokens():
    given = otlp.kind("LLM", input_value="q", output_value="a")
    sent = kept(given | {"llm.token_count.prompt": 12, "llm.token_count.completion": 0})

    ((row,),) = (json.loads(batch.spans) for batch in batches([sent]))
    columns = ("span_id", "parent_id", "started_ns", "kind", "content")
    stored = span_of([row[column] for column in columns])

    assert (stored.span_id, stored.kind) == (sent.span_id, SpanKind.LLM)
    assert stored.content == sent.content
    assert stored.content.completion_tokens == 0


names = st.sampled_from(
    [
        *("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind"),
        *("input.value", "output.value", "gen_ai.input.messages", "gen_ai.retrieval.documents"),
        *("llm.input_messages.0.message.content", "gen_ai.prompt.0.role", "gen_ai.completion"),
        *("retrieval.documents.0.document.content", "retrieval.documents.0.document.metadata"),
        *("retrieval.documents.0.document.score", "db.query.result.document"),
    ]
) | st.builds(lambda prefix, rest: prefix + rest, st.sampled_from(WANTED), st.text(max_size=20))
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    plain | st.sampled_from(["CHAIN", "LLM", "RETRIEVER", "user", "[[[[", '{"role": 1}']),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=20,
)
attributes = st.dictionaries(names, values | values.map(lambda value: json.dumps(value)))


@pytest.mark.slow
@settings(max_examples=50)
@given(attributes, st.lists(st.tuples(st.text() | names, attributes), max_size=3))
def test_no_attributes_raise(given, events):
    span = kept(given, events)

    for text in (span.content.question, span.content.answer):
        assert text is None or text.strip()
    assert all(document.content for document in span.content.documents)
    assert len(list(batches([span]))) == 1


@given(
    st.binary()
    | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(repr).map(str.encode)
)
def test_no_body_raises_anything_else(body):
    for is_json in (True, False):
        for is_gzip in (True, False):
            with contextlib.suppress(RequestError):
                read_spans(Body(body, is_json, is_gzip))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("resourceSpans", "scopeSpans", "spans", "attributes", "key", "value"),
                    *("events", "traceId", "spanId", "startTimeUnixNano", "flags", "stringValue"),
                    *("arrayValue", "values", "kvlistValue", "intValue", "doubleValue"),
                    *("resource", "name"),
                ]
            ),
            inner,
        )
    ),
    max_leaves=30,
)


@given(json_values)
def test_no_json_raises_anything_else(written):
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [written]}]}]}).encode()
    with contextlib.suppress(Unreadable):
        list(read_json(body))


def test_deep_json_is_refused_or_read_shallowly():
    with pytest.raises(Unreadable):
        list(read_json(b"[" * 100_000))
    deep: dict[str, Any] = {"stringValue": "x"}
    for _ in range(200):
        deep = {"arrayValue": {"values": [deep]}}
    span = {
        "traceId": "a" * 32,
        "spanId": "b" * 16,
        "attributes": [{"key": "input.value", "value": deep}],
    }
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode()

    assert len(list(read_json(body))) == 1


def test_both_encodings_say_the_same():
    made = otlp.span(otlp.new_trace(), otlp.kind("LLM", input_value="q") | {"llm.n": 7}, start=5)
    made.events.add(name="gen_ai.choice").attributes.add(key="gen_ai.x").value.double_value = 0.5
    made.flags = 0x300
    made.parent_span_id = b"\x01" * 8
    request = otlp.request([made])
    written = {
        "traceId": made.trace_id.hex().upper(),
        "spanId": made.span_id.hex(),
        "parentSpanId": "01" * 8,
        "name": "span",
        "startTimeUnixNano": "5",
        "flags": 0x300,
        "attributes": [
            {"key": "openinference.span.kind", "value": {"stringValue": "LLM"}},
            {"key": "input.value", "value": {"stringValue": "q"}},
            {"key": "llm.n", "value": {"intValue": "7"}},
        ],
        "events": [
            {
                "name": "gen_ai.choice",
                "attributes": [{"key": "gen_ai.x", "value": {"doubleValue": 0.5}}],
            }
        ],
    }
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "notes-app"}}]}
    body = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [written]}]}]}

    assert list(read_json(json.dumps(body).encode())) == list(read_protobuf(request))


@pytest.mark.parametrize("parent", ["0a", "0a" * 9, "g" * 16, "a" * 100, "-"])
def test_a_span_with_a_malformed_parent_is_no_root(parent):
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "parentSpanId": parent}
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode()

    read = read_spans(Body(body, is_json=True))

    assert (read.kept, read.rejected) == (0, 1)
    assert "parentSpanId" in read.why
    too_long = otlp.span(otlp.new_trace(), {}, parent=b"\x01" * 9)
    assert read_spans(Body(otlp.request([too_long]))).rejected == 1


def test_a_parent_in_another_process_is_none():
    span = otlp.span(otlp.new_trace(), {}, parent=b"\x01" * 8)
    local, remote = Span(), Span()
    for made, flags in ((local, 0x100), (remote, 0x300)):
        made.CopyFrom(span)
        made.flags = flags

    assert [each.is_root for each in read_protobuf(otlp.request([span, local, remote]))] == [
        False,
        False,
        True,
    ]


def test_an_empty_request_is_one():
    assert read_spans(Body(ExportTraceServiceRequest().SerializeToString())) == ReadSpans()
    assert read_spans(Body(b"{}", is_json=True)) == ReadSpans()


class TestAttributesOfAnswers:
    @for_each(
        ("given", "expected"),
        [
            ({"service.version": "1.4.2"}, {"app_version": "1.4.2"}),
            ({"service.version": "1", "langfuse.release": "2"}, {"app_version": "2"}),
            ({"deployment.environment.name": "prod"}, {"environment": "prod"}),
            ({"deployment.environment": "prod"}, {"environment": "prod"}),
            ({"user.id": "kim", "session.id": 7}, {"user_ref": "kim", "session_id": "7"}),
            ({"enduser.id": "kim"}, {"user_ref": "kim"}),
            ({"gen_ai.conversation.id": "c"}, {"session_id": "c"}),
            ({"tag.tags": ["a", "b", "a"]}, {"tags": ("a", "b")}),
            ({"langfuse.trace.tags": '["a"]'}, {"tags": ("a",)}),
            ({"tag.tags": "a, b"}, {"tags": ("a", "b")}),
            ({"tag.tags": [f"t{n}" for n in range(10_000)]}, {"tags": FIRST_TAGS}),
            (
                {"metadata": '{"tenant": "a", "n": 1, "x": [1]}'},
                {"custom": {"tenant": "a", "n": 1}},
            ),
            ({"langfuse.trace.metadata.tenant": "a"}, {"custom": {"tenant": "a"}}),
            ({"traceloop.association.properties.user_id": "kim"}, {"user_ref": "kim"}),
            ({"traceloop.association.properties.chat": "1"}, {"custom": {"chat": "1"}}),
            ({"searchqa.attributes.a b=c": "x\0" * 300}, {"custom": {"a_b_c": "x" * 200}}),
            ({"metadata": {f"k{n}": n for n in range(30)}}, {"custom": FIRST_KEYS}),
            ({"user.id": "\0 ", "metadata": "no JSON", "tag.tags": 3}, {}),
        ],
    )
    def test_conventions(self, given, expected):
        kind = {"openinference.span.kind": "CHAIN"}

        assert content(kind | given).attributes == Attributes(**expected)

    def test_of_the_resource_where_the_span_says_nothing(self):
        of_resource = [{"key": "service.version", "value": {"stringValue": "1"}}]
        of_resource += [{"key": "session.id", "value": {"stringValue": "s"}}]
        span = {"traceId": "1" * 32, "spanId": "1" * 16}
        span["attributes"] = [{"key": "session.id", "value": {"stringValue": "t"}}]  # type: ignore[assignment]
        body = {
            "resourceSpans": [
                {"resource": {"attributes": of_resource}, "scopeSpans": [{"spans": [span]}]}
            ]
        }
        (by_json,) = read_json(json.dumps(body).encode())
        request = ExportTraceServiceRequest()
        resource = request.resource_spans.add()
        for key, value in (("service.version", "1"), ("session.id", "s")):
            resource.resource.attributes.add(key=key).value.string_value = value
        sent = resource.scope_spans.add().spans.add(trace_id=b"1" * 16, span_id=b"1" * 8)
        sent.attributes.add(key="session.id").value.string_value = "t"
        (by_protobuf,) = read_protobuf(request.SerializeToString())

        expected = {"service.version": "1", "session.id": "t"}
        assert by_json.attributes == by_protobuf.attributes == expected

    def test_baggage_names_them_too(self):
        header = "session.id=s%201;prop=1, user.id = kim ,=x,broken,other=1"
        assert baggage_attributes(header) == Attributes(session_id="s 1", user_ref="kim")
