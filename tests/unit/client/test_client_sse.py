"""The client's parser of server-sent events, and what it makes of the API's."""

import itertools

import pytest
from searchqa_client import errors, events
from searchqa_client.sse import ServerEvent, SSEParser

from cases import for_each

STREAM = (
    "\ufeff: comment\n\n"
    "event: metadata\r\ndata: {}\r\n\r\n"
    "data: 변성은 95도 🌡\rid: 7-1\r\r"
    "event:evaluation\ndata: first\ndata:second\ndata\n\n"
    "event: without data\n\n"
    "id: of nothing\n\n"
    "id: with\0nul\ndata: a:b\nunknown: field\n\n"
    "data: cut off"
).encode()
EVENTS = [
    ServerEvent("metadata", "{}"),
    ServerEvent("message", "변성은 95도 🌡", "7-1"),
    ServerEvent("evaluation", "first\nsecond\n"),
    ServerEvent("message", "a:b"),
]


def parsed(*pieces: bytes) -> list[ServerEvent]:
    parser = SSEParser()
    return [event for piece in pieces for event in parser.feed(piece)]


def test_events_are_parsed_as_the_standard_says():
    assert parsed(STREAM) == EVENTS
    assert parsed(*(STREAM[at : at + 1] for at in range(len(STREAM)))) == EVENTS


def test_an_event_is_given_with_its_blank_line_though_cr_may_be_half_of_crlf():
    parser = SSEParser()
    assert list(parser.feed(b"data: a\r\n\r")) == [ServerEvent("message", "a")]
    assert list(parser.feed(b"\ndata: b\r\n\r\n")) == [ServerEvent("message", "b")]


def test_bytes_that_are_no_text_do_not_end_a_stream():
    assert parsed(b"data: \xff\n\n") == [ServerEvent("message", "\ufffd")]


def test_an_event_without_end_is_refused():
    with pytest.raises(errors.UnexpectedReply, match="without end"):
        parsed(*itertools.repeat(b"x" * 1024 * 1024, 40))


STATE = '{"id": null, "answer_id": null, "status": "%s", "reason": null, "error": null}'


def test_a_state_of_a_newer_server_is_taken():
    event = events.event_of(ServerEvent("evaluation", STATE % "paused", "1-1"))
    assert isinstance(event, events.State)
    assert (event.status, event.final, event.event_id) == ("paused", False, "1-1")


def test_an_event_of_a_newer_server_is_given_as_it_is():
    event = events.event_of(ServerEvent("weather", '{"sun": true}'))
    assert event == events.OtherEvent(name="weather", data={"sun": True})


@for_each(
    ("name", "data"),
    [("evaluation", "{}"), ("quality", "[]"), ("message", "no JSON"), ("message", '{"chunk": 1}')],
)
def test_an_event_that_cannot_be_read_is_named(name, data):
    with pytest.raises(errors.UnexpectedReply, match=f"`{name}`"):
        events.event_of(ServerEvent(name, data))


def test_an_error_within_a_stream_is_raised():
    problem = '{"status": 502, "type": "t", "detail": "The model refused; check its key."}'
    with pytest.raises(errors.ServerFailed, match="check its key") as caught:
        events.event_of(ServerEvent("error", problem))
    assert caught.value.type == "t"
