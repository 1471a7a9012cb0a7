"""How many files a process asks for, and how many connections the API keeps with what it gets."""

import resource

import pytest

from app.api.connections import OTHER_OPEN_FILES, ConnectionLimits
from app.platform.processes.system import allow_open_files
from app.platform.settings import Settings

INFINITY = resource.RLIM_INFINITY


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The limits that were set; the last one holds."""
    limits = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    return limits


@pytest.mark.parametrize(
    ("there", "wanted", "then"),
    [
        ((1024, 4096), 2000, (2000, 4096)),
        ((1024, 4096), 9000, (4096, 4096)),
        ((1024, INFINITY), 9000, (9000, INFINITY)),
        ((1024, 4096), 500, (1024, 4096)),
    ],
)
def test_the_soft_limit_is_raised_as_far_as_may_be(limit, there, wanted, then):
    limit.append(there)
    assert allow_open_files(wanted) == then[0]
    assert limit[-1] == then


def test_no_limit_stays_none(limit):
    limit.append((INFINITY, INFINITY))
    assert allow_open_files(9000) == 9000
    assert limit[-1] == (INFINITY, INFINITY)


@pytest.mark.parametrize("hard", [256, 1024, 4096, 100_000])
def test_connections_leave_files_for_what_answers_them(limit, hard):
    limit.append((min(1024, hard), hard))
    limits = ConnectionLimits.from_settings(Settings(max_connections=4096))
    assert 0 < limits.total <= 4096
    assert 2 * limits.total <= max(limit[-1][0] - OTHER_OPEN_FILES, limit[-1][0] // 2)
