"""A test over many cases lists all that failed."""

import asyncio

import pytest

from cases import for_each

ran: list[tuple[int, str]] = []


@for_each("number", [1, 2])
@for_each(("word", "letters"), [("ab", 2), ("abc", 3)], ids=["two", "three"])
def test_every_case_runs(number, word, letters, tmp_path):
    assert len(word) == letters
    assert tmp_path
    ran.append((number, word))


@for_each("number", [3, 4])
async def test_cases_may_be_coroutines(number, tmp_path):
    await asyncio.sleep(0)
    assert tmp_path
    ran.append((number, "async"))


def test_all_of_them_ran():
    whole = [(1, "ab"), (1, "abc"), (2, "ab"), (2, "abc")]
    assert ran == [*whole, (3, "async"), (4, "async")]


def test_each_failure_is_listed():
    @for_each("number", [1, 2, 3, 4])
    def check(number: int) -> None:
        if number == 2:
            pytest.fail("even")
        assert number < 3, "too large"

    with pytest.raises(AssertionError) as caught:
        check()
    lines = str(caught.value).splitlines()
    assert lines[0] == "3 of 4 cases failed:"
    assert [line.partition("\n")[0] for line in lines if line[1] == ":"] == [
        "2: Failed: even",
        "3: AssertionError: too large",
        "4: AssertionError: too large",
    ]
