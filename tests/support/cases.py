"""How tests run: over many cases, or guarded."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(
    names: str | Sequence[str],
    values: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[str] | None = None,
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but as a single test: it runs every case and fails with a list
    of those that failed. The cases share the test's fixtures, so a case must not change them."""
    cases = list(values)
    keys = [names] if isinstance(names, str) else list(names)
    labels = list(map(ids or _label, cases)) if ids is None or callable(ids) else list(ids)

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(*args: object, **given: object) -> None:
            failed = []
            for label, case in zip(labels, cases, strict=True):
                values_of_case = [case] if isinstance(names, str) else case
                try:
                    test(*args, **given, **dict(zip(keys, values_of_case, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  listed below
                    failed.append(f"{label}: {type(error).__name__}: {error}")
            if failed:
                listed = "\n".join(failed)
                raise AssertionError(f"{len(failed)} of {len(cases)} cases failed:\n{listed}")

        signature = inspect.signature(test)
        fixtures = [one for key, one in signature.parameters.items() if key not in keys]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


def _label(case: object) -> str:
    return str(case)[:80]


RUNNING = ("compile", "ctypes", "exec", "import", "open", "os", "pickle", "socket", "subprocess")
_audited: list[str] | None = None


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if _audited is not None and event.partition(".")[0] in RUNNING:
        _audited.append(event)


sys.addaudithook(_audit)


@contextmanager
def nothing_runs() -> Iterator[None]:
    """Fails when the interpreter compiles, runs, loads, opens or connects to anything."""
    # An audit hook cannot be taken away, only be told to rest.
    global _audited
    _audited = []
    try:
        yield
        assert _audited == []
    finally:
        _audited = None
