"""How much memory the embedded PostgreSQL takes for its cache."""

import pytest

from app.operations.embedded.postgres_programs import available, shared_buffers, stored_bytes

LARGE = 2**40


@pytest.mark.parametrize(("gigabytes", "megabytes"), [(0.5, 128), (4, 512), (64, 1_024)])
def test_an_eighth_within_bounds(gigabytes, megabytes):
    assert shared_buffers(int(gigabytes * 2**30), LARGE) == megabytes


@pytest.mark.parametrize(("stored", "megabytes"), [(0, 128), (100, 400), (1_000, 512)])
def test_four_times_a_small_database(stored, megabytes):
    assert shared_buffers(4 * 2**30, stored * 2**20) == megabytes


def test_databases_of_a_cluster_are_counted(tmp_path):
    assert stored_bytes(tmp_path) == 0
    (tmp_path / "base" / "5").mkdir(parents=True)
    (tmp_path / "base" / "5" / "1259").write_bytes(b"a" * 8_192)
    (tmp_path / "pg_wal").mkdir()
    (tmp_path / "pg_wal" / "0001").write_bytes(b"a")
    assert stored_bytes(tmp_path) == 8_192


def test_a_machine_has_some():
    assert available() > 2**26
