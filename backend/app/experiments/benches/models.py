"""Tables of judge benches."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.experiments.parts import Owner
from app.experiments.results import UsageColumns
from app.platform.db.base import Base, InOrder, InWorkspace
from app.platform.jobs.status import STATUS_KNOWN

# Places in an answer: [[start, end], …]; NULL where not labelled, [] where there are none.
_SPANS = JSONB(none_as_null=True)


class JudgeBench(Owner, Base):
    """Judges to be measured on labelled answers. `source` is `file` or `feedback`, `rejected` the
    lines that could not be used. A correctness below `threshold` says "hallucinated". `frame`, a
    BenchFrame, is what the labels stand for; NULL unless their answers were drawn at random.
    `summary` is a BenchSummary."""

    __tablename__ = "judge_benches"
    __table_args__ = (
        Index(None, "workspace_id", "id"),
        CheckConstraint("source IN ('file', 'feedback')", name="source_known"),
        CheckConstraint(STATUS_KNOWN, name="status_known"),
        CheckConstraint("threshold BETWEEN 0 AND 1", name="threshold_range"),
    )

    name: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(16))
    judges: Mapped[list[str]] = mapped_column(ARRAY(Text))
    threshold: Mapped[float]
    # Whether models are also asked which claims nothing supports, a second call.
    judge_spans: Mapped[bool]
    # How many labelled answers there were, of which `items` were drawn with `seed`.
    available: Mapped[int]
    seed: Mapped[int]
    items: Mapped[int]
    hallucinated: Mapped[int]
    rejected: Mapped[list[dict[str, Any]]]
    frame: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


class JudgeBenchItem(Base, InOrder):
    """A labelled answer of a bench. `ref` is its id in the file, its line, or its answer's id;
    `cell` its place in the cells of the bench's frame."""

    __tablename__ = "judge_bench_items"

    bench_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("judge_benches.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    ref: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    passages: Mapped[list[str]] = mapped_column(ARRAY(Text))
    answer: Mapped[str] = mapped_column(Text)
    hallucinated: Mapped[bool]
    grade: Mapped[float | None]
    spans: Mapped[list[Any] | None] = mapped_column(_SPANS)
    lang: Mapped[str] = mapped_column(String(2))
    cell: Mapped[int | None]


class JudgeBenchResult(Base, InWorkspace, UsageColumns):
    """The result of one judge on one answer: a score, the correctness from 0 to 1, or an error.
    `hallucinated` is the label, `predicted` what the score says at the bench's threshold.
    `confidence` is the level of the verdict: high, medium or low; NULL in older results. `made_by`
    is who gave a stored verdict."""

    __tablename__ = "judge_bench_results"
    __table_args__ = (
        CheckConstraint("(score IS NULL) = (error IS NOT NULL)", name="score_or_error"),
        CheckConstraint("score BETWEEN 0 AND 1", name="score_range"),
    )

    bench_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("judge_benches.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    judge: Mapped[str] = mapped_column(Text, primary_key=True)
    hallucinated: Mapped[bool]
    score: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(String(8))
    predicted: Mapped[bool | None]
    spans: Mapped[list[Any] | None] = mapped_column(_SPANS)
    latency_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    made_by: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=text("now()"))
