"""Texts that make regular expressions slow, and every pattern that the program compiles."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import app
import worker
from app.text.language import Bilingual
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
            following = self._expand_op(op, value, most)
            # Each choice once rather than all combinations of the first ones.
            count = max(len(found), len(following))
            pairs = [(found[i % len(found)], following[i % len(following)]) for i in range(count)]
            found = list(dict.fromkeys(left + right for left, right in pairs))[:most]
        return found

    def _expand_op(self, op: Any, value: Any, most: int) -> list[str]:
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


_SKIPPED = ("__main__", "worker.celery_app", "worker.tasks")


class Use(NamedTuple):
    """Where a pattern stands, and whether it is looked for anywhere ("search") or tried at one
    place ("match", "fullmatch")."""

    where: str
    pattern: str
    flags: int
    kind: str


def sources() -> Iterator[tuple[str, Path]]:
    """Names and files of the program's modules."""
    for package in (app, worker):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            spec = found.module_finder.find_spec(found.name, None)  # type: ignore[call-arg]
            if spec is not None and spec.origin is not None:
                yield found.name, Path(spec.origin)


def uses() -> list[Use]:
    """In an order that never changes."""
    found: dict[Use, None] = {}
    for name, path in sources():
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^(?:import re$|from re import)", text, re.MULTILINE):
            continue
        assert not name.endswith(_SKIPPED), f"{name} starts something when it is imported"
        tree = ast.parse(text)
        found.update(dict.fromkeys(_of_module(importlib.import_module(name), tree)))
        found.update(dict.fromkeys(_inline(name, tree)))
    return list(found)


def made_while_running() -> list[str]:
    """Calls of `re` whose pattern is no constant, as "module: source". Literal text
    (`re.escape(…)` alone) is found in linear time and left out."""
    found = []
    for name, path in sources():
        for call in _calls_in_functions(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call.args[0], ast.Constant):
                written = ast.unparse(call.args[0])
                if not re.fullmatch(r"re\.escape\(\w+\)", written):
                    found.append(f"{name}: {written}")
    return sorted(found)


def _of_module(module: ModuleType, tree: ast.Module) -> Iterator[Use]:
    kinds = _kinds(tree)
    for name, value in vars(module).items():
        if name in kinds:
            for place, pattern in _patterns(value, f"{module.__name__}.{name}"):
                for kind in sorted(kinds[name]):
                    yield Use(place, pattern.pattern, pattern.flags, kind)


def _patterns(value: object, name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        bytes_ = isinstance(value.pattern, bytes)
        yield name, re.compile(value.pattern.decode("latin-1")) if bytes_ else value
    elif isinstance(value, Bilingual):
        yield from _patterns(value.patterns, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _patterns(each, f"{name}[{key}]")
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _patterns(each, f"{name}[{index}]")


def _kinds(tree: ast.Module) -> dict[str, set[str]]:
    """How each name of a module is used: by which methods, or "search" where that is not seen."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    called: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            named = owner.value if isinstance(owner, ast.Subscript) else owner
            if isinstance(named, ast.Name):
                anchored = node.attr in ("match", "fullmatch")
                kinds[named.id].add(node.attr if anchored else "search")
                called.add(id(named))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
            kinds[node.id].add("search")
    return kinds


def _calls_in_functions(tree: ast.Module) -> Iterator[ast.Call]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and _of_re(node):
                    yield node


def _of_re(node: ast.Call) -> bool:
    target = node.func
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "re"
        and target.attr != "escape"
    )


def _inline(module: str, tree: ast.Module) -> Iterator[Use]:
    for call in _calls_in_functions(tree):
        pattern, method = call.args[0], call.func
        if isinstance(pattern, ast.Constant) and isinstance(method, ast.Attribute):
            flags = 0
            for each in [*call.args[2:], *(word.value for word in call.keywords)]:
                if ast.unparse(each).startswith("re."):
                    flags = eval(ast.unparse(each), {"re": re})
            kind = method.attr if method.attr in ("match", "fullmatch") else "search"
            yield Use(f"{module}:{call.lineno}", pattern.value, int(flags), kind)
