"""How much memory the embedded PostgreSQL takes for its cache."""

import pytest

from app.operations.embedded.postgres_programs import available, shared_buffers


@pytest.mark.parametrize(("gigabytes", "megabytes"), [(0.5, 128), (4, 512), (64, 1_024)])
def test_an_eighth_within_bounds(gigabytes, megabytes):
    assert shared_buffers(int(gigabytes * 2**30)) == megabytes


def test_a_machine_has_some():
    assert available() > 2**26
