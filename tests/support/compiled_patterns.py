"""Every regular expression of the program, with the ways in which it is used."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import app
import worker

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
