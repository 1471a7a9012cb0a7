"""Signatures, against the verification in docs/webhooks.md."""

import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.integrations.webhooks.addresses import new_secret, signatures
from app.integrations.webhooks.delivering import DELAYS, MAX_RETRY_AFTER, MAX_TRIES, next_delay

PAGE = Path(__file__).parents[3] / "docs" / "webhooks.md"


def verify_of_the_page() -> SimpleNamespace:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    return SimpleNamespace(**names)


def test_the_lines_of_the_page_verify_a_delivery():
    page, body = verify_of_the_page(), '{"type": "한글"}'.encode()
    old, new = new_secret(), new_secret()
    now = int(time.time())
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(now),
        "webhook-signature": signatures("msg_1", now, body, [new, old]),
    }

    page.verify(new, headers, body)
    page.verify(old, headers, body)
    for secret, changed, sent in (
        (new_secret(), {}, body),
        (new, {"webhook-id": "msg_2"}, body),
        (new, {"webhook-timestamp": str(now - 1)}, body),
        (new, {}, body + b" "),
        (new, {"webhook-timestamp": str(now - 1000)}, body),
    ):
        with pytest.raises(ValueError, match=r"wrong signature|too old"):
            page.verify(secret, headers | changed, sent)


def test_a_known_signature():
    """Computed by `openssl dgst -sha256 -mac HMAC` over the same bytes."""
    secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    assert (
        signatures("msg_a", 1_700_000_000, b'{"a":1}', [secret])
        == "v1,HIei2E1aaNUJw0HDHF7KO54okhWzoRor+lBjMH+Cn9k="
    )


def test_tries_go_on_for_a_day():
    for tries, delay in enumerate(DELAYS, start=1):
        found = next_delay(tries, None)
        assert found is not None
        assert delay <= found <= 1.2 * delay
    assert next_delay(MAX_TRIES, 60) is None
    assert next_delay(1, 600) == 600
    assert next_delay(1, 10**9) == MAX_RETRY_AFTER
