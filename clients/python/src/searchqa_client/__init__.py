"""Client of SearchQA: have the answers of your application judged."""

from searchqa_client._async.client import AsyncSearchQA, AsyncVerdictHandle
from searchqa_client._sync.client import SearchQA, VerdictHandle
from searchqa_client.background import Background
from searchqa_client.errors import SearchQAError
from searchqa_client.note import AnyNote, Note
from searchqa_client.outbox import Stats
from searchqa_client.retry import Retry

__all__ = [
    "AnyNote",
    "AsyncSearchQA",
    "AsyncVerdictHandle",
    "Background",
    "Note",
    "Retry",
    "SearchQA",
    "SearchQAError",
    "Stats",
    "VerdictHandle",
]
