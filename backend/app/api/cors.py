"""Lets the pages of chosen origins call the API.

They send a bearer token. Browsers are not allowed to add the cookie of a session: who has one
visits this server itself, and `app.api.origin` refuses what other pages want changed with it.
"""

from collections.abc import Collection

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

_REQUEST_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match",
                    "Last-Event-ID")  # fmt: skip
_RESPONSE_HEADERS = ("ETag", "Location", "Retry-After")
_PREFLIGHT_SECONDS = 600


def add_cors(app: FastAPI, origins: Collection[str]) -> None:
    """origins: each as a browser sends it, `https://notes.example.com`."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=sorted(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=_REQUEST_HEADERS,
        allow_credentials=False,
        expose_headers=_RESPONSE_HEADERS,
        max_age=_PREFLIGHT_SECONDS,
    )
