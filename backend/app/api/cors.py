"""Lets the pages of chosen origins call the API.

They send a bearer token. Browsers are not allowed to add the cookie of a session: who has one
visits this server itself, and `app.api.origin` refuses what other pages want changed with it.
"""

from collections.abc import Collection

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import MutableHeaders

# Pages that are traced send the last two with every request.
_REQUEST_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match",
                    "Last-Event-ID", "traceparent", "tracestate")  # fmt: skip
_RESPONSE_HEADERS = ("ETag", "Location", "Retry-After", "Server-Timing", "X-Data-Age")
_PREFLIGHT_SECONDS = 600


class _CORSWithTiming(CORSMiddleware):
    """Browsers keep the times of a request, Server-Timing among them, from other origins' pages
    unless the response names theirs."""

    @staticmethod
    def allow_explicit_origin(headers: MutableHeaders, origin: str) -> None:
        CORSMiddleware.allow_explicit_origin(headers, origin)
        headers["Timing-Allow-Origin"] = origin


def add_cors(app: FastAPI, origins: Collection[str]) -> None:
    """origins: each as a browser sends it, `https://notes.example.com`."""
    app.add_middleware(
        _CORSWithTiming,
        allow_origins=sorted(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=_REQUEST_HEADERS,
        allow_credentials=False,
        expose_headers=_RESPONSE_HEADERS,
        max_age=_PREFLIGHT_SECONDS,
    )
