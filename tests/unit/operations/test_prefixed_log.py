"""The log of all processes."""

import io

from app.operations.embedded.process import PrefixedLog


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_carry_the_name_plainly_into_a_file():
    stream = io.StringIO()
    log = PrefixedLog(stream)
    log("api", "up")
    log("dispatcher", "up")
    assert stream.getvalue() == "api        | up\ndispatcher | up\n"


def test_each_name_keeps_its_colour_on_a_terminal():
    stream = Terminal()
    log = PrefixedLog(stream)
    for name in ("api", "redis", "api"):
        log(name, "x")
    first, second, third = (line.split("m", 1)[0] for line in stream.getvalue().splitlines())
    assert first == third != second
