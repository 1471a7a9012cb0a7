"""Client of SearchQA: have the answers of your application judged."""

from searchqa_client.background import Background
from searchqa_client.client import SearchQA
from searchqa_client.errors import SearchQAError
from searchqa_client.note import AnyNote, Note
from searchqa_client.outbox import Stats
from searchqa_client.retry import Retry

__all__ = ["AnyNote", "Background", "Note", "Retry", "SearchQA", "SearchQAError", "Stats"]
