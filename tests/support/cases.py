"""How tests run: over many cases, guarded, or until something holds."""

import asyncio
import functools
import inspect
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

Test = Callable[..., Any]
Found = TypeVar("Found")
# Only ends what hangs: a machine that is busy with other work takes many times as long.
TIMEOUT_SECONDS = 180


async def eventually(
    probe: Callable[[], Awaitable[Found] | Found],
    *,
    when: Callable[[Found], object] = bool,
    within: float = TIMEOUT_SECONDS,
) -> Found:
    """The first result of `probe`, awaited where it can be, that `when` accepts: by default one
    that is true. Raises AssertionError after `within` seconds. Polls less often as the wait gets
    longer, since most probes ask PostgreSQL."""
    began = time.monotonic()
    while True:
        result = probe()
        found = await result if inspect.isawaitable(result) else result
        if when(found):
            return found
        waited = time.monotonic() - began
        assert waited < within, f"not within {within:g} s: {probe}"
        await asyncio.sleep(min(max(waited / 20, 0.005), 0.1))


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
        def cases_of(given: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
            for label, case in zip(labels, cases, strict=True):
                values_of_case = [case] if isinstance(names, str) else case
                yield label, {**given, **dict(zip(keys, values_of_case, strict=True))}

        @functools.wraps(test)
        def run(*args: object, **given: object) -> None:
            failed: list[str] = []
            for label, case in cases_of(given):
                with _listed(label, failed):
                    test(*args, **case)
            _fail_with(failed, len(cases))

        @functools.wraps(test)
        async def run_async(*args: object, **given: object) -> None:
            failed: list[str] = []
            for label, case in cases_of(given):
                with _listed(label, failed):
                    await test(*args, **case)
            _fail_with(failed, len(cases))

        signature = inspect.signature(test)
        fixtures = [one for key, one in signature.parameters.items() if key not in keys]
        chosen = run_async if inspect.iscoroutinefunction(test) else run
        chosen.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return chosen

    return decorate


@contextmanager
def _listed(label: str, failed: list[str]) -> Iterator[None]:
    """Notes the failure of a case instead of raising it."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  listed below
        failed.append(f"{label}: {type(error).__name__}: {error}")


def _fail_with(failed: list[str], count: int) -> None:
    if failed:
        listed = "\n".join(failed)
        raise AssertionError(f"{len(failed)} of {count} cases failed:\n{listed}")


def _label(case: object) -> str:
    return str(case)[:80]


RUNNING = ("compile", "ctypes", "exec", "import", "open", "os", "pickle", "socket", "subprocess")
# Of this thread: one that an earlier test left may still export its spans.
_watched = threading.local()


def _audit(event: str, _: tuple[Any, ...]) -> None:
    audited: list[str] | None = getattr(_watched, "audited", None)
    if audited is not None and event.partition(".")[0] in RUNNING:
        audited.append(event)


sys.addaudithook(_audit)


@contextmanager
def nothing_runs() -> Iterator[None]:
    """Fails when this thread compiles, runs, loads, opens or connects to anything."""
    # An audit hook cannot be removed, only disabled.
    _watched.audited = []
    try:
        yield
        assert _watched.audited == []
    finally:
        _watched.audited = None
