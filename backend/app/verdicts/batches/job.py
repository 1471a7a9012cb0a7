"""The job at one batch: hands it in, asks how far it is, reads its replies.

Each step is committed before the next one begins, so that another process goes on where one died.
"""

from sqlalchemy.exc import SQLAlchemyError

from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.jobs import ModelJobContext
from app.platform.errors import (
    BatchesNotSupported,
    ConfigurationError,
    ProviderError,
    TransientProviderError,
)
from app.platform.jobs.job import Deferred, Job, NoLongerHeld
from app.verdicts.batches import queries
from app.verdicts.batches.batch import BatchAtWork
from app.verdicts.batches.reading import Reading
from app.verdicts.batches.states import BatchState
from app.verdicts.batches.submitting import submit
from app.verdicts.lifecycle.retry import describe

# What a deferred job waits for; see Deferred.
RUNNING, PROVIDER = "batch_running", "batch_provider"
WAITS = (RUNNING, PROVIDER, "batch_submitting")
POLL_GROWTH, MAX_POLL_FACTOR = 1.5, 20.0
# A provider that is full takes the next batch after so many poll intervals.
FULL_POLLS = 20.0


async def judge_batch(job: Job, context: ModelJobContext) -> None:
    """Ends with the batch. A batch that cannot go on fails, and its answers are judged by calls."""
    batch = await BatchAtWork.of(job, context)
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
    told = str(error) if isinstance(error, BatchesNotSupported) else describe(error)
    may_pass = isinstance(error, TransientProviderError) or (
        batch.row["submitting_at"] and isinstance(error, ConfigurationError)
    )
    if may_pass and not batch.row["lost"]:
        raise Deferred(PROVIDER, told, max(error.retry_after or 0, _pause(batch)))
    await batch.finish(BatchState.FAILED, told)


async def _poll(batch: BatchAtWork, endpoint: BatchEndpoint) -> None:
    """The batch is being read afterwards, or has ended. Raises Deferred while it runs."""
    provider_batch: str = batch.row["provider_batch"]
    status = await endpoint.status(provider_batch)
    if status.state == "unknown" and batch.settles_in:
        raise Deferred(PROVIDER, f"{status.error} It was only just created.", _pause(batch))
    async with batch.context.writing() as session:
        counts = {"done": status.done, "failed": status.failed}
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
        told = status.error or "The provider gave no reason."
        await batch.finish(BatchState.FAILED, told, retry_in=retry_in)
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
