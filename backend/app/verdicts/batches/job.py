"""The job of one batch: submits it, polls it, reads its replies.

Each step is committed before the next one begins, so that another process resumes where one died.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from app.ai_router.batches.protocol import BatchEndpoint, BatchLine
from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import ChatRequest, ProviderRequest
from app.platform.db.session import in_workspace
from app.platform.errors import (
    BatchesNotSupported,
    BatchTooLarge,
    ConfigurationError,
    ProviderError,
    TransientProviderError,
)
from app.platform.ids import new_id
from app.platform.jobs.job import Deferred, Job, NoLongerHeld
from app.platform.processes.calls import LimitExceeded
from app.verdicts.batches import queries
from app.verdicts.batches.batch import BatchAtWork, Line, Reading
from app.verdicts.batches.models import BatchState
from app.verdicts.judging.in_memory import FirstRequests
from app.verdicts.lifecycle.outcome import Held
from app.verdicts.lifecycle.parking import parked_leases, put_back, release_parked
from app.verdicts.lifecycle.retry import describe

logger = logging.getLogger(__name__)

# Rows whose texts are in memory together.
CHUNK = 100


@dataclass(frozen=True, slots=True)
class Rendered:
    """The requests of one row, one for each line."""

    row: Held
    lines: Sequence[Line]
    requests: Sequence[BatchLine]

    def size(self, endpoint: BatchEndpoint) -> int:
        return sum(map(endpoint.size, self.requests))


async def submit(batch: BatchAtWork, endpoint: BatchEndpoint) -> None:
    """The batch is running afterwards, or has ended. Raises ProviderError, and Deferred while it is
    not known whether the provider has it."""
    if batch.row["submitting_at"] and (created := await _created(batch, endpoint)):
        logger.info("Batch %s was created as %s before its process ended", batch.id, created)
        await _set_running(batch, created)
        return
    if unwanted := batch.unwanted:
        await batch.finish(BatchState.CANCELLED, f"Not handed in: {unwanted}.")
        return
    rendered = await _rendered(batch)
    while handed_in := await _prepared(batch, endpoint, rendered):
        lines = [line for row in handed_in for line in row.requests]
        try:
            file_id = await endpoint.upload(lines)
            created = await endpoint.create(str(batch.id), file_id, lines)
        except BatchTooLarge as error:
            if len(handed_in) == 1:
                await batch.finish(BatchState.FAILED, str(error))
                return
            rendered = await _halve(batch, handed_in)
            continue
        await _set_running(batch, created)
        return
    if await batch.reload():
        why = f"Not handed in: {batch.unwanted or 'none of its answers takes a request'}."
        await batch.finish(BatchState.CANCELLED, why)


async def _created(batch: BatchAtWork, endpoint: BatchEndpoint) -> str | None:
    """The provider's id of what an earlier process has created, if it has."""
    if left := batch.settles_in:
        raise Deferred("batch_submitting", "it may not be in the provider's list yet", left)
    lines = await batch.unread_lines()
    # Known by their ids; what they ask is of no account here.
    asked = _addressed(batch, ChatRequest((), 0, 1))
    handed_in = [BatchLine(line.custom_id, asked) for line in lines if line.request_hash]
    async with batch.context.sessions() as session:
        known = set(await session.scalars(queries.KNOWN))
    return await endpoint.find(str(batch.id), batch.row["submitting_at"], handed_in, known)


async def _rendered(batch: BatchAtWork) -> Sequence[Rendered]:
    """The rows that are still in the batch, with what their judge would ask. Those that take no
    request, or whose texts are too much for the rules beside it, are left to the worker that judges
    them."""
    rows = batch.held(await batch.unread_lines())
    first = FirstRequests(batch.context.settings, batch.context.providers)
    found: list[Rendered] = []
    without: list[Held] = []
    for start in range(0, len(rows), CHUNK):
        async with in_workspace(batch.context.sessions, batch.job.workspace_id) as session:
            leases = await parked_leases(session, rows[start : start + CHUNK])
        for lease in leases:
            try:
                requests = await first.capture(lease, batch.model)
            except LimitExceeded:
                requests = {}
            row = Held(lease.id, lease.workspace_id, lease.attempt)
            found.append(_render(batch, row, requests)) if requests else without.append(row)
            await asyncio.sleep(0)
    if without:
        async with batch.context.writing() as session:
            await batch.drop(session, without)
            await release_parked(session, without)
    return found


def _render(batch: BatchAtWork, row: Held, requests: Mapping[str, ChatRequest]) -> Rendered:
    lines = [
        Line(new_id(), row.id, row.attempt, position, request_hash, request.purpose)
        for position, (request_hash, request) in enumerate(requests.items())
    ]
    asked = (_addressed(batch, request) for request in requests.values())
    handed_in = [
        BatchLine(line.custom_id, request) for line, request in zip(lines, asked, strict=True)
    ]
    return Rendered(row, lines, handed_in)


def _addressed(batch: BatchAtWork, request: ChatRequest) -> ProviderRequest:
    seconds = batch.context.settings.judge.deadline_seconds
    return ProviderRequest.from_chat(request, batch.model.model, seconds)


async def _prepared(
    batch: BatchAtWork, endpoint: BatchEndpoint, rendered: Sequence[Rendered]
) -> Sequence[Rendered]:
    """Those of which the batch has room for all lines, noted as being handed in; the others wait
    for the next batch, and what no batch takes is judged by calls. Nothing when there are none,
    or the batch was cancelled."""
    fit: list[Rendered] = []
    others: list[Held] = []
    too_large: list[Held] = []
    lines, size = endpoint.limits.lines, endpoint.limits.size
    for row in rendered:
        needed = row.size(endpoint)
        if needed > endpoint.limits.size or len(row.lines) > endpoint.limits.lines:
            too_large.append(row.row)
        elif needed > size or len(row.lines) > lines:
            others.append(row.row)
        else:
            lines, size = lines - len(row.lines), size - needed
            fit.append(row)
    async with batch.context.writing() as session:
        await batch.drop(session, [*others, *too_large])
        await put_back(session, others)
        await release_parked(session, too_large)
        await batch.set_lines(session, [line for row in fit for line in row.lines])
        requests = sum(len(row.lines) for row in fit)
        given = batch.key | {"requests": requests, "answers": len(fit)}
        if await session.scalar(queries.SUBMITTING, given) is None:
            return ()
    return fit


async def _halve(batch: BatchAtWork, rendered: Sequence[Rendered]) -> Sequence[Rendered]:
    """The provider takes less than it says: half of the rows wait for the next batch."""
    middle = len(rendered) // 2
    others = [row.row for row in rendered[middle:]]
    async with batch.context.writing() as session:
        await batch.drop(session, others)
        await put_back(session, others)
    return rendered[:middle]


async def _set_running(batch: BatchAtWork, created: str) -> None:
    async with batch.context.writing() as session:
        await session.execute(queries.RUNNING, batch.key | {"provider_batch": created})
    await batch.reload()


# What a deferred job waits for; see Deferred.
RUNNING, PROVIDER = "batch_running", "batch_provider"
WAITS = (RUNNING, PROVIDER, "batch_submitting")
POLL_GROWTH, MAX_POLL_FACTOR = 1.5, 20.0
# A provider that is full takes the next batch after so many poll intervals.
FULL_POLLS = 20.0


async def judge_batch(job: Job, context: ModelJobContext) -> None:
    """Ends with the batch. A batch that cannot go on fails, and its answers are judged by calls."""
    batch = await BatchAtWork.load(job, context)
    if batch is None:
        return
    try:
        await _work(batch)
    except (NoLongerHeld, Deferred, SQLAlchemyError):
        raise
    except Exception as error:
        await batch.finish(BatchState.FAILED, f"Internal error: {type(error).__name__}.")
        raise


async def _work(batch: BatchAtWork) -> None:
    try:
        endpoint = batch.endpoint
        if batch.state is BatchState.SUBMITTING:
            await submit(batch, endpoint)
        if batch.state is BatchState.RUNNING:
            await _poll(batch, endpoint)
        if batch.state is BatchState.READING:
            await Reading(batch, endpoint).run()
    except ProviderError as error:
        await _after_error(batch, error)


async def _after_error(batch: BatchAtWork, error: ProviderError) -> None:
    """What is with the provider already, or may be, is worth waiting for, whatever is wrong for
    now."""
    reason = str(error) if isinstance(error, BatchesNotSupported) else describe(error)
    may_pass = isinstance(error, TransientProviderError) or (
        batch.row["submitting_at"] and isinstance(error, ConfigurationError)
    )
    if may_pass and not batch.row["lost"]:
        raise Deferred(PROVIDER, reason, max(error.retry_after or 0, _pause(batch)))
    await batch.finish(BatchState.FAILED, reason)


async def _poll(batch: BatchAtWork, endpoint: BatchEndpoint) -> None:
    """The batch is being read afterwards, or has ended. Raises Deferred while it runs."""
    provider_batch: str = batch.row["provider_batch"]
    status = await endpoint.status(provider_batch)
    if status.state == "unknown" and batch.settles_in:
        raise Deferred(PROVIDER, f"{status.error} It was only just created.", _pause(batch))
    async with batch.context.writing() as session:
        counts = {"done": status.done, "failed": status.failed, "warning": status.warning}
        await session.execute(queries.POLLED, batch.key | counts)
    if status.state == "running":
        if batch.row["lost"]:
            await batch.finish(BatchState.FAILED, "The provider did not end it in time.")
            return
        if batch.unwanted:
            await endpoint.cancel(provider_batch)
        answered = f"{status.done + status.failed} of {status.total} requests answered"
        raise Deferred(RUNNING, answered, _pause(batch))
    if status.state in {"failed", "unknown"}:
        retry_in = (
            FULL_POLLS * batch.context.settings.batches.poll_seconds if status.later else None
        )
        reason = status.error or "The provider gave no reason."
        await batch.finish(BatchState.FAILED, reason, retry_in=retry_in)
        if status.state == "failed":
            await batch.delete_at_provider(endpoint)
    else:
        async with batch.context.writing() as session:
            await session.execute(queries.READING, batch.key)
    await batch.reload()


def _pause(batch: BatchAtWork) -> float:
    """Seconds until it is worth asking again: longer each time, unless it is to be cancelled."""
    first = batch.context.settings.batches.poll_seconds
    if batch.unwanted:
        return first
    factor: float = POLL_GROWTH ** min(batch.row["polls"], 20)
    return first * min(factor, MAX_POLL_FACTOR)
