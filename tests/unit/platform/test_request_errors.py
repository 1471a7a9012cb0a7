"""The catalog of what requests are refused with."""

import ast
import json
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
from app.platform.errors import Conflict, InvalidRequest, RequestError

_ROOT = Path(next(iter(app.__path__)))
_TEXTS = json.loads((_ROOT / "platform" / "request_errors.json").read_text("utf-8"))


def _fields(text: dict[str, str]) -> set[str]:
    written = text["en"] + text["ko"]
    return {name for _, name, _, _ in string.Formatter().parse(written) if name}


def _raised() -> Iterator[tuple[str, set[str | None]]]:
    for module in _ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="worded") | ast.Name(id="error_text"),
                    args=[ast.Constant(value=str(name)), *_],
                ):
                    yield name, {each.arg for each in node.keywords}


def test_each_text_is_raised_with_the_values_that_it_names():
    raised = list(_raised())

    of_statuses = {name for name in _TEXTS if name.startswith("http-")}
    assert {name for name, _ in raised} | of_statuses == set(_TEXTS)
    assert not [(name, given) for name, given in raised if given != _fields(_TEXTS[name])]


def test_each_refusal_is_an_exception_of_its_own():
    """One that is kept keeps the frames of every request that it was ever raised in."""
    errors = {kind.__name__ for kind in RequestError.__subclasses__()}
    kept = [
        (module.name, ast.unparse(node.targets))
        for module in _ROOT.rglob("*.py")
        for node in ast.parse(module.read_text("utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func).partition(".")[0] in {*errors, "no_such"}
    ]
    assert kept == []


def test_an_error_has_both_languages_and_its_code():
    error = Conflict.worded("bench-under-way", status="running")

    assert str(error) == "The bench is running; wait until it is completed."
    assert error.detail["ko"].startswith("검증이 아직 완료되지 않았습니다(running).")
    assert error.code == "bench-under-way"
    assert InvalidRequest.worded("case-lang").code == "invalid-request"
    with pytest.raises(KeyError, match="status"):
        Conflict.worded("bench-under-way")
