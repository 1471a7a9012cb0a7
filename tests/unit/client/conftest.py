"""What tests of the libraries' adapters have in common."""

import pytest

from scripted_http import RecordedBackground


@pytest.fixture
def background() -> RecordedBackground:
    return RecordedBackground()
