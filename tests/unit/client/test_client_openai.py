"""The real SDK against a scripted server."""

import asyncio
import contextvars
import gc
import json
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import AsyncAzureOpenAI, AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletion
from searchqa_client import propagate_attributes
from searchqa_client.openai import _question_in, context, judged

from scripted_http import RecordedBackground
from stub_server import Behaviour, Exchange, StubServer, answer, cut_off, reply_text, status

NOTES = [
    "변성은 95도에서 30초 동안 한다.",
    {"title": "배양기", "content": "배양기는 37도로 맞춘다."},
]
QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "95도에서 합니다. [노트 1]"
MESSAGES: Any = [
    {"role": "system", "content": "Answer from the notes."},
    {"role": "user", "content": "old"},
    {"role": "assistant", "content": "old"},
    {"role": "user", "content": QUESTION},
]
ASKED: Any = {"model": "tiny", "messages": MESSAGES}
TOOL_CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with StubServer(answer(reply_text(ANSWER))) as stub:
        yield stub


@pytest.fixture
def sync_client(stub: StubServer, background: RecordedBackground) -> Iterator[OpenAI]:
    """Call it in a thread: the server runs in the loop of the test."""
    with OpenAI(base_url=stub.base_url, api_key="k", max_retries=0) as client:
        yield judged(client, background)


@pytest.fixture
async def client(stub: StubServer, background: RecordedBackground) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=stub.base_url, api_key="k", max_retries=0) as client:
        yield judged(client, background)


def body(**reply: Any) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await exchange.send(json.dumps(reply).encode())

    return behave


def events(*data: Mapping[str, Any]) -> Behaviour:
    """As the server of the SDK sends them: those of responses have names."""
    names = [f"event: {one['type']}\n" if "type" in one else "" for one in data]
    lines = [f"{name}data: {json.dumps(one)}\n\n" for name, one in zip(names, data, strict=True)]

    async def behave(exchange: Exchange) -> None:
        stream = "".join([*lines, "data: [DONE]\n\n"]).encode()
        await exchange.send(stream, content_type="text/event-stream")

    return behave


def choice(index: int = 0, reason: str | None = "stop", **message: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": None} | message
    return {"index": index, "finish_reason": reason, "message": message, "delta": message}


def chunk(*choices: dict[str, Any]) -> dict[str, Any]:
    return {"id": "1", "object": "chat.completion.chunk", "model": "stub-2", "choices": [*choices]}


async def test_a_whole_reply(client, sync_client, background):
    with context(NOTES):
        reply = await client.chat.completions.create(**ASKED)
        again = await asyncio.to_thread(sync_client.chat.completions.create, **ASKED)
    assert type(reply) is type(again) is ChatCompletion
    assert reply.choices[0].message.content == again.choices[0].message.content == ANSWER
    for one in background.submitted:
        assert (one.question, one.answer, one.notes) == (QUESTION, ANSWER, NOTES)
        assert one.options == {"model": "stub", "history": [("old", "old")]}
    assert len(background.submitted) == 2


async def test_a_stream_is_submitted_at_its_end(client, background):
    with context(NOTES), propagate_attributes(session_id="s-1"):
        stream = await client.chat.completions.create(**ASKED, stream=True)
    assert type(stream) is openai.AsyncStream
    first = await anext(stream)
    assert background.submitted == []
    rest = [one.choices[0].delta.content or "" async for one in stream if one.choices]

    assert first.choices[0].delta.content + "".join(rest) == ANSWER
    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert background.only.notes == NOTES
    assert background.only.options["attributes"] == {"session_id": "s-1"}


async def test_streams_of_the_synchronous_client_and_managed_ones(client, sync_client, background):
    def ask() -> list[str | None]:
        with context(NOTES), sync_client.chat.completions.create(**ASKED, stream=True) as stream:
            assert type(stream) is openai.Stream
            whole = "".join(one.choices[0].delta.content or "" for one in stream if one.choices)
        with context(NOTES), sync_client.chat.completions.stream(**ASKED) as stream:
            return [whole, stream.get_final_completion().choices[0].message.content]

    assert await asyncio.to_thread(ask) == [ANSWER, ANSWER]
    with context(NOTES):
        async with client.chat.completions.stream(**ASKED) as stream:
            assert [event async for event in stream if event.type == "content.done"]
    assert [one.answer for one in background.submitted] == [ANSWER] * 3


async def test_a_stream_left_halfway_submits_nothing(client, sync_client, background):
    with context(NOTES):
        async with await client.chat.completions.create(**ASKED, stream=True) as stream:
            await anext(stream)

    def ask() -> None:
        with context(NOTES), sync_client.chat.completions.create(**ASKED, stream=True) as stream:
            next(stream)

    await asyncio.to_thread(ask)
    assert background.submitted == []


async def test_a_stream_that_ends_twice_is_submitted_once(stub, client, background):
    stub.script(events(chunk(choice(content=ANSWER)), chunk(choice())))
    with context(NOTES):
        async for _ in await client.chat.completions.create(**ASKED, stream=True):
            pass

    assert background.only.answer == ANSWER


async def test_a_stream_that_breaks_submits_nothing(stub, client, background):
    stub.script(cut_off(reply_text(ANSWER), after=600))
    with context(NOTES):
        stream = await client.chat.completions.create(**ASKED, stream=True)
        assert [one async for one in stream]

    assert background.submitted == []


async def test_a_reader_may_stop_at_the_last_word(client, background):
    with context(NOTES):
        async with await client.chat.completions.create(**ASKED, stream=True) as stream:
            async for part in stream:
                if part.choices[0].finish_reason:
                    break

    assert background.only.answer == ANSWER


async def test_a_call_that_fails_submits_nothing(stub, client, background):
    stub.script(status(500))
    with context(NOTES), pytest.raises(openai.InternalServerError):
        await client.chat.completions.create(**ASKED)

    assert background.submitted == []


async def test_only_calls_within_a_context_are_judged(client, background):
    await client.chat.completions.create(**ASKED)
    with context(NOTES):
        await client.chat.completions.create(**ASKED)
    await client.chat.completions.create(**ASKED)

    assert background.only.answer == ANSWER


async def test_the_client_that_was_given_is_left_as_it_is(stub, background):
    async with AsyncOpenAI(base_url=stub.base_url, api_key="k", timeout=7) as client:
        copy = judged(client, background)
        with context(NOTES):
            await client.chat.completions.create(**ASKED)
            await client.responses.with_raw_response.create(model="tiny", input=QUESTION)
        assert background.submitted == []
        assert type(copy) is AsyncOpenAI
        assert (copy.timeout, copy.base_url) == (client.timeout, client.base_url)


async def test_the_client_that_was_given_need_not_be_kept(stub, background):
    client = judged(AsyncOpenAI(base_url=stub.base_url, api_key="k"), background)
    gc.collect()
    with context(NOTES):
        await client.chat.completions.create(**ASKED)
    await client.close()

    assert background.only.answer == ANSWER


def test_other_forms_of_the_client_keep_their_type(background):
    client = AsyncAzureOpenAI(azure_endpoint="http://127.0.0.1:1", api_key="k", api_version="1")

    assert type(judged(client, background)) is AsyncAzureOpenAI


async def test_raw_replies_pass_unjudged(client, background):
    with context(NOTES):
        raw = await client.chat.completions.with_raw_response.create(**ASKED)
        assert raw.parse().choices[0].message.content == ANSWER
        async with client.chat.completions.with_streaming_response.create(**ASKED) as streamed:
            await streamed.parse()

    assert background.submitted == []


async def test_the_context_names_question_and_options(client, background):
    options = {"feature": "search_qa", "profile": "초보", "slots": {"level": "1"}}
    with context(NOTES, question="named", traceparent="00-1-2-01", **options):
        await client.chat.completions.create(**ASKED)

    assert background.only.question == "named"
    kept = {"model": "stub", "traceparent": "00-1-2-01", "history": [("old", "old")]}
    assert background.only.options == kept | options


@pytest.mark.parametrize("notes", [iter(NOTES), [*NOTES], NOTES[0], NOTES[1]])
async def test_notes_are_read_once_at_the_start_of_the_context(client, background, notes):
    given = NOTES if isinstance(notes, list | Iterator) else notes
    with context(notes):
        if isinstance(notes, list):
            notes.clear()
        await client.chat.completions.create(**ASKED)
        await client.chat.completions.create(**ASKED)

    assert [one.notes for one in background.submitted] == [list(given)] * 2


async def test_notes_that_cannot_be_read_do_not_break_the_call(client, background, caplog):
    def notes() -> Iterator[str]:
        yield "first"
        raise ValueError

    with context(notes()), caplog.at_level(logging.WARNING):
        await client.chat.completions.create(**ASKED)
        await client.chat.completions.create(**ASKED)

    assert caplog.text.count("An answer will not be judged: ValueError") == 2
    assert background.submitted == []


async def test_concurrent_contexts_do_not_mix(client, background):
    async def ask(number: int) -> None:
        with context([f"note {number}"], question=f"question {number}"):
            stream = await client.chat.completions.create(**ASKED, stream=True)
            async for _ in stream:
                pass

    await asyncio.gather(*map(ask, range(20)))

    found = {(one.question, *one.notes) for one in background.submitted}
    assert found == {(f"question {n}", f"note {n}") for n in range(20)}


def test_a_context_may_end_elsewhere_than_it_began():
    def generate() -> Iterator[int]:
        with context(NOTES):
            yield 1

    steps = generate()
    assert contextvars.copy_context().run(next, steps) == 1
    assert contextvars.copy_context().run(next, steps, None) is None


WHOLE = {"id": "1", "object": "chat.completion", "created": 1, "model": "stub-2"}


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ([choice(content=ANSWER)], ANSWER),
        ([choice(content=ANSWER, reason="length")], ANSWER),
        ([choice(1, content="other"), choice(content=ANSWER)], ANSWER),
        ([choice(content=ANSWER, tool_calls=[TOOL_CALL], reason="tool_calls")], None),
        ([choice(tool_calls=[TOOL_CALL], reason="tool_calls")], None),
        ([choice(content=ANSWER, function_call={"name": "f", "arguments": ""})], None),
        ([choice(content=" \n")], None),
        ([choice(refusal="I cannot.")], None),
        ([choice(1, content=ANSWER)], None),
        ([], None),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_what_counts_as_an_answer(stub, client, background, choices, expected, streamed):
    stub.script(events(chunk(), chunk(*choices)) if streamed else body(**WHOLE, choices=choices))
    with context(NOTES):
        reply = await client.chat.completions.create(**ASKED, stream=streamed)
        if streamed:
            assert len([part async for part in reply]) == 2

    assert [one.answer for one in background.submitted] == [expected] * (expected is not None)
    assert {one.options["model"] for one in background.submitted} <= {"stub-2"}


@pytest.mark.parametrize(
    "reply", [{}, {"choices": None}, {"choices": [None]}, {"choices": "x"}, [], 5]
)
async def test_replies_that_are_no_completions_are_left_to_the_caller(
    stub, client, background, reply, caplog
):
    async def behave(exchange: Exchange) -> None:
        await exchange.send(json.dumps(reply).encode())

    stub.script(behave)
    with context(NOTES), caplog.at_level(logging.WARNING):
        await client.chat.completions.create(**ASKED)

    assert background.submitted == []


def response(*output: dict[str, Any], state: str = "completed") -> dict[str, Any]:
    return {
        "id": "r",
        "object": "response",
        "model": "stub-3",
        "status": state,
        "output": [*output],
    }


MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
}
CALL = {"id": "c", "type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (response(MESSAGE), ANSWER),
        (response({"id": "s", "type": "web_search_call", "status": "completed"}, MESSAGE), ANSWER),
        (response(MESSAGE, state="incomplete"), ANSWER),
        (response(MESSAGE, CALL), None),
        (response(CALL), None),
        (response(), None),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_the_responses_api(stub, client, background, reply, expected, streamed):
    last = {"type": f"response.{reply['status']}", "sequence_number": 1, "response": reply}
    delta = {"type": "response.output_text.delta", "delta": "9", "sequence_number": 0}
    stub.script(events(delta, last) if streamed else body(**reply))
    with context(NOTES):
        got = await client.responses.create(model="tiny", input=QUESTION, stream=streamed)
        if streamed:
            assert len([event async for event in got]) == 2

    assert [one.answer for one in background.submitted] == [expected] * (expected is not None)
    for one in background.submitted:
        assert (one.question, one.options["model"]) == (QUESTION, "stub-3")


async def test_a_failed_response_and_one_left_halfway(stub, client, background):
    delta = {"type": "response.output_text.delta", "delta": "9", "sequence_number": 0}
    failed = {"type": "response.failed", "sequence_number": 1, "response": response(MESSAGE)}
    stub.script(events(delta, failed), events(delta))
    for _ in range(2):
        with context(NOTES):
            stream = await client.responses.create(model="tiny", input=QUESTION, stream=True)
            assert [event async for event in stream]

    assert background.submitted == []


@pytest.mark.parametrize(
    ("given", "question"),
    [
        ({"messages": MESSAGES}, QUESTION),
        ({"messages": tuple(MESSAGES)}, QUESTION),
        (
            {"messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]},
            QUESTION,
        ),
        ({"input": QUESTION}, QUESTION),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]}, "a"),
        ({"messages": []}, ""),
        ({"messages": iter(MESSAGES)}, ""),
        ({"messages": [{"role": "assistant", "content": "x"}]}, ""),
        ({}, ""),
    ],
)
def test_where_the_question_is(given, question):
    assert _question_in(given) == question


async def test_messages_that_can_be_read_once_still_reach_the_model(stub, client, background):
    with context(NOTES, question=QUESTION):
        await client.chat.completions.create(model="tiny", messages=iter(MESSAGES))

    assert len(stub.requests[0].json["messages"]) == 4
    assert background.only.question == QUESTION


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "text", "type"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(said=values)
def test_questions_of_any_content_are_text(said):
    assert isinstance(_question_in({"messages": said}), str)


async def test_a_background_that_breaks_does_not_break_the_call(
    caplog, client, background, monkeypatch
):
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("secret text of the answer")

    monkeypatch.setattr(background, "submit", broken)
    with caplog.at_level(logging.WARNING, "searchqa_client"), context(NOTES):
        await client.chat.completions.create(**ASKED)
        async for _ in await client.chat.completions.create(**ASKED, stream=True):
            pass

    assert caplog.text.count("An answer will not be judged: ValueError") == 2
    assert "secret" not in caplog.text
