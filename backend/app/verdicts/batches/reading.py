"""Reads the replies of a batch line by line, each stored before anything is made of it."""

import logging
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal

from sqlalchemy.exc import DataError, IntegrityError

from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.call_telemetry import count_batched
from app.ai_router.types import ChatResponse, ModelName
from app.platform.errors import ProviderError
from app.verdicts.batches import queries
from app.verdicts.batches.batch import BatchAtWork, Line
from app.verdicts.batches.states import BatchState
from app.verdicts.judging.reply_cache import reply_of
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.parking import Held, release_parked, save_batch_replies
from app.verdicts.lifecycle.retry import describe

logger = logging.getLogger(__name__)

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
