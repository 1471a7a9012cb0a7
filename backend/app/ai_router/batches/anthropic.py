"""Anthropic's message batches: the lines in one request, the results in one document.

https://docs.anthropic.com/en/api/creating-message-batches
"""

from collections.abc import Collection, Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import IO, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel

from app.ai_router.batches.protocol import BatchLimits, BatchLine, BatchReply, BatchStatus
from app.ai_router.batches.remote import Query, RemoteBatches, quoted, write_joined
from app.ai_router.providers.http import encode
from app.ai_router.providers.wire import Count
from app.platform.errors import TransientProviderError

_NOT_BEGUN = {"expired": "expired", "canceled": "was cancelled"}
# The HTTP status that goes with each type of error, https://docs.anthropic.com/en/api/errors.
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_PAGE = 100
# How far the clocks of two machines may be apart.
_CLOCKS = timedelta(minutes=5)
# Results of a batch that are read to see whose it is.
_ENOUGH = 20


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_Moment = Annotated[datetime, AfterValidator(_with_zone)]


class _Counts(BaseModel):
    processing: Count = 0
    succeeded: Count = 0
    errored: Count = 0
    canceled: Count = 0
    expired: Count = 0

    def total(self) -> int:
        return (self.processing or 0) + (self.succeeded or 0) + self.failed()

    def failed(self) -> int:
        return (self.errored or 0) + (self.canceled or 0) + (self.expired or 0)


class _Batch(BaseModel):
    id: str
    type: Literal["message_batch"]
    processing_status: str
    request_counts: _Counts
    created_at: _Moment


class _Page(BaseModel):
    data: list[_Batch]
    has_more: bool = False


class _Error(BaseModel):
    type: str | None = None


class _Failure(BaseModel):
    error: _Error | None = None


class _Result(BaseModel):
    type: str
    message: Any = None
    error: dict[str, Any] | None = None


class _Line(BaseModel):
    custom_id: str
    result: _Result


class AnthropicBatches(RemoteBatches):
    """Implements BatchEndpoint for servers that take POST {base_url}/v1/messages/batches."""

    # Of 256 MB, with room for what stands around the lines.
    limits = BatchLimits(lines=100_000, size=255_900_000)

    def _line(self, line: BatchLine) -> bytes:
        return encode({"custom_id": line.custom_id, "params": self._client.body(line.request)})

    async def upload(self, lines: Sequence[BatchLine]) -> str | None:
        return None

    async def create(self, key: str, file_id: str | None, lines: Sequence[BatchLine]) -> str:
        def write(file: IO[bytes]) -> None:
            file.write(b'{"requests":[')
            write_joined(file, map(self._line, lines), b",")
            file.write(b"]}")

        return (await self._hand_in(_Batch, self._address(), write, "application/json")).id

    async def find(
        self, key: str, since: datetime, lines: Sequence[BatchLine], known: Collection[str]
    ) -> str | None:
        ours = {line.custom_id for line in lines}
        running = False
        for batch in await self._made_since(since - _CLOCKS):
            # Ours may have had lines of answers that were deleted since.
            if batch.id in known or batch.request_counts.total() < len(ours):
                continue
            if batch.processing_status != "ended":
                running = True
            elif await self._answers(batch.id, ours):
                return batch.id
        if running:
            raise TransientProviderError(
                f"{self._vendor} may be at work on this batch; its results will tell."
            )
        return None

    async def _status(self, batch_id: str) -> BatchStatus:
        batch = await self._ask(_Batch, "GET", self._address(batch_id))
        counts = batch.request_counts
        return BatchStatus(
            "ended" if batch.processing_status == "ended" else "running",
            done=counts.succeeded or 0,
            failed=counts.failed(),
            total=counts.total(),
            warning=self._warning(counts),
        )

    async def _cancel(self, batch_id: str) -> None:
        await self._ask(_Batch, "POST", self._address(batch_id, "cancel"))

    async def delete(self, batch_id: str) -> None:
        await self._delete(self._address(batch_id))

    async def _results(self, batch_id: str) -> Sequence[str]:
        return [self._address(batch_id, "results")]

    def _read_line(self, text: bytes) -> BatchReply:
        line = _Line.model_validate_json(text)
        result = line.result
        if result.type == "succeeded":
            return self._answered(line.custom_id, result.message)
        if result.type == "errored":
            failure = _Failure.model_validate(result.error or {})
            status = _STATUS.get((failure.error and failure.error.type) or "", 500)
            return self._refused(line.custom_id, status, result.error)
        return self._not_begun(line.custom_id, _NOT_BEGUN.get(result.type, "failed"))

    async def _made_since(self, moment: datetime) -> list[_Batch]:
        """The newest first, as they are listed."""
        found: list[_Batch] = []
        query: Query = {"limit": _PAGE}
        while True:
            page = await self._listed(_Page, self._address(), query)
            found += (batch for batch in page.data if batch.created_at >= moment)
            if not page.has_more or not page.data or page.data[-1].created_at < moment:
                return found
            query["after_id"] = page.data[-1].id

    async def _answers(self, batch_id: str, ours: Collection[str]) -> bool:
        """Whether the results of a batch are those of our lines."""
        read = 0
        async with aclosing(self.replies(batch_id)) as replies:
            async for reply in replies:
                if reply.custom_id in ours:
                    return True
                read += 1
                if read == _ENOUGH:
                    break
        return False

    def _address(self, *parts: str) -> str:
        return "/".join((f"{self._endpoint.url}/batches", *map(quoted, parts)))
