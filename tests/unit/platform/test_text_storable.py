"""What PostgreSQL's text cannot hold."""

import pytest

from app.platform.db.statements import is_storable, storable


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("어닐링은 58도 🧪 \u2028\x85\ufffe", "어닐링은 58도 🧪 \u2028\x85\ufffe"),
        ("n\x00ul\x00", "nul"),
        ("half \ud83e and \uddea", "half ? and ?"),
        ("", ""),
    ],
)
def test_nul_and_halves_of_characters_are_not_stored(given, stored):
    assert storable(given) == stored
    assert is_storable(given) == (given == stored)
    assert is_storable(stored)
