"""One log of many processes: each line whole, with the name of who wrote it in front."""

import itertools
from typing import TextIO

_COLOURS = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
_NAME_WIDTH = 10


class PrefixedLog:
    """Writes `api        | …` lines to a text stream, coloured by name on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._coloured = stream.isatty()
        self._next_colour = itertools.cycle(_COLOURS)
        self._colours: dict[str, int] = {}

    def __call__(self, name: str, line: str) -> None:
        """One write per line, so that lines of two processes never mix."""
        prefix = f"{name:<{_NAME_WIDTH}} | "
        if self._coloured:
            colour = self._colours.get(name)
            if colour is None:
                colour = self._colours[name] = next(self._next_colour)
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._stream.write(f"{prefix}{line}\n")
        self._stream.flush()
