"""Turns traces whose spans have arrived into answers."""

import datetime as dt
import logging
import traceback
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from pydantic_core import to_json

from app.integrations.traces.grouping import Outcome, PriorAnswers, Settled, TracedAnswer, settle
from app.integrations.traces.intake import (
    CLAIM_DUE,
    FINISH,
    SPANS_OF,
    Counted,
    CountKey,
    add_counts,
)
from app.integrations.traces.spans import KeptSpan, span_of
from app.platform.db.pool import Connection, Pool
from app.text.language import detect_language
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.lifecycle.service import insert_finished
from app.verdicts.policy.evaluation_policy import EvaluationPolicy

logger = logging.getLogger(__name__)

ORIGIN = "otlp"
# Locked together, and committed together.
BATCH = 500
# Of spans that are read together, unless one trace has more.
_SET_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class _Due:
    """outcome, settled_on: of the last time that it was settled; None before the first."""

    workspace_id: uuid.UUID
    trace_id: str
    outcome: str | None
    settled_on: dt.date | None
    content_bytes: int
    before: PriorAnswers

    @property
    def key(self) -> tuple[uuid.UUID, str]:
        return self.workspace_id, self.trace_id


@dataclass(slots=True)
class Settling:
    """Settles due traces, workspaces in turn, on a pool of the tables' owner or of workers. policy:
    the server's. Two may run at once."""

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
            found = await connection.execute(CLAIM_DUE, {"limit": self.batch})
            due = [
                _Due(
                    *(workspace_id, trace_id, outcome, day, size),
                    PriorAnswers(frozenset(inner), frozenset(outer)),
                )
                for workspace_id, trace_id, outcome, day, size, inner, outer in (
                    await found.fetchall()
                )
            ]
            for traces in _sets(due):
                await self._settle(connection, traces)
            await add_counts(connection, self._counts)
        return len(due)

    async def _settle(self, connection: Connection, traces: Sequence[_Due]) -> None:
        given = {
            "workspaces": [trace.workspace_id for trace in traces],
            "traces": [trace.trace_id for trace in traces],
        }
        # Planned for each set: the tables may have been empty when a plan was kept.
        cursor = await connection.execute(SPANS_OF, given, prepare=False)
        rows: dict[tuple[uuid.UUID, str], list[Sequence[Any]]] = defaultdict(list)
        for workspace_id, trace_id, *row in await cursor.fetchall():
            rows[workspace_id, trace_id].append(row)
        finished = [await self._settle_one(connection, trace, rows[trace.key]) for trace in traces]
        given = {"finished": to_json(finished).decode()}
        await connection.execute(FINISH, given, prepare=False)

    async def _settle_one(
        self, connection: Connection, trace: _Due, rows: Sequence[Sequence[Any]]
    ) -> dict[str, object]:
        """Stores the answers of a trace. Returns what FINISH is given of it."""
        spans: list[KeptSpan] = []
        try:
            spans = [span_of(row) for row in rows]
            settled = settle(spans, trace.before)
            if settled.answers:
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
        self._count(trace, settled)
        members = [span_id for answer in settled.answers for span_id in answer.members]
        gone = {*members, *settled.late}
        remain = any(span.kind and span.span_id not in gone for span in spans)
        return {
            "workspace_id": trace.workspace_id,
            "trace_id": trace.trace_id,
            "outcome": settled.outcome,
            "answers": len(settled.answers),
            "members": members,
            "outer": settled.outer,
            "consumed": list(gone) if remain else [span.span_id for span in spans],
            "spans_kept": remain or settled.outcome is Outcome.FAILED,
        }

    def _count(self, trace: _Due, settled: Settled) -> None:
        """A trace is counted by its last outcome, on the day on which that was found."""
        workspace_id = trace.workspace_id
        self._counts[CountKey(workspace_id, Counted.ANSWERS)] += len(settled.answers)
        self._counts[CountKey(workspace_id, Counted.LATE_SPANS)] += len(settled.late)
        self._counts[CountKey(workspace_id, settled.outcome)] += 1
        if trace.outcome:
            self._counts[CountKey(workspace_id, trace.outcome, trace.settled_on)] -= 1


def _sets(due: Sequence[_Due]) -> Iterator[list[_Due]]:
    """Traces whose spans are read together."""
    traces: list[_Due] = []
    size = 0
    for trace in due:
        if traces and size + trace.content_bytes > _SET_BYTES:
            yield traces
            traces, size = [], 0
        traces.append(trace)
        size += trace.content_bytes
    if traces:
        yield traces


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
        attributes=traced.attributes,
        history=traced.history or None,
    )
