import datetime as dt

import pytest

from app.cli.output import parse_duration
from app.platform.errors import SetupError


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("15m", dt.timedelta(minutes=15)),
        ("12h", dt.timedelta(hours=12)),
        (" 30D ", dt.timedelta(days=30)),
        ("2w", dt.timedelta(weeks=2)),
    ],
)
def test_durations(written, expected):
    assert parse_duration(written) == expected


@pytest.mark.parametrize(
    "written", ["", "30", "d", "0d", "-1d", "1.5h", "1y", "٣d", "999999999w", "40000d", "1d 2h"]
)
def test_an_invalid_duration_is_refused_with_an_example(written):
    with pytest.raises(SetupError, match="write 15m, 12h, 30d or 2w"):
        parse_duration(written)
