"""The HTTP API as a function, for commands that call it."""

import contextlib
from collections.abc import Callable, Iterator

import httpx
from searchqa_client import Api, SearchQA

from app.cli.language import language

Handler = Callable[[httpx.Request], httpx.Response]
URL = "http://127.0.0.1:1"
EVENT_STREAM = {"Content-Type": "text/event-stream"}


@contextlib.contextmanager
def api_of(
    handler: Handler, token: str | Callable[[], str] = "", lang: str | None = None
) -> Iterator[Api]:
    """An API that `handler` serves, in the language of messages by default."""
    transport = httpx.MockTransport(handler)
    with SearchQA(URL, token, lang=lang or language(), transport=transport) as client:
        yield client.api


def connect_to(handler: Handler) -> Callable[..., contextlib.AbstractContextManager[Api]]:
    """In place of `app.cli.server.connect`."""
    return lambda lang=None, **_: api_of(handler, lang=lang)
