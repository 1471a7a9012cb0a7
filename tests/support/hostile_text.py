"""Texts that get longer and longer, made to cost a pattern or a parser as much as they can."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

from regex_work import chars

# What was seen to be slow once, and its relatives.
FRAGMENTS = (
    " ", ".", "\n", "\t", "a", "가", "1", "#", "-", "*", "`", '"', "[", "(", "<", ">", "&", "\xa0",
    "。", "。.", "…\"", ". ", ".)", "? ", "다.", "no ", "not a note ", "노트 없 ", "문서 ", "1,",
    "1, ", ", 1", "1.", "1:1 ", "-1", "a.", "a ", "a\n", "\n\n", "\n ", " \n", "\r\n", "\n\t\n",
    "- ", "1) ", "- [x] ", "> ", ">> ", "# ", "#\t", "# #", "|", "| a ", "[노트 1]", "[노트 1, ",
    "[1", ". [노트 1].", "다.\n[노트 1]", "(note 1 ", "[Note", "노트 ", "1 & ", ", 노트 1", "[...]",
    "...", "<a ", "<a href=", '<a href="', "<a b='", "<!--", "<!-- -", "<![", "<!", "</", "</a",
    "<p>", "<p> ", "<b>", "</b>", "<li>", "<ol><li>", "<ul><li>", "<table><tr><td>", "<tr>", "<th>",
    "<td colspan=1000>", "<blockquote>", "<pre> ", "<pre>\n", "<script>", "<?", "<br>", "&#", "&#x",
    "&amp", "&a;", "<thead><tr>", "</p", "<p/", "<dt>a", "<dd>", "<svg>", "<a\n=", "<a x=1 ",
    "---\n", "---\na: b\n", "a:\n", "a: [", "- a\n", "key: value\n", "``", "```\n", "```json\n",
    "{", "[{", '{"a":', '"', '\\"', "<top>", "<num>", "<title>", "1 mg ", "-1,", "영하 1", "Aa ",
    "a Aa", "is ", "A is ", "for 1 ", "at 1,1", "가 Ab", "가나 씨", "월요일과 ", "1~1 ", "[1, ",
    "\u1161", "e\u0301", "\u2028", "\x0b", "٣", "Ⅷ", "ﬀ", "İ", "\ud7a4", "’s", "'t ", "_", "__",
)  # fmt: skip
_PROBES = " \t\n.,:;a1가AZ_-*#[]()\"'!?>/<=&|\\\xa0"
_WORDS, _PUMPS = 4, 5


def pumped(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """(before, pump, behind): `before + pump * n + behind` is what a pattern may be slow at.

    For each unbounded repeat of the pattern its body is pumped, and what leads to the repeat
    together with it; the characters behind let the rest fail.
    """
    tree = sre_parse.parse(pattern.pattern, pattern.flags)
    alphabet = list(dict.fromkeys([*_PROBES, *_literals(tree)]))
    maker = _Words(pattern.flags, alphabet)
    for before, body in maker.repeats(tree, [""]):
        pumps = islice(dict.fromkeys(word for word in maker.words(body, _PUMPS) if word), _PUMPS)
        for word in pumps:
            for start in before:
                for behind in ("\0", "\n!"):
                    yield start, word, behind
                    if start:
                        yield "", start + word, behind
    for word in maker.words(tree, _PUMPS):
        for pump in (word, word[:-1], f"{word[:-1]} ", f"{word} "):
            if pump:
                yield "", pump, "\0"


def _literals(nodes: Any) -> Iterator[str]:
    for op, value in nodes:
        if op in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(value)
        elif op is sre.IN:
            yield from _literals([each for each in value if each[0] in (sre.LITERAL, sre.RANGE)])
        elif op is sre.RANGE:
            yield from map(chr, value)
        else:
            for inner in _inner(op, value):
                yield from _literals(inner)


def _inner(op: Any, value: Any) -> Sequence[Any]:
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return value[1]
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return [value[2]]
    if op is sre.ATOMIC_GROUP:
        return [value]
    return [value[1]] if op in (sre.ASSERT, sre.ASSERT_NOT) else []


class _Words:
    """Short words that a pattern matches, as far as its places do not forbid them."""

    def __init__(self, flags: int, alphabet: Sequence[str]) -> None:
        self._flags = flags
        self._alphabet = alphabet

    def words(self, nodes: Any, most: int = _WORDS) -> list[str]:
        found = [""]
        for op, value in nodes:
            following = self._of(op, value, most)
            # Each choice once rather than all combinations of the first ones.
            count = max(len(found), len(following))
            pairs = [(found[i % len(found)], following[i % len(following)]) for i in range(count)]
            found = list(dict.fromkeys(left + right for left, right in pairs))[:most]
        return found

    def _of(self, op: Any, value: Any, most: int) -> list[str]:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            test = chars((op, value), self._flags)
            return [char for char in self._alphabet if test(char)][:most] or ["\u4e00"]
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, highest, body = value
            once = self.words(body, most)
            if least == 0:
                return ["", *once][:most] if highest else [""]
            return [word * least for word in once]
        if op is sre.BRANCH:
            lists = [self.words(branch, most) for branch in value[1]]
            firsts = [words[0] for words in lists]
            return [*firsts, *(word for words in lists for word in words[1:])][:most]
        if op in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
            return self.words(_inner(op, value)[0], most)
        return [""]

    def repeats(self, nodes: Any, before: list[str]) -> Iterator[tuple[list[str], Any]]:
        """(what may lead to it, its body) for each unbounded repeat, in order."""
        sequence = list(nodes)
        for index, (op, value) in enumerate(sequence):
            leading = self.words(sequence[:index], 2)
            led = list(dict.fromkeys(start + word for start in before for word in leading))[:3]
            if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT) and value[1] > 7:
                yield ["", *(word for word in led if word)], value[2]
            for inner in _inner(op, value):
                yield from self.repeats(inner, led)
