"""The one asyncio loop of a worker process: all of its calls run here, side by side."""

import asyncio
import logging
import uuid
from collections.abc import Collection, Sequence
from contextlib import suppress
from time import monotonic, perf_counter
from typing import Any

import psycopg

from app.ai_router.providers.forms import PartsInDatabase
from app.ai_router.router import Providers
from app.answering.refine.automatic import automatic_refinement
from app.judges.judge_names import takes_prompts
from app.operations.system.endings import keep_asking
from app.operations.system.presence import ProcessKind, Report, present
from app.platform.broker import Queue
from app.platform.db.pool import create_pool, end_task
from app.platform.errors import ConfigurationError
from app.platform.metrics import IN_FLIGHT, REAPED, WAITING
from app.platform.settings import Settings
from app.platform.spans import span
from app.verdicts.judging.context import JudgingContext
from app.verdicts.judging.judging import Judging
from app.verdicts.judging.limited_router import LimitedRouter
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.outcome import Lease, NextStep, Outcome, Release
from worker.admission import Admission, NoRoom, Place
from worker.allowances import Allowances, limit_recorder, shared_limits
from worker.attempts import (
    LOST,
    NOT_CLAIMABLE,
    RELEASED,
    End,
    attempt_span,
    count_attempt,
    end_of,
    summarize,
)
from worker.batched_lifecycle import BatchedLifecycle
from worker.loop_thread import IdLoop, LoopStopping, TaskOutcome
from worker.places import Group
from worker.predecessor import WorkerPlace

logger = logging.getLogger(__name__)

# How long a judge counts as at work after its last claim.
_CLAIMS_SECONDS = 3600.0


class JudgeLoop(IdLoop):
    """Claims, replies and records of all tasks are coalesced, so that answers published one by
    one cost what batches cost. queues: served by this process.
    """

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        queues: Collection[str] = frozenset(Queue),
    ) -> None:
        super().__init__("judge-loop")
        self._settings = settings
        self._queues = queues
        self._database_url = database_url
        self._entering: set[uuid.UUID] = set()
        self._in_flight: set[asyncio.Task[End]] = set()
        self._judgings: set[asyncio.Task[Any]] = set()
        self._claimed_at: dict[str, float] = {}
        self._releasing = False

    async def _open(self) -> None:
        pool = create_pool(self._database_url, name="judging", plan_once=True)
        await self._resources.enter_async_context(pool)
        await self._resources.enter_async_context(
            present(
                *(pool, self._settings, ProcessKind.WORKER),
                queues=self._queues,
                report=self._report,
            )
        )
        limits = shared_limits(self._settings)
        self._resources.push_async_callback(limits.aclose)
        await limits.load(learned=self._settings.judge.learn_limits)
        if takes_prompts(self._settings.judge.model):
            limits.track(self._settings.judge.model)
        providers = Providers(
            self._settings,
            on_reply=limit_recorder(limits, self._settings),
            parts=PartsInDatabase(pool),
        )
        with suppress(ConfigurationError):  # its rows wait and say so
            # The first answer need not wait until the clients of HTTP are imported.
            if takes_prompts(self._settings.judge.model):
                providers.form(self._settings.judge.model)
        self._resources.push_async_callback(providers.aclose)
        if Queue.BULK in self._queues:
            asking = asyncio.create_task(keep_asking(providers, pool, self._settings))
            self._resources.push_async_callback(end_task, asking)
        lifecycle = VerdictLifecycle(pool, self._settings, automatic_refinement(self._settings))
        self._lifecycle = BatchedLifecycle(lifecycle, self._queues, limits.models)
        self._resources.push_async_callback(self._lifecycle.aclose)
        self._admission = Admission(
            self._settings,
            look=self._lifecycle.look,
            unpublish=lifecycle.unpublish,
            allowances=Allowances(limits),
        )
        IN_FLIGHT.source = self._admission.in_flight
        WAITING.source = self._admission.waiting
        self._judging = Judging(
            JudgingContext(
                self._settings,
                router_for=lambda model: LimitedRouter(
                    providers.router(model, deadline=self._settings.judge.deadline_seconds), limits
                ),
                save_reply=self._lifecycle.save_reply,
                load_replies=self._lifecycle.load_replies,
                find_reply=self._lifecycle.find_reply,
                context_of=providers.context_tokens,
            )
        )
        place = self._settings.stack.heartbeat_file
        try:
            if place:
                await self._succeed(WorkerPlace(place.with_name(f"{place.name}.worker")), lifecycle)
            # Probe paused judges: a restart may have fixed them.
            await lifecycle.probe_soon()
        except psycopg.Error as error:
            logger.warning("PostgreSQL is not there yet (%s)", error)

    async def _succeed(self, place: WorkerPlace, lifecycle: VerdictLifecycle) -> None:
        """What earlier workers of this place held need not wait for the end of its leases."""
        self._resources.callback(place.leave)
        freed = False
        try:
            if place.earlier and (ended := await lifecycle.reap(place.earlier)):
                REAPED.labels("verdict").inc(ended)
                logger.warning("The worker before this one died with %d evaluations", ended)
            freed = True
        finally:
            place.take(lifecycle.worker_id, freed=freed)

    async def _report(self) -> Report:
        # As many judges as are at work, not all that this process has ever claimed for.
        since = monotonic() - _CLAIMS_SECONDS
        self._claimed_at = {judge: at for judge, at in self._claimed_at.items() if at > since}
        claims = {judge: monotonic() - at for judge, at in self._claimed_at.items()}
        return Report(in_flight=len(self._judgings), claims=claims)

    async def _drain(self, grace: float) -> None:
        self._admission.stop()
        if self._in_flight:
            await asyncio.wait(self._in_flight, timeout=grace)
        self._releasing = True
        self._lifecycle.stop_retrying()
        for judging in self._judgings:
            judging.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    async def _run(self, ids: Sequence[uuid.UUID]) -> TaskOutcome:
        if not ids:
            return TaskOutcome("nothing")
        tasks = [asyncio.create_task(self._judge_one(id_)) for id_ in ids]
        self._in_flight.update(tasks)
        for task in tasks:
            task.add_done_callback(self._in_flight.discard)
        done, late = await asyncio.wait(tasks, timeout=self._settings.judge.task_limit_seconds)
        for task in late:
            task.add_done_callback(_log_error)
        # Raised with the traceback that it had in its task, though others share the error.
        ends = [task.result() for task in done]
        return summarize(ends + [End("still being judged")] * len(late))

    async def _judge_one(self, id_: uuid.UUID) -> End:
        """How the attempt at it ended."""
        try:
            place = await self._place_for(id_)
            if place is None:
                return End(NOT_CLAIMABLE)
            began = perf_counter()
            lease = await self._claim(id_, place)
        except NoRoom:
            return End(RELEASED)
        except LoopStopping:
            await self._lifecycle.unpublish(id_)
            return End(RELEASED)
        if lease is None:
            return End(NOT_CLAIMABLE)
        claimed = perf_counter()
        with attempt_span(lease, claiming=claimed - began) as recording:
            outcome = await self._outcome(lease, place)
            with span("record"):
                recorded = await self._lifecycle.record(lease, outcome)
            end = end_of(lease, outcome) if recorded else End(LOST)
            recording.set_attributes({"searchqa.end": end.what})
        count_attempt(lease, outcome, perf_counter() - claimed, recorded=recorded)
        if not recorded:
            logger.warning("Evaluation %s: attempt %d had lost its lease", lease.id, lease.attempt)
        elif isinstance(outcome, NextStep):
            # Its message is still here, so the next judge need not wait for the dispatcher.
            return await self._judge_one(id_)
        return end

    async def _claim(self, id_: uuid.UUID, place: Place) -> Lease | None:
        """Leaves the place of a row that cannot be claimed."""
        lease: Lease | None = None
        try:
            if self._stopping:
                raise LoopStopping
            lease = await self._lifecycle.claim(id_)
        finally:
            if lease is None:
                place.leave()
            else:
                self._claimed_at[lease.judge_model] = monotonic()
        return lease

    async def _place_for(self, id_: uuid.UUID) -> Place | None:
        """None for an id that waits already, brought by another message."""
        if id_ in self._entering:
            return None
        self._entering.add(id_)
        try:
            return await self._admission.enter(id_)
        finally:
            self._entering.discard(id_)

    async def _outcome(self, lease: Lease, place: Place) -> Outcome:
        task = asyncio.current_task()
        assert task
        try:
            if not await place.begin():
                return Release()
            self._judgings.add(task)
            if self._releasing or not place.belongs_to(
                Group(lease.judge_model, lease.workspace_id)
            ):
                return Release()
            return await self._judging.judge(lease)
        except asyncio.CancelledError:
            # By `_drain`, and for the judging alone: the row is still to be released.
            task.uncancel()
            return Release()
        finally:
            self._judgings.discard(task)
            # The next one need not wait until this one is recorded.
            place.leave()


def _log_error(task: asyncio.Task[End]) -> None:
    if not task.cancelled() and (error := task.exception()):
        logger.error("An evaluation was left to its lease", exc_info=error)
