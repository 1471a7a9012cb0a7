"""What one application holds of spans is no other's."""

import pytest
from starlette.requests import Request

from app.api import otlp
from app.api.otlp import SpanIntake
from app.platform.errors import TooManyRequests


def of_bytes(count: int) -> Request:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": bytes(count), "more_body": False}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


async def test_bytes_of_one_application_leave_the_room_of_another(monkeypatch):
    monkeypatch.setattr(otlp, "MAX_BYTES_IN_FLIGHT", 10)
    one, other = SpanIntake(), SpanIntake()

    async with one.body(of_bytes(8)) as held, other.body(of_bytes(8)):
        assert len(held) == 8
        with pytest.raises(TooManyRequests):
            async with one.body(of_bytes(8)):
                pass

    async with one.body(of_bytes(8)) as body:
        assert len(body) == 8, "what was held has been released"
