"""A batch under work: its rows, its end, and the storing of its replies."""

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

from pydantic_core import to_json
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.call_telemetry import count_batched
from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import ChatResponse, ModelName
from app.platform.db.session import in_workspace
from app.platform.errors import ProviderError
from app.platform.jobs.job import Job
from app.verdicts.batches import queries
from app.verdicts.batches.models import BatchState
from app.verdicts.judging.reply_cache import reply_of
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Held
from app.verdicts.lifecycle.parking import put_back, release_parked, save_batch_replies
from app.verdicts.lifecycle.retry import describe
from app.verdicts.policy.queries import DROP_HOLDS

logger = logging.getLogger(__name__)

# A batch that was just created may not be known yet wherever its provider is asked for it. In poll
# intervals.
SETTLING_POLLS = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """A request of a batch; `request_hash` and `purpose` once it is rendered."""

    id: uuid.UUID
    evaluation_id: uuid.UUID
    attempt: int
    position: int
    request_hash: str | None
    purpose: str | None

    @property
    def custom_id(self) -> str:
        """The id at the provider."""
        return f"{self.evaluation_id.hex}-{self.attempt}-{self.position}"


@dataclass(slots=True)
class BatchAtWork:
    """A batch of which this process holds the job; every write is one of that attempt.

    `row` is as it was last read: see queries.GET.
    """

    id: uuid.UUID
    job: Job
    context: ModelJobContext
    row: Mapping[str, Any]

    @classmethod
    async def load(cls, job: Job, context: ModelJobContext) -> "BatchAtWork | None":
        """None when it has ended, or is there no more."""
        batch = cls(uuid.UUID(job.payload["batch_id"]), job, context, {})
        return batch if await batch.reload() else None

    async def reload(self) -> bool:
        async with in_workspace(self.context.sessions, self.job.workspace_id) as session:
            found = (await session.execute(queries.GET, self.key)).mappings().one_or_none()
        self.row = dict(found or {})
        return found is not None and not self.state.final

    @property
    def key(self) -> dict[str, object]:
        return {"workspace_id": self.job.workspace_id, "id": self.id}

    @property
    def state(self) -> BatchState:
        return BatchState(self.row["state"])

    @property
    def model(self) -> ModelName:
        return ModelName.parse(self.row["judge_model"])

    @property
    def endpoint(self) -> BatchEndpoint:
        """Raises ConfigurationError and BatchesNotSupported."""
        return self.context.providers.batch_endpoint(self.row["judge_model"])

    @property
    def unwanted(self) -> str | None:
        """Why it is to be cancelled, in words."""
        if self.row["cancel_requested_at"]:
            return "it was cancelled"
        if self.row["overdue"]:
            return "its answers cannot wait any longer"
        return None if self.row["wanted"] else "none of its answers waits for it any more"

    @property
    def settles_in(self) -> float:
        """Seconds until the provider is sure to know it, if it has created it; of one that it was
        asked to create."""
        since: float = self.row["since_created"]
        return max(0.0, SETTLING_POLLS * self.context.settings.batches.poll_seconds - since)

    def held(self, lines: Iterable[Line]) -> list[Held]:
        """The rows of the lines."""
        workspace_id = self.job.workspace_id
        rows = {line.evaluation_id: line.attempt for line in lines}
        return [Held(id_, workspace_id, attempt) for id_, attempt in rows.items()]

    async def unread_lines(self) -> list[Line]:
        async with in_workspace(self.context.sessions, self.job.workspace_id) as session:
            return [Line(*row) for row in await session.execute(queries.UNREAD_LINES, self.key)]

    async def set_lines(self, session: AsyncSession, lines: Sequence[Line]) -> None:
        rows = to_json([asdict(line) for line in lines]).decode()
        await session.execute(queries.CLEAR_LINES, self.key)
        await session.execute(queries.SET_LINES, self.key | {"rows": rows})

    async def drop(self, session: AsyncSession, rows: Sequence[Held]) -> None:
        """Takes rows out of it; what becomes of them is up to the caller, who commits."""
        given = {"evaluations": [row.id for row in rows]}
        await session.execute(queries.DROP_LINES, self.key | given)

    async def finish(
        self, state: BatchState, error: str | None = None, *, retry_in: float | None = None
    ) -> None:
        """Ends it. What has no reply is judged by calls, or waits for another batch where one may
        be handed in after `retry_in` seconds."""
        lines = await self.unread_lines()
        async with self.context.writing() as session:
            if retry_in is None:
                await release_parked(session, self.held(lines))
            else:
                await put_back(session, self.held(lines))
            held = {"workspace_id": self.job.workspace_id, "work_id": self.id}
            await session.execute(DROP_HOLDS, held)
            values = {"state": state.value, "error": error, "retry_in": retry_in}
            await session.execute(queries.FINISH, self.key | values)

    async def delete_at_provider(self, endpoint: BatchEndpoint) -> None:
        """Once it has ended there. What cannot be deleted is left, with a warning in the log."""
        try:
            await endpoint.delete(self.row["provider_batch"])
        except ProviderError as error:
            logger.warning("Batch %s could not be deleted at its provider (%s)", self.id, error)


# Replies that are stored in one transaction.
CHUNK = 100

Read = tuple[Line, StoredCall]


class Reading:
    """A reply makes its row due as soon as the row has all of its replies. What is read a second
    time, after a crash or because the provider repeats a line, adds nothing."""

    def __init__(self, batch: BatchAtWork, endpoint: BatchEndpoint) -> None:
        self._batch = batch
        self._endpoint = endpoint
        self._read = 0

    async def run(self) -> None:
        """The batch has ended afterwards. Raises ProviderError: what was stored by then
        is not read again."""
        batch = self._batch
        provider_batch: str = batch.row["provider_batch"]
        lines = {line.custom_id: line for line in await batch.unread_lines() if line.request_hash}
        chunk: list[Read] = []
        async with aclosing(self._endpoint.replies(provider_batch)) as replies:
            async for reply in replies:
                # None: read before, or of an answer that was deleted.
                if line := lines.pop(reply.custom_id, None):
                    chunk.append((line, self._call(line, reply.reply)))
                if len(chunk) == CHUNK:
                    await self._store(chunk)
                    chunk = []
        await self._store(chunk)
        missing = f"{len(lines):,} requests had no reply; their answers are judged by calls."
        await batch.finish(BatchState.ENDED, missing if lines else None)
        await batch.delete_at_provider(self._endpoint)

    def _call(self, line: Line, reply: ChatResponse | ProviderError) -> StoredCall:
        assert line.request_hash
        failed = reply if isinstance(reply, ProviderError) else None
        response = reply if isinstance(reply, ChatResponse) else reply_of(reply)
        row = Held(line.evaluation_id, self._batch.job.workspace_id, line.attempt)
        error = describe(failed) if failed else None
        model = self._batch.model
        return StoredCall(
            *(row, line.request_hash, *model, response, error, line.id),
            batched=True,
            purpose=line.purpose,
        )

    async def _store(self, chunk: Sequence[Read]) -> None:
        """One reply that the table refuses must not take the others with it."""
        if not chunk:
            return
        try:
            await self._commit(chunk)
        except (DataError, IntegrityError):
            if len(chunk) > 1:
                for read in chunk:
                    await self._store([read])
                return
            line, call = chunk[0]
            logger.exception("A reply to evaluation %s could not be stored", line.evaluation_id)
            refused = "internal: the reply could not be stored"
            await self._commit([(line, replace(call, response=None, error=refused))])
        self._read += len(chunk)
        await self._batch.context.progress(self._read, self._batch.row["requests"])

    async def _commit(self, chunk: Sequence[Read]) -> None:
        batch = self._batch
        given = {"workspace_id": batch.job.workspace_id, "batch_id": batch.id}
        calls = [call for _, call in chunk]
        async with batch.context.writing() as session:
            parked = await save_batch_replies(session, calls)
            ids = [line.id for line, _ in chunk]
            await session.execute(queries.MARK_READ, given | {"ids": ids})
            evaluations = [id_ for id_, is_parked in parked.items() if is_parked]
            among = given | {"evaluations": evaluations}
            unread = set(await session.scalars(queries.UNREAD_AMONG, among))
            complete = [
                row
                for row in batch.held(line for line, _ in chunk)
                if parked.get(row.id) and row.id not in unread
            ]
            await release_parked(session, complete, answered=True)
            await session.execute(queries.COUNT_READ, given | _counts(calls, parked))
        for call in calls:
            model = ModelName(call.provider, call.model)
            count_batched(model, call.response, failed=call.error is not None)


def _counts(calls: Sequence[StoredCall], parked: dict[uuid.UUID, bool]) -> dict[str, object]:
    wanted = [call for call in calls if parked.get(call.lease.id)]
    errors = sum(call.error is not None for call in wanted)
    replies = [call.response for call in calls if call.response]
    costs = [reply.cost_usd for reply in replies]
    known = [cost for cost in costs if cost is not None]
    return {
        "stored": len(wanted) - errors,
        "errors": errors,
        "dropped": len(calls) - len(wanted),
        "cost_usd": sum(known, Decimal(0)) if len(known) == len(costs) else None,
    }
