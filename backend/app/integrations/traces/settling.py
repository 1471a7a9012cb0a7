"""Turns traces whose spans have arrived into answers."""

import datetime as dt
import logging
import traceback
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from app.integrations.traces import queries
from app.integrations.traces.body import MAX_SPANS_PER_TRACE
from app.integrations.traces.grouping import Outcome, PriorAnswers, Settled, TracedAnswer, settle
from app.integrations.traces.intake import Counted, CountKey, add_counts
from app.integrations.traces.spans import KeptSpan, span_of
from app.platform.db.pool import Connection, Pool
from app.text.language import detect_language
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.lifecycle.service import insert_finished
from app.verdicts.policy.evaluation_policy import EvaluationPolicy

logger = logging.getLogger(__name__)

ORIGIN = "otlp"
# Locked together, and committed together.
BATCH = 50


@dataclass(frozen=True, slots=True)
class _Due:
    """outcome, settled_on: of the last time that it was settled; None before the first."""

    workspace_id: uuid.UUID
    trace_id: str
    outcome: str | None
    settled_on: dt.date | None
    before: PriorAnswers

    @property
    def key(self) -> dict[str, object]:
        return {"workspace_id": self.workspace_id, "trace_id": self.trace_id}


@dataclass(slots=True)
class Settling:
    """Settles due traces on a pool of the tables' owner or of workers. policy: the server's. Two
    may run at once."""

    pool: Pool
    policy: EvaluationPolicy
    batch: int = BATCH
    _counts: Counter[CountKey] = field(default_factory=Counter)

    async def settle_due(self) -> int:
        """One transaction: answers with their evaluations, and what has come of their traces. A
        crash leaves nothing by halves, and the traces due. Returns how many were settled. Raises
        psycopg.OperationalError."""
        self._counts.clear()
        async with self.pool.connection() as connection, connection.transaction():
            found = await connection.execute(queries.CLAIM_DUE, {"limit": self.batch})
            due = [
                _Due(
                    workspace_id,
                    trace_id,
                    outcome,
                    day,
                    PriorAnswers(frozenset(inner), frozenset(outer)),
                )
                for workspace_id, trace_id, outcome, day, inner, outer in await found.fetchall()
            ]
            for trace in due:
                await self._settle(connection, trace)
            await add_counts(connection, self._counts)
        return len(due)

    async def _settle(self, connection: Connection, trace: _Due) -> None:
        cursor = await connection.execute(
            queries.SPANS_OF, {**trace.key, "limit": MAX_SPANS_PER_TRACE}
        )
        rows = await cursor.fetchall()
        spans: list[KeptSpan] = []
        try:
            spans = [span_of(row) for row in rows]
            settled = settle(spans, trace.before)
            async with connection.transaction():
                for answer in settled.answers:
                    await insert_finished(connection, self.policy, _finished(trace, answer))
        except psycopg.OperationalError:
            raise
        except Exception as error:  # noqa: BLE001  one trace must not hold up all others for good
            # Without its message, which may quote texts.
            places = "".join(traceback.format_tb(error.__traceback__))
            logger.error("Trace %s: %s\n%s", trace.trace_id, type(error).__name__, places)  # noqa: TRY400
            settled = Settled(Outcome.FAILED)
        await self._finish(connection, trace, spans, settled)

    async def _finish(
        self, connection: Connection, trace: _Due, spans: Sequence[KeptSpan], settled: Settled
    ) -> None:
        self._count(trace, settled)
        if settled.outcome is Outcome.NOT_GENAI:
            await connection.execute(queries.DELETE_TRACE, trace.key)
            return
        members = [span_id for answer in settled.answers for span_id in answer.members]
        gone = {*members, *settled.late}
        remain = any(span.kind and span.span_id not in gone for span in spans)
        await connection.execute(
            queries.FINISH,
            {
                **trace.key,
                "outcome": settled.outcome,
                "answers": len(settled.answers),
                "members": members,
                "outer": list(settled.outer),
                "consumed": list(gone) if remain else [span.span_id for span in spans],
                "spans_kept": remain or settled.outcome is Outcome.FAILED,
            },
        )

    def _count(self, trace: _Due, settled: Settled) -> None:
        """A trace is counted by its last outcome, on the day on which that was found."""
        workspace_id = trace.workspace_id
        self._counts[CountKey(workspace_id, Counted.ANSWERS)] += len(settled.answers)
        self._counts[CountKey(workspace_id, Counted.LATE_SPANS)] += len(settled.late)
        self._counts[CountKey(workspace_id, settled.outcome)] += 1
        if trace.outcome:
            self._counts[CountKey(workspace_id, trace.outcome, trace.settled_on)] -= 1


def _finished(trace: _Due, traced: TracedAnswer) -> FinishedAnswer:
    return FinishedAnswer(
        workspace_id=trace.workspace_id,
        question=traced.question,
        answer=traced.answer,
        lang=detect_language(traced.question),
        feature="search_qa",
        origin=ORIGIN,
        from_notes=True,
        sources=[
            AnswerSource(document.title or f"Note {index}", document.content, score=document.score)
            for index, document in enumerate(traced.documents, start=1)
        ],
        provider=traced.provider,
        model=traced.model,
        prompt_tokens=traced.prompt_tokens,
        completion_tokens=traced.completion_tokens,
        # No caller's key has a blank in it.
        idempotency_key=f"otlp {trace.trace_id} {traced.span_id}",
        request_hash=ORIGIN,
        traceparent=f"00-{trace.trace_id}-{traced.span_id}-01",
    )
