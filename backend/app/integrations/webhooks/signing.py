"""Signatures as the Standard Webhooks specification defines them (version 1, symmetric): the
HMAC-SHA256 of `id.timestamp.body`, in base64 behind `v1,`."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

PREFIX = "whsec_"
# Of 24 to 64 that the specification allows.
_KEY_BYTES = 32


def new_secret() -> str:
    """Random bytes in base64 behind the prefix of the specification."""
    return f"{PREFIX}{base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode()}"


def signatures(message_id: str, timestamp: int, body: bytes, keys: Iterable[str]) -> str:
    """The header `webhook-signature`: one for each key, with spaces between them. timestamp:
    seconds of the Unix epoch, as in `webhook-timestamp`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(key, signed)}" for key in keys)


def _signature(key: str, signed: bytes) -> str:
    secret = base64.b64decode(key.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
