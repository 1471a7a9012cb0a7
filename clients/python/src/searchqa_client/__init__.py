"""Client of SearchQA: have the answers of your application judged."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from searchqa_client._async.api import AsyncApi
    from searchqa_client._async.client import AsyncSearchQA, AsyncVerdictHandle
    from searchqa_client._sync.api import Api
    from searchqa_client._sync.client import SearchQA, VerdictHandle
    from searchqa_client.attributes import propagate_attributes
    from searchqa_client.background import Background
    from searchqa_client.errors import SearchQAError
    from searchqa_client.guarding import GuardVerdict
    from searchqa_client.note import AnyNote, Note
    from searchqa_client.outbox import Stats
    from searchqa_client.requests import Request
    from searchqa_client.retry import Retry
    from searchqa_client.sse import ServerEvent

__all__ = [
    "AnyNote",
    "Api",
    "AsyncApi",
    "AsyncSearchQA",
    "AsyncVerdictHandle",
    "Background",
    "GuardVerdict",
    "Note",
    "Request",
    "Retry",
    "SearchQA",
    "SearchQAError",
    "ServerEvent",
    "Stats",
    "VerdictHandle",
    "propagate_attributes",
]

# pytest loads this package in every session where it is installed, most of which never use it: what
# it offers is imported at its first use, which is where `from searchqa_client import …` stands.
_MODULES = {
    "AnyNote": "note",
    "Api": "_sync.api",
    "AsyncApi": "_async.api",
    "AsyncSearchQA": "_async.client",
    "AsyncVerdictHandle": "_async.client",
    "Background": "background",
    "GuardVerdict": "guarding",
    "Note": "note",
    "Request": "requests",
    "Retry": "retry",
    "SearchQA": "_sync.client",
    "SearchQAError": "errors",
    "ServerEvent": "sse",
    "Stats": "outbox",
    "VerdictHandle": "_sync.client",
    "propagate_attributes": "attributes",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

    def __dir__() -> list[str]:
        return [*globals(), *_MODULES]
