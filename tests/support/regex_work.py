"""How much work a regular expression is, in steps of a backtracking matcher, not in seconds.

`re` does not tell how often it backtracks, so the parsed pattern is run here by a small matcher
that tries the same alternatives in the same order and counts. It finds what `re` finds
(`spans` is compared with `finditer`), and more steps than it have no pattern of `re`, whose
shortcuts only save some.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

BUDGET = 1_000_000
Node = tuple[Any, Any]
Chars = Callable[[str], bool]


class TooMuchWork(Exception):
    """More than BUDGET steps for a text of some thousand characters."""


class Tests(dict[str, bool]):
    """What a test said of each character."""

    def __init__(self, test: Chars) -> None:
        self._test = test

    def __missing__(self, char: str) -> bool:
        self[char] = self._test(char)
        return self[char]


@dataclass
class Program:
    """Instructions: (char, tests), (choose, alternatives, known), (split, first, second),
    (jump, to), (at, where), (look, …), (atomic, program), (mark, loop), (moved, loop), (end,)."""

    code: list[tuple[Any, ...]] = field(default_factory=list)
    loops: int = 0


@cache
def compiled(pattern: re.Pattern[str]) -> Program:
    tree = sre_parse.parse(pattern.pattern, pattern.flags)
    return _program(tree, pattern.flags)


def _program(nodes: Any, flags: int) -> Program:
    program = Program()
    _emit_all(program, nodes, flags)
    program.code.append(("end",))
    return program


def _emit_all(program: Program, nodes: Any, flags: int) -> None:
    for node in nodes:
        _emit(program, node, flags)


def _emit(program: Program, node: Node, flags: int) -> None:
    op, value = node
    code = program.code
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        code.append(("char", Tests(chars(node, flags))))
    elif op is sre.SUBPATTERN:
        _, added, removed, inner = value
        _emit_all(program, inner, (flags | added) & ~removed)
    elif op is sre.BRANCH:
        _emit_branch(program, value[1], flags)
    elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        _emit_repeat(program, *value, flags, greedy=op is sre.MAX_REPEAT)
    elif op is sre.POSSESSIVE_REPEAT:
        inner = Program()
        _emit_repeat(inner, *value, flags, greedy=True)
        inner.code.append(("end",))
        code.append(("atomic", inner))
    elif op is sre.ATOMIC_GROUP:
        code.append(("atomic", _program(value, flags)))
    elif op is sre.AT:
        code.append(("at", _place(value, flags)))
    elif op in (sre.ASSERT, sre.ASSERT_NOT):
        direction, inner = value
        back = inner.getwidth()[0] if direction < 0 else 0
        code.append(("look", op is sre.ASSERT, back, _program(inner, flags)))
    else:
        raise NotImplementedError(f"{op}: write the pattern without it")


def _emit_branch(program: Program, branches: list[Any], flags: int) -> None:
    code, jumps, alternatives = program.code, [], []
    choose = len(code)
    code.append(("choose", alternatives, {}))
    for branch in branches:
        alternatives.append((_first(branch, flags), len(code)))
        _emit_all(program, branch, flags)
        jumps.append(len(code))
        code.append(("jump", 0))
    for jump in jumps:
        code[jump] = ("jump", len(code))
    code[choose] = ("choose", tuple(alternatives), {})


def _first(nodes: Any, flags: int) -> Chars | None:
    """Which characters these nodes may begin with, as `re` asks before it enters a branch; None
    where that is not said by one node."""
    for node in nodes:
        op, value = node
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return chars(node, flags)
        if op is sre.SUBPATTERN:
            _, added, removed, inner = value
            return _first(inner, (flags | added) & ~removed)
        if op is not sre.AT:
            return None
    return None


def _emit_repeat(
    program: Program, least: int, most: int, body: Any, flags: int, *, greedy: bool
) -> None:
    code = program.code

    def split(inside: int, behind: int) -> tuple[str, int, int]:
        return ("split", inside, behind) if greedy else ("split", behind, inside)

    for _ in range(least):
        _emit_all(program, body, flags)
    if most is sre.MAXREPEAT:
        loop, program.loops = program.loops, program.loops + 1
        start = len(code)
        code.append(("split", 0, 0))
        may_be_empty = body.getwidth()[0] == 0
        if may_be_empty:
            code.append(("mark", loop))
        _emit_all(program, body, flags)
        if may_be_empty:
            code.append(("moved", loop))
        code.append(("jump", start))
        code[start] = split(start + 1, len(code))
        return
    splits = []
    for _ in range(most - least):
        splits.append(len(code))
        code.append(("split", 0, 0))
        _emit_all(program, body, flags)
    for place in splits:
        code[place] = split(place + 1, len(code))


def chars(node: Node, flags: int) -> Chars:
    """Whether a character is one of a node that takes a single one."""
    op, value = node
    if op is sre.ANY:
        return (lambda _: True) if flags & re.DOTALL else (lambda char: char != "\n")
    if op is sre.IN:
        negated = value[0][0] is sre.NEGATE
        tests = [_member(each, flags) for each in value[negated:]]
        return lambda char: any(test(char) for test in tests) != negated
    test = _member((sre.LITERAL, value), flags)
    return test if op is sre.LITERAL else lambda char: not test(char)


def _member(node: Node, flags: int) -> Chars:
    op, value = node
    if op is sre.CATEGORY:
        return _category(value, flags)
    low, high = value if op is sre.RANGE else (value, value)
    if not flags & re.IGNORECASE:
        return lambda char: low <= ord(char) <= high
    return lambda char: any(
        low <= ord(each) <= high for each in (char, char.lower()[:1], char.upper()[:1])
    )


def _category(name: Any, flags: int) -> Chars:
    kind = str(name).rpartition("_")[2]
    ascii_only = bool(flags & re.ASCII)
    tests: dict[str, Chars] = {
        "DIGIT": str.isdecimal,
        "SPACE": str.isspace,
        "WORD": lambda char: char.isalnum() or char == "_",
    }
    test = tests[kind]
    negated = "NOT" in str(name)
    return lambda char: (test(char) and (char.isascii() or not ascii_only)) != negated


def _place(name: Any, flags: int) -> Callable[[str, int], bool]:
    word = _category("CATEGORY_WORD", flags)

    def boundary(text: str, at: int) -> bool:
        before = at > 0 and word(text[at - 1])
        return before != (at < len(text) and word(text[at]))

    lines = bool(flags & re.MULTILINE)
    places: dict[Any, Callable[[str, int], bool]] = {
        sre.AT_BEGINNING: lambda text, at: at == 0 or (lines and text[at - 1] == "\n"),
        sre.AT_BEGINNING_STRING: lambda _, at: at == 0,
        sre.AT_END: lambda text, at: (
            at == len(text) or (text[at] == "\n" and (lines or at == len(text) - 1))
        ),
        sre.AT_END_STRING: lambda text, at: at == len(text),
        sre.AT_BOUNDARY: boundary,
        sre.AT_NON_BOUNDARY: lambda text, at: not boundary(text, at),
    }
    return places[name]


class Matcher:
    """Counts in `steps` what looking for a pattern takes."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._program = compiled(pattern)
        self.steps = 0

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """What `finditer` finds."""
        at, empty = 0, -1
        while at <= len(text):
            end = self._run(self._program, text, at, unless_empty_at=empty)
            if end is None:
                at += 1
                continue
            yield at, end
            # A match without characters may follow one with some, not another one without.
            empty = at if end == at else -1
            at = end

    def match(self, text: str, *, full: bool = False) -> int | None:
        """Where a `match`, or `fullmatch`, ends."""
        return self._run(self._program, text, 0, end_at=len(text) if full else None)

    def _run(  # noqa: C901 - one case for each instruction, and a call of each would cost more
        self, program: Program, text: str, at: int, *, end_at: int | None = None,
        unless_empty_at: int = -1,
    ) -> int | None:  # fmt: skip
        begin, code, length = at, program.code, len(text)
        stack: list[tuple[int, int, tuple[int, ...]]] = [(0, at, (-1,) * program.loops)]
        while stack:
            pc, at, marks = stack.pop()
            while True:
                self.steps += 1
                if self.steps > BUDGET:
                    raise TooMuchWork
                what = code[pc]
                kind = what[0]
                pc += 1
                if kind == "char":
                    if at < length and what[1][text[at]]:
                        at += 1
                        continue
                    break
                if kind == "split":
                    stack.append((what[2], at, marks))
                    pc = what[1]
                elif kind == "choose":
                    char = text[at] if at < length else ""
                    known = what[2]
                    if char not in known:
                        known[char] = [
                            to for first, to in what[1] if first is None or (char and first(char))
                        ]
                    if not known[char]:
                        break
                    pc, *others = known[char]
                    self.steps += len(others)
                    stack.extend((other, at, marks) for other in reversed(others))
                elif kind == "jump":
                    pc = what[1]
                elif kind == "at":
                    if not what[1](text, at):
                        break
                elif kind == "look":
                    _, wanted, back, inner = what
                    found = at >= back and self._run(inner, text, at - back) is not None
                    if found != wanted:
                        break
                elif kind == "atomic":
                    end = self._run(what[1], text, at)
                    if end is None:
                        break
                    at = end
                elif kind == "mark":
                    marks = (*marks[: what[1]], at, *marks[what[1] + 1 :])
                elif kind == "moved":
                    if marks[what[1]] == at:
                        break
                elif (end_at is None or at == end_at) and not begin == at == unless_empty_at:
                    return at
                else:
                    break
        return None
