"""The client, with and without asyncio."""

from __future__ import annotations

from searchqa_client.flows import once
from searchqa_client.settings import server_of
from searchqa_client.submission import Submission
from searchqa_client.transport import Transport


class SearchQA:
    """A SearchQA server.

    url: by default that of SEARCHQA_URL, else http://127.0.0.1:8765. token: by default that of
    SEARCHQA_TOKEN. timeout: seconds without a sign of life from the server.
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, timeout: float = 30.0
    ) -> None:
        server = server_of(url, token)
        self.url = server.url
        self._transport = Transport(server, timeout, None)

    def send_once(self, submission: Submission) -> None:
        """Sends it, and not again if that fails. Raises SearchQAError."""
        self._transport.run(once(submission.request()))

    def close(self) -> None:
        self._transport.close()
