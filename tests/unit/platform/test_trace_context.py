"""traceparent, as the W3C Trace Context recommendation has it."""

import asyncio
from contextvars import copy_context

import pytest

from app.platform.spans import child_traceparent, enter_trace, parse_traceparent
from cases import for_each

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
VALID = f"00-{TRACE}-{SPAN}-01"


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        (VALID, VALID),
        (f" \t{VALID} ", VALID),
        (f"00-{TRACE}-{SPAN}-00", f"00-{TRACE}-{SPAN}-00"),
        # The flag for random trace ids goes on; unknown ones do not.
        (f"00-{TRACE}-{SPAN}-ff", f"00-{TRACE}-{SPAN}-03"),
        # Later versions: the known fields count, whatever follows them.
        (f"cc-{TRACE}-{SPAN}-01", VALID),
        (f"cc-{TRACE}-{SPAN}-01-what-the-future-will-be-like", VALID),
        (f"cc-{TRACE}-{SPAN}-01-", VALID),
        (f"01-{TRACE}-{SPAN}-03", VALID),
    ],
)
def test_valid_ones_are_taken_in_version_00(value, taken):
    assert parse_traceparent([value]) == taken


@for_each(
    "values",
    [
        [],
        [""],
        [VALID, VALID],
        [f"{VALID},{VALID}"],
        [f"{VALID}-"],
        [f"{VALID}-more"],
        [f"cc-{TRACE}-{SPAN}-01.more"],
        [f"cc-{TRACE}-{SPAN}-011"],
        [f"ff-{TRACE}-{SPAN}-01"],
        [f"00-{'0' * 32}-{SPAN}-01"],
        [f"00-{TRACE}-{'0' * 16}-01"],
        [VALID.upper()],
        [VALID.replace("-", "_")],
        [f"00-{TRACE[1:]}-{SPAN}-01"],
        [f"00-{TRACE}-{SPAN[1:]}-01"],
        [f"00-{TRACE}-{SPAN}-1"],
        [f"0-{TRACE}-{SPAN}-01"],
        [f".0-{TRACE}-{SPAN}-01"],
        [f"00-{TRACE}-{SPAN}-0x"],
        [f"00-{TRACE}-{SPAN}-０1"],
        [f"{VALID}\n"],
        ["x" * 100_000],
    ],
)
def test_others_count_as_none(values):
    assert parse_traceparent(values) is None


def test_each_call_is_a_span_of_its_own_in_the_trace():
    def call_often() -> list[str | None]:
        enter_trace(VALID)
        return [child_traceparent() for _ in range(100)]

    children = copy_context().run(call_often)

    parsed = [child and parse_traceparent([child]) for child in children]
    assert parsed == children
    assert {child and child[:36] for child in children} == {VALID[:36]}
    assert {child and child[52:] for child in children} == {"-01"}
    assert len({*children, VALID}) == 101
    assert child_traceparent() is None


async def test_tasks_side_by_side_keep_to_their_own_trace():
    traces = [f"00-{index:032x}-{SPAN}-01" for index in range(1, 51)]

    async def call(trace: str | None) -> str | None:
        enter_trace(trace)
        await asyncio.sleep(0)
        child = child_traceparent()
        return child and child[:36]

    found = await asyncio.gather(*(call(trace) for trace in [*traces, None]))

    assert found == [*(trace[:36] for trace in traces), None]
    assert child_traceparent() is None
