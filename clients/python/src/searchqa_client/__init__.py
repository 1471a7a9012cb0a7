"""Client of SearchQA: have the answers of your application judged."""

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
