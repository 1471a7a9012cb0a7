import pytest

from app.cli.sse import Event, read_events

STREAM = (
    ': keep-alive\n\nevent: metadata\r\ndata: {"matched_notes": []}\r\n\r\n'
    'data: {"chunk": "변성은 95도 🌡"}\n\nid: 7-1\nevent: evaluation\ndata: {"a":\ndata: 1}\n\n'
    "data: [DONE]\n\ndata: cut off"
).encode()

EVENTS = [
    Event("metadata", '{"matched_notes": []}'),
    Event("message", '{"chunk": "변성은 95도 🌡"}'),
    Event("evaluation", '{"a":\n1}', "7-1"),
    Event("message", "[DONE]"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 10_000])
def test_events_do_not_depend_on_where_the_stream_is_cut(size: int) -> None:
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert list(read_events(chunks)) == EVENTS


def test_every_single_cut_gives_the_same_events() -> None:
    for at in range(len(STREAM)):
        assert list(read_events([STREAM[:at], STREAM[at:]])) == EVENTS


def test_json_may_stand_on_several_lines() -> None:
    assert EVENTS[2].json() == {"a": 1}


def test_an_id_belongs_to_its_event_alone() -> None:
    events = list(read_events([b"id: 1-1\ndata: a\n\ndata: b\n\n"]))
    assert [event.id for event in events] == ["1-1", None]
