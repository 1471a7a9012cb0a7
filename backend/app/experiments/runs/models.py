"""Tables of runs and their results, and what a run measures."""

import datetime as dt
import enum
import uuid

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.experiments.parts import Owner
from app.experiments.results import UsageColumns
from app.platform.db.base import Base, InOrder
from app.platform.jobs.status import STATUS_KNOWN

# Runs beside the one that is their baseline.
MAX_OTHERS = 6


class EvaluationType(enum.StrEnum):
    """retrieval_only: what the search finds. full_rag: also the answer made from it, judged."""

    RETRIEVAL_ONLY = "retrieval_only"
    FULL_RAG = "full_rag"


class Retrieval(enum.StrEnum):
    """Which search of a run is measured.

    text: full text over chunks. vector: by meaning, over chunks. hybrid: both, by reciprocal rank.
    evidence: the search that /ai/chat answers from, by category, by context or by single words; it
    ranks notes, so at most one chunk of each is found.
    """

    TEXT = "text"
    VECTOR = "vector"
    HYBRID = "hybrid"
    EVIDENCE = "evidence"

    @property
    def needs_vectors(self) -> bool:
        return self in {Retrieval.VECTOR, Retrieval.HYBRID}


class EvalRun(Owner, Base):
    """One measurement of a dataset; `summary` is a RunSummary. `dataset_id` becomes NULL
    when the dataset is deleted; name and version stay."""

    __tablename__ = "eval_runs"
    __table_args__ = (
        Index(None, "workspace_id", "id"),
        CheckConstraint("k BETWEEN 1 AND 50", name="k_range"),
        CheckConstraint(STATUS_KNOWN, name="status_known"),
        CheckConstraint(
            f"evaluation_type IN ({', '.join(repr(t.value) for t in EvaluationType)})",
            name="type_known",
        ),
        CheckConstraint(
            f"retrieval IN ({', '.join(repr(r.value) for r in Retrieval)})",
            name="retrieval_known",
        ),
    )

    name: Mapped[str] = mapped_column(Text)
    dataset_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("eval_datasets.id", ondelete="SET NULL"), index=True
    )
    dataset_name: Mapped[str] = mapped_column(Text)
    dataset_version: Mapped[int]
    k: Mapped[int]
    evaluation_type: Mapped[str] = mapped_column(String(16))
    retrieval: Mapped[str] = mapped_column(String(16), server_default=Retrieval.TEXT.value)
    # NULL where the retrieval uses none.
    embedding_model: Mapped[str | None] = mapped_column(Text)
    answer_model: Mapped[str] = mapped_column(Text)
    judge_model: Mapped[str] = mapped_column(Text)
    # Of the judge; NULL for rules of runs that did not store it yet.
    prompt_version: Mapped[str | None] = mapped_column(Text)
    cases: Mapped[int]


class EvalResult(Base, InOrder, UsageColumns):
    """The result of one test case. Retrieval columns are NULL where the search failed, generation
    columns where nothing was generated. `missing_chunk_ids` no longer exist and count as missed.
    `error` says why a case could not be measured."""

    __tablename__ = "eval_results"

    run_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("eval_runs.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # No foreign key: the result outlives the dataset.
    test_case_id: Mapped[uuid.UUID]
    question: Mapped[str] = mapped_column(Text)
    retrieved_chunk_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    ground_truth_chunk_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    missing_chunk_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    precision: Mapped[float | None]
    recall: Mapped[float | None]
    hit: Mapped[bool | None]
    reciprocal_rank: Mapped[float | None]
    average_precision: Mapped[float | None]
    ndcg: Mapped[float | None]
    generated_answer: Mapped[str | None] = mapped_column(Text)
    faithfulness: Mapped[float | None]
    faithfulness_reasoning: Mapped[str | None] = mapped_column(Text)
    faithfulness_parsed: Mapped[bool | None]
    answer_relevancy: Mapped[float | None]
    answer_relevancy_reasoning: Mapped[str | None] = mapped_column(Text)
    answer_relevancy_parsed: Mapped[bool | None]
    latency_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=text("now()"))
