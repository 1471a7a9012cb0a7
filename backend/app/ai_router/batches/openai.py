"""OpenAI's batches: a file of lines, a batch of it, and files of replies and of errors.

https://platform.openai.com/docs/api-reference/batch
"""

import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import IO, Any, Literal

from pydantic import BaseModel

from app.ai_router.batches.protocol import (
    BatchLimits,
    BatchLine,
    BatchReply,
    BatchStatus,
    RemoteState,
)
from app.ai_router.batches.remote import Query, RemoteBatches, quoted, write_joined
from app.ai_router.providers.http import encode
from app.ai_router.providers.wire import Count
from app.platform.errors import ProviderError

# Of the batch that holds our own id for it.
KEY = "searchqa_batch"
LINE_URL = "/v1/chat/completions"

_STATES: dict[str, RemoteState] = {
    "completed": "ended",
    "expired": "ended",
    "cancelled": "ended",
    "failed": "failed",
}
# The reasons that are documented for a batch that failed; others are not repeated, because a server
# may write anything there. "token_limit_exceeded": too many tokens wait in other batches.
_REASONS = frozenset(
    {
        *("duplicate_custom_id", "empty_file", "invalid_json_line", "model_mismatch"),
        *("model_not_found", "token_limit_exceeded", "too_many_tasks", "url_mismatch"),
    }
)
# Statuses of a server that has not created a batch.
_REFUSED = frozenset({*range(400, 500), 501})
_NOT_BEGUN = {"batch_expired": "expired", "batch_cancelled": "was cancelled"}
_PAGE = 100
# How far the clocks of two machines may be apart.
_CLOCKS = timedelta(hours=1)


class _File(BaseModel):
    id: str


class _Error(BaseModel):
    code: str | None = None


class _Errors(BaseModel):
    data: list[_Error] | None = None


class _Counts(BaseModel):
    total: Count = 0
    completed: Count = 0
    failed: Count = 0


class _Batch(BaseModel):
    id: str
    object: Literal["batch"]
    status: str
    created_at: int
    input_file_id: str | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: _Errors | None = None
    request_counts: _Counts | None = None
    metadata: dict[str, Any] | None = None


class _Page(BaseModel):
    data: list[_Batch]
    has_more: bool = False


class _Response(BaseModel):
    status_code: int
    body: Any


class _Line(BaseModel):
    custom_id: str
    response: _Response | None = None
    error: _Error | None = None


class OpenAIBatches(RemoteBatches):
    """Implements BatchEndpoint for servers that take POST {base_url}/files and /batches."""

    limits = BatchLimits(lines=50_000, size=200_000_000)

    @property
    def _base(self) -> str:
        return self._endpoint.url.removesuffix("/chat/completions")

    def _line(self, line: BatchLine) -> bytes:
        body = self._client.body(line.request)
        return encode(
            {"custom_id": line.custom_id, "method": "POST", "url": LINE_URL, "body": body}
        )

    async def upload(self, lines: Sequence[BatchLine]) -> str | None:
        boundary = secrets.token_hex(16)

        def write(file: IO[bytes]) -> None:
            # RFC 7578. The boundary is random, so no line holds it.
            head = f'--{boundary}\r\ncontent-disposition: form-data; name="'
            purpose = f'{head}purpose"\r\n\r\nbatch\r\n'
            opening = f'{head}file"; filename="batch.jsonl"\r\ncontent-type: application/jsonl'
            file.write(f"{purpose}{opening}\r\n\r\n".encode())
            write_joined(file, map(self._line, lines), b"\n")
            file.write(f"\n\r\n--{boundary}--\r\n".encode())

        kind = f"multipart/form-data; boundary={boundary}"
        return (await self._hand_in(_File, f"{self._base}/files", write, kind)).id

    async def create(self, key: str, file_id: str | None, lines: Sequence[BatchLine]) -> str:
        asked = {
            "input_file_id": file_id,
            "endpoint": LINE_URL,
            "completion_window": "24h",
            "metadata": {KEY: key},
        }
        try:
            return (await self._ask(_Batch, "POST", f"{self._base}/batches", asked)).id
        except ProviderError as error:
            # Anything else may come from a server that has taken the batch.
            if error.status not in _REFUSED:
                raise
            if file_id:
                with suppress(ProviderError):
                    await self._delete(self._file(file_id))
            raise self._about_batches(error) from error

    async def find(
        self, key: str, since: datetime, lines: Sequence[BatchLine], known: Collection[str]
    ) -> str | None:
        oldest = (since - _CLOCKS).timestamp()
        query: Query = {"limit": _PAGE}
        while True:
            page = await self._listed(_Page, f"{self._base}/batches", query)
            for batch in page.data:
                if batch.id not in known and (batch.metadata or {}).get(KEY) == key:
                    return batch.id
            # The newest are listed first.
            if not page.has_more or not page.data or page.data[-1].created_at < oldest:
                return None
            query["after"] = page.data[-1].id

    async def _status(self, batch_id: str) -> BatchStatus:
        batch = await self._batch(batch_id)
        counts = batch.request_counts or _Counts()
        reasons = {error.code for error in (batch.errors and batch.errors.data) or ()}
        known = ", ".join(sorted(code for code in reasons if code in _REASONS))
        state = _STATES.get(batch.status, "running")
        why = f"{self._vendor} did not begin this batch ({known or 'it does not say why'})."
        return BatchStatus(
            state,
            done=counts.completed or 0,
            failed=counts.failed or 0,
            total=counts.total or 0,
            error=why if state == "failed" else None,
            later="token_limit_exceeded" in reasons,
            warning=self._warning(counts),
        )

    async def _cancel(self, batch_id: str) -> None:
        await self._ask(_Batch, "POST", f"{self._base}/batches/{quoted(batch_id)}/cancel")

    async def delete(self, batch_id: str) -> None:
        batch = await self._batch(batch_id)
        for file in (batch.input_file_id, batch.output_file_id, batch.error_file_id):
            if file:
                await self._delete(self._file(file))

    def _file(self, file_id: str) -> str:
        return f"{self._base}/files/{quoted(file_id)}"

    async def _batch(self, batch_id: str) -> _Batch:
        return await self._ask(_Batch, "GET", f"{self._base}/batches/{quoted(batch_id)}")

    async def _results(self, batch_id: str) -> Sequence[str]:
        batch = await self._batch(batch_id)
        files = (batch.output_file_id, batch.error_file_id)
        return [f"{self._file(file)}/content" for file in files if file]

    def _read_line(self, text: bytes) -> BatchReply:
        line = _Line.model_validate_json(text)
        if line.response is None:
            code = (line.error and line.error.code) or ""
            return self._not_begun(line.custom_id, _NOT_BEGUN.get(code, "failed"))
        if 200 <= line.response.status_code < 300:
            return self._answered(line.custom_id, line.response.body)
        status = line.response.status_code
        known = 400 <= status <= 599
        return self._refused(line.custom_id, status if known else 500, line.response.body)
