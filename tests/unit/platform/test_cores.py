"""The cores of a container with a quota, as the kernel states it."""

import pytest

from app.platform.processes import system


@pytest.mark.parametrize(
    ("stated", "usable"),
    [
        ("max 100000\n", 4),
        ("400000 100000\n", 4),
        ("150000 100000\n", 2),
        ("50000 100000\n", 1),
        ("6400000 100000\n", 4),
        (None, 4),
        ("unknown\n", 4),
    ],
)
def test_a_quota_counts_by_whole_cores(stated, usable, tmp_path, monkeypatch):
    quota = tmp_path / "cpu.max"
    if stated:
        quota.write_text(stated)
    monkeypatch.setattr(system, "_CGROUP_QUOTA", quota)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(4)), raising=False)
    monkeypatch.setattr("sys.platform", "linux")

    assert system.usable_cores() == usable
