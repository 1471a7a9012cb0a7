"""Spans of other applications become answers with their evaluations."""

import asyncio
import gzip
import json
from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

import otlp
from api_client import Api, json_of
from app.integrations.traces.body import MAX_BODY_BYTES, MAX_SPANS_PER_TRACE, Body, read_spans
from app.integrations.traces.intake import store_spans
from app.integrations.traces.settling import Settling
from app.operations.retention import retention_for
from app.platform.db.pool import create_pool, execute, fetch
from app.platform.processes.calls import Limits, ProcessDied, TimeLimitExceeded
from app.platform.processes.pool import BoundedProcesses
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import for_each
from verdict_world import World, settings

POLICY = EvaluationPolicy.from_settings(settings())


async def send(api: Api, spans: Sequence[Span], **headers: str) -> ExportTraceServiceResponse:
    response = await api.client.post(
        "/v1/traces", content=otlp.request(spans), headers=otlp.PROTOBUF | headers
    )
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/x-protobuf"
    return ExportTraceServiceResponse.FromString(response.content)


async def make_due(world: World) -> None:
    await world.rows("UPDATE traces SET settle_at = now() WHERE settle_at IS NOT NULL")


async def settle(world: World) -> int:
    await make_due(world)
    return await Settling(world.pool, POLICY).settle_due()


async def answers(world: World) -> list[dict[str, Any]]:
    return await world.rows(
        "SELECT a.id, a.question, a.answer, a.origin, a.model, a.traceparent, a.prompt_tokens,"
        " e.status, ARRAY(SELECT s.content FROM qa_answer_sources s WHERE s.answer_id = a.id"
        " ORDER BY s.note_index) AS notes"
        " FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id ORDER BY a.question"
    )


async def summary(api: Api, **query: object) -> dict[str, Any]:
    return await json_of(api.client.get("/traces/summary", params=query))


async def outcomes(api: Api) -> dict[str, int]:
    return {name: count for name, count in (await summary(api))["outcomes"].items() if count}


class TestATrace:
    async def test_becomes_an_answer_with_its_documents(self, api):
        chain, *inner = otlp.answered_trace()

        await send(api, [*inner, chain])
        await settle(api.world)

        (answer,) = await answers(api.world)
        assert answer["question"] == otlp.QUESTION
        assert answer["answer"] == otlp.ANSWER
        assert answer["notes"] == [otlp.NOTE]
        assert answer["status"] == "queued"
        assert (answer["origin"], answer["model"]) == ("otlp", "gpt-4o-mini")
        assert answer["prompt_tokens"] == 40
        assert answer["traceparent"] == f"00-{chain.trace_id.hex()}-{chain.span_id.hex()}-01"
        assert await outcomes(api) == {"answered": 1}
        assert await api.world.rows("SELECT span_id FROM trace_spans") == []

    async def test_gives_its_answer_what_its_spans_say_of_it(self, api):
        chain, *inner = otlp.answered_trace()
        said = [(chain, "user.id", "kim"), (inner[-1], "session.id", "s-1")]
        said += [(inner[-1], "service.version", "1.4.2"), (chain, "metadata", '{"tenant": "a"}')]
        for span, key, value in said:
            span.attributes.add(key=key).value.string_value = value

        await send(api, [*inner, chain])
        await settle(api.world)

        (found,) = await api.world.rows(
            "SELECT app_version, user_ref, session_id, tags, attributes FROM qa_answers"
        )
        assert found.pop("user_ref").startswith("hmac:")
        assert found == {
            "app_version": "1.4.2",
            "session_id": "s-1",
            "tags": None,
            "attributes": {"tenant": "a"},
        }

    async def test_gives_its_answer_the_turns_of_its_chat(self, api):
        chain, *inner = otlp.answered_trace()
        said = {"chat_history": [["human", "여름에는?"], ["ai", "9시요."]]}
        inner[-1].attributes.add(key="input.value").value.string_value = json.dumps(said)

        await send(api, [*inner, chain])
        await settle(api.world)

        (found,) = await api.world.rows("SELECT history FROM qa_answers")
        assert found["history"] == [{"question": "여름에는?", "answer": "9시요."}]

    async def test_is_not_due_before_its_time(self, api):
        await send(api, otlp.answered_trace())

        assert await Settling(api.world.pool, POLICY).settle_due() == 0
        assert await answers(api.world) == []

    async def test_may_arrive_in_pieces_and_in_any_order(self, api):
        chain, retriever, model = otlp.answered_trace()

        for piece in (retriever, model, chain):
            await send(api, [piece])
        await settle(api.world)

        (answer,) = await answers(api.world)
        assert answer["notes"] == [otlp.NOTE]

    async def test_waits_longer_while_its_root_has_not_ended(self, api):
        chain, retriever, _ = otlp.answered_trace()
        waits = "SELECT extract(epoch FROM settle_at - opened_at)::float8 AS seconds FROM traces"

        await send(api, [retriever])
        (row,) = await api.world.rows(waits)
        assert row["seconds"] == 300
        await send(api, [chain])
        (row,) = await api.world.rows(waits)
        assert 5 <= row["seconds"] < 300

    async def test_whose_answer_comes_after_it_was_settled_is_not_lost(self, api):
        chain, retriever, model = otlp.answered_trace()
        await send(api, [retriever])
        await settle(api.world)
        assert await outcomes(api) == {"without_answer": 1}

        await send(api, [model, chain])
        await settle(api.world)

        assert len(await answers(api.world)) == 1
        assert await outcomes(api) == {"answered": 1}

    async def test_that_is_sent_again_gives_no_second_answer(self, api):
        spans = otlp.answered_trace()
        await send(api, spans)
        await send(api, spans)
        await settle(api.world)
        await send(api, spans)
        await settle(api.world)

        assert len(await answers(api.world)) == 1
        counts = (await summary(api))["counts"]
        assert (counts["spans"], counts["duplicate_spans"]) == (3, 6)
        assert counts["answers"] == 1

    async def test_whose_documents_come_after_its_answer_counts_them_as_late(self, api):
        chain, retriever, model = otlp.answered_trace()
        second = otlp.span(
            chain.trace_id, otlp.kind("RETRIEVER") | otlp.documents("늦은 노트"), parent=chain
        )
        await send(api, [chain, retriever, model])
        await settle(api.world)

        await send(api, [second])
        await settle(api.world)

        (answer,) = await answers(api.world)
        assert answer["notes"] == [otlp.NOTE]
        assert (await summary(api))["counts"]["late_spans"] == 1

    async def test_that_is_completed_a_day_later_counts_on_that_day_only(self, api):
        chain, retriever, model = otlp.answered_trace()
        await send(api, [retriever])
        await settle(api.world)
        assert await outcomes(api) == {"without_answer": 1}
        await api.world.rows("UPDATE traces SET settled_at = settled_at - interval '1 day'")
        await api.world.rows("UPDATE trace_counts SET day = day - 1")

        await send(api, [chain, model])
        await settle(api.world)

        for days in (1, 2):
            found = (await summary(api, days=days))["outcomes"]
            assert {name: count for name, count in found.items() if count} == {"answered": 1}

    async def test_with_two_answers_gives_two(self, api):
        trace = otlp.new_trace()
        page = otlp.span(trace, {"http.route": "/ask"})
        spans = [page]
        for question in ("첫째 질문?", "둘째 질문?"):
            chain, *inner = otlp.answered_trace(trace, question=question)
            chain.parent_span_id = page.span_id
            spans += [chain, *inner]

        await send(api, spans)
        await settle(api.world)

        assert [row["question"] for row in await answers(api.world)] == ["둘째 질문?", "첫째 질문?"]
        assert (await summary(api))["newest"][0]["answers"] == 2

    async def test_is_settled_once_by_two_dispatchers(self, api):
        for _ in range(20):
            await send(api, otlp.answered_trace())
        await make_due(api.world)

        both = [Settling(api.world.pool, POLICY, batch=7) for _ in range(2)]
        rounds = [await asyncio.gather(*(each.settle_due() for each in both)) for _ in range(4)]

        assert sum(map(sum, rounds)) == 20
        assert len(await answers(api.world)) == 20
        assert await outcomes(api) == {"answered": 20}


class TestReasons:
    @pytest.mark.parametrize(
        ("attributes", "outcome"),
        [
            (otlp.kind("CHAIN", input_value="q?", output_value="a"), "without_documents"),
            (otlp.kind("CHAIN", input_value="q?"), "without_answer"),
            (otlp.kind("RETRIEVER", input_value="q?") | otlp.documents("n"), "without_answer"),
            (otlp.kind("CHAIN", output_value="a"), "without_question"),
            ({"http.route": "/"}, "not_genai"),
        ],
    )
    async def test_a_trace_without_an_answer_is_counted(self, api, attributes, outcome):
        await send(api, [otlp.span(otlp.new_trace(), attributes)])
        await settle(api.world)

        assert await outcomes(api) == {outcome: 1}
        assert await answers(api.world) == []

    async def test_one_that_cannot_be_stored_holds_up_no_other(self, api, caplog):
        await api.world.rows(
            "ALTER TABLE qa_answers ADD CONSTRAINT refused CHECK (question <> 'poison?')"
        )
        await send(api, otlp.answered_trace(question="poison?"))
        await send(api, otlp.answered_trace())

        await settle(api.world)

        assert [row["question"] for row in await answers(api.world)] == [otlp.QUESTION]
        assert await outcomes(api) == {"answered": 1, "failed": 1}
        assert "CheckViolation" in caplog.text
        assert "poison" not in caplog.text

    async def test_documents_without_text_have_an_outcome_of_their_own(self, api):
        chain, retriever, model = otlp.answered_trace()
        del retriever.attributes[:]
        ids = json.dumps([{"id": "doc_1", "score": 0.9}])
        retriever.attributes.add(key="gen_ai.operation.name").value.string_value = "retrieval"
        retriever.attributes.add(key="gen_ai.retrieval.documents").value.string_value = ids

        await send(api, [chain, retriever, model])
        await settle(api.world)

        assert await outcomes(api) == {"without_document_text": 1}
        (newest,) = (await summary(api, outcome="without_document_text"))["newest"]
        assert newest["trace_id"] == chain.trace_id.hex()
        assert (newest["service"], newest["name"]) == ("notes-app", "ask")


class TestTheProtocol:
    async def test_takes_gzip(self, api):
        body = gzip.compress(otlp.request(otlp.answered_trace()))

        response = await api.client.post(
            "/v1/traces", content=body, headers=otlp.PROTOBUF | {"Content-Encoding": "gzip"}
        )

        assert response.status_code == 200
        assert len(await api.world.rows("SELECT span_id FROM trace_spans")) == 3

    async def test_takes_json_and_replies_in_json(self, api):
        request = ExportTraceServiceRequest.FromString(otlp.request(otlp.answered_trace()))
        body = MessageToDict(request)
        for each, made in zip(
            body["resourceSpans"][0]["scopeSpans"][0]["spans"],
            request.resource_spans[0].scope_spans[0].spans,
            strict=True,
        ):
            each |= {"traceId": made.trace_id.hex(), "spanId": made.span_id.hex()}
            if made.parent_span_id:
                each["parentSpanId"] = made.parent_span_id.hex()

        response = await api.client.post("/v1/traces", json=body)
        await settle(api.world)

        assert (response.status_code, response.json()) == (200, {})
        (answer,) = await answers(api.world)
        assert answer["notes"] == [otlp.NOTE]

    async def test_reports_how_many_spans_it_rejected(self, api):
        good, *_ = otlp.answered_trace()
        bad = otlp.span(b"short", otlp.kind("CHAIN"))

        reply = await send(api, [good, bad, bad])

        assert reply.partial_success.rejected_spans == 2
        assert "traceId" in reply.partial_success.error_message
        assert (await summary(api))["counts"]["rejected_spans"] == 2

    @for_each(
        ("content", "headers", "status"),
        [
            (b"\xff\xff\xff", {}, 400),
            (b"{", {"Content-Type": "application/json"}, 400),
            (b"[]", {"Content-Type": "application/json"}, 400),
            (b'{"resourceSpans": 1}', {"Content-Type": "application/json"}, 400),
            (b"not gzip", {"Content-Encoding": "gzip"}, 400),
            (gzip.compress(b"")[:-1], {"Content-Encoding": "gzip"}, 400),
            (b"", {"Content-Encoding": "br"}, 415),
            (b"", {"Content-Type": "text/plain"}, 415),
            (gzip.compress(bytes(MAX_BODY_BYTES + 1)), {"Content-Encoding": "gzip"}, 413),
        ],
        # Not the content: gzip's has the time in it.
        ids=["protobuf", "json", "list", "number", "gzip", "cut", "brotli", "text", "bomb"],
    )
    async def test_refuses_what_it_cannot_read(self, api, content, headers, status):
        response = await api.client.post(
            "/v1/traces", content=content, headers=otlp.PROTOBUF | headers
        )

        assert response.status_code == status
        if response.headers["content-type"] == "application/json":
            assert response.json()["message"]
        else:
            # google.rpc.Status: a code in its first field, the message in its second.
            assert response.content[0] == 0x08
            assert response.content[2] == 0x12

    async def test_wants_a_token_that_may_write(self, api):
        reader = await api.as_token(scopes=["read"])
        body = otlp.request(otlp.answered_trace())
        for client, status in ((api.anonymous, 401), (reader, 403)):
            response = await client.post("/v1/traces", content=body, headers=otlp.PROTOBUF)
            assert response.status_code == status
            assert response.headers["content-type"] == "application/x-protobuf"

    async def test_says_when_to_send_again_what_there_is_no_room_for(self, api, monkeypatch):
        monkeypatch.setattr("app.api.otlp.MAX_BYTES_IN_FLIGHT", 10)

        response = await api.client.post(
            "/v1/traces", content=otlp.request(otlp.answered_trace()), headers=otlp.PROTOBUF
        )

        assert (response.status_code, response.headers["retry-after"]) == (429, "1")

    async def test_refuses_in_the_language_of_the_caller(self, api, monkeypatch):
        async def too_long(*_: object) -> None:
            raise TimeLimitExceeded(Limits(1, 1))

        monkeypatch.setattr(BoundedProcesses, "run", too_long)
        for language, words in (("ko", "나누어 보내세요"), ("en", "smaller batches")):
            response = await api.client.post(
                "/v1/traces",
                content=b"{}",
                headers={"Content-Type": "application/json", "Accept-Language": language},
            )
            assert response.status_code == 413
            assert words in response.json()["message"]

    async def test_has_spans_sent_again_whose_reader_died(self, api, monkeypatch):
        async def died(*_: object) -> None:
            raise ProcessDied("SIGKILL")

        monkeypatch.setattr(BoundedProcesses, "run", died)
        response = await api.client.post(
            "/v1/traces", content=otlp.request(otlp.answered_trace()), headers=otlp.PROTOBUF
        )

        assert (response.status_code, response.headers["retry-after"]) == (503, "5")

    async def test_shortens_spans_of_ten_megabytes(self, api):
        chain, retriever, model = otlp.answered_trace(answer="가" * 3_500_000)

        await send(api, [chain, retriever, model])
        await settle(api.world)

        (answer,) = await answers(api.world)
        assert answer["answer"] == "가" * 50_000
        assert (await summary(api))["counts"]["cut_texts"] >= 1

    async def test_keeps_workspaces_apart(self, api):
        spans = otlp.answered_trace()
        stranger = await api.as_token(workspace="other")
        body = otlp.request(spans[:1])
        await stranger.post("/v1/traces", content=body, headers=otlp.PROTOBUF)

        await send(api, spans)
        await settle(api.world)

        assert await outcomes(api) == {"answered": 1}
        await settle(api.world)
        theirs = (await stranger.get("/traces/summary")).json()
        assert theirs["outcomes"]["without_documents"] == 1
        assert [trace["spans"] for trace in theirs["newest"]] == [1]


class TestManySpans:
    async def test_cost_one_look_each(self, world):
        """Not one at all traces that came before, as by a plan that was made without any."""
        workspace_id = await world.workspace()
        spans = [otlp.span(otlp.new_trace(), otlp.kind("CHAIN")) for _ in range(3_000)]
        read = read_spans(Body(otlp.request(spans)))

        async with create_pool(world.url, max_size=1) as pool:
            await store_spans(pool, settings(), workspace_id, read)
            await execute(pool, b"SELECT pg_stat_force_next_flush()")
            [(looks,)] = await fetch(
                pool, b"SELECT idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'traces'"
            )

        assert 3_000 <= looks <= 5 * 3_000

    async def test_of_one_trace_are_rejected_beyond_a_limit(self, api):
        trace = otlp.new_trace()
        half = MAX_SPANS_PER_TRACE // 2

        for _ in range(2):
            reply = await send(api, [otlp.span(trace, {}) for _ in range(half)])
            assert reply.partial_success.rejected_spans == 0
        reply = await send(api, [otlp.span(trace, {})])

        assert reply.partial_success.rejected_spans == 1
        assert "5,000 spans" in reply.partial_success.error_message

    async def test_of_one_workspace_hold_up_no_trace_of_another(self, api):
        hog = await api.as_token(workspace="hog")
        spans = [otlp.span(otlp.new_trace(), otlp.kind("CHAIN")) for _ in range(1_000)]
        await hog.post("/v1/traces", content=otlp.request(spans), headers=otlp.PROTOBUF)
        await send(api, otlp.answered_trace())

        assert await settle(api.world) <= 500

        assert await outcomes(api) == {"answered": 1}
        assert 0 < (await hog.get("/traces/summary")).json()["outcomes"]["without_answer"] < 500

    async def test_of_many_traces_are_rejected_beyond_those_a_workspace_may_have_unsettled(
        self, api, monkeypatch
    ):
        monkeypatch.setattr("app.integrations.traces.intake.MAX_UNSETTLED_TRACES", 3)
        settled, *waiting = (otlp.new_trace() for _ in range(5))
        await send(api, [otlp.span(settled, otlp.kind("CHAIN"))])
        await settle(api.world)

        first = await send(api, [otlp.span(trace, {}) for trace in waiting])
        again = await send(api, [otlp.span(trace, {}) for trace in (settled, *waiting)])

        for reply, rejected in ((first, 1), (again, 2)):
            assert reply.partial_success.rejected_spans == rejected
            assert "not settled" in reply.partial_success.error_message
        assert (await summary(api))["counts"]["spans"] == 1 + 3 + 3
        await settle(api.world)
        assert (await send(api, [otlp.span(settled, {})])).partial_success.rejected_spans == 0


class TestRetention:
    async def test_deletes_what_gave_no_answer_and_then_the_trace(self, api):
        retention = retention_for("traces", api.world.pool, settings())
        await send(api, otlp.answered_trace()[1:2])
        await settle(api.world)
        assert not await retention.delete_all()

        await api.world.rows("UPDATE traces SET settled_at = now() - interval '61 minutes'")
        assert await retention.delete_batch() == {"spans_of_traces": 1}
        assert await api.world.rows("SELECT span_id FROM trace_spans") == []

        await api.world.rows("UPDATE traces SET created_at = now() - interval '7 days'")
        assert await retention.due() == {"traces": 1}
        assert await retention.delete_all() == {"traces": 1}
        assert await outcomes(api) == {"without_answer": 1}

    async def test_deletes_as_many_traces_as_were_due(self, api):
        retention = retention_for("traces", api.world.pool, settings(), batch=1)
        for _ in range(3):
            await send(api, otlp.answered_trace()[1:2])
        await settle(api.world)
        await api.world.rows("UPDATE traces SET settled_at = now() - interval '61 minutes'")
        await api.world.rows(
            "UPDATE traces SET created_at = now() - interval '7 days' WHERE trace_id IN"
            " (SELECT trace_id FROM traces LIMIT 2)"
        )

        due = await retention.due()

        assert due == {"traces": 2, "spans_of_traces": 3}
        assert (await retention.delete_all())["traces"] == 2
        assert await api.world.rows("SELECT span_id FROM trace_spans") == []

    async def test_leaves_what_is_not_settled(self, api):
        await send(api, otlp.answered_trace())
        await api.world.rows("UPDATE traces SET created_at = now() - interval '8 days'")

        assert not await retention_for("traces", api.world.pool, settings()).delete_all()
