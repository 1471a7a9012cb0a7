"""Tables of benches, datasets, trials, successions and runs."""

import datetime as dt
import enum
import uuid
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.experiments.parts import Owner, UsageColumns
from app.platform.db.base import Base, InOrder, InWorkspace, Keyed, KeyedInWorkspace, foreign_key
from app.platform.db.statements import in_list
from app.platform.jobs.status import STATUS_KNOWN

# Places in an answer: [[start, end], …]; NULL where not labelled, [] where there are none.
_SPANS = JSONB(none_as_null=True)


class JudgeBench(Owner, Base):
    """Judges to be measured on labelled answers. `source` is `file` or `feedback`, `rejected` the
    lines that could not be used. A correctness below `threshold` says "hallucinated". `frame`, a
    BenchFrame, is what the labels stand for; NULL unless their answers were drawn at random.
    `summary` is a BenchSummary. `learning`, a Learning, is what it was made to show."""

    __tablename__ = "judge_benches"
    __table_args__ = (
        sa.Index(None, "workspace_id", "id"),
        sa.CheckConstraint("source IN ('file', 'feedback')", name="source_known"),
        sa.CheckConstraint(STATUS_KNOWN, name="status_known"),
        sa.CheckConstraint("threshold BETWEEN 0 AND 1", name="threshold_range"),
    )

    name: Mapped[str] = mapped_column(sa.Text)
    source: Mapped[str] = mapped_column(sa.String(16))
    judges: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    threshold: Mapped[float]
    # Whether models are also asked which claims nothing supports, a second call.
    judge_spans: Mapped[bool]
    # How often a model judges each answer.
    repeats: Mapped[int] = mapped_column(server_default=sa.text("1"))
    # How many labelled answers there were, of which `items` were drawn with `seed`.
    available: Mapped[int]
    seed: Mapped[int]
    items: Mapped[int]
    hallucinated: Mapped[int]
    rejected: Mapped[list[dict[str, Any]]]
    frame: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    learning: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    # References of the workspace's own that were in force when it began.
    criteria: Mapped[list[str] | None] = mapped_column(sa.ARRAY(sa.Text))


class JudgeBenchItem(Base, InOrder):
    """A labelled answer of a bench. `ref` is its id in the file, its line, or its answer's id;
    `cell` its place in the cells of the bench's frame."""

    __tablename__ = "judge_bench_items"

    bench_id: Mapped[uuid.UUID] = foreign_key("judge_benches.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    ref: Mapped[str] = mapped_column(sa.Text)
    question: Mapped[str] = mapped_column(sa.Text)
    passages: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    answer: Mapped[str] = mapped_column(sa.Text)
    hallucinated: Mapped[bool]
    grade: Mapped[float | None]
    spans: Mapped[list[Any] | None] = mapped_column(_SPANS)
    lang: Mapped[str] = mapped_column(sa.String(2))
    cell: Mapped[int | None]


class JudgeBenchResult(Base, InWorkspace, UsageColumns):
    """The result of one judge on one answer: a score, the correctness from 0 to 1, or an error.
    `hallucinated` is the label, `predicted` what the score says at the bench's threshold.
    `confidence` is the level of the verdict: high, medium or low; NULL in older results. `decided`
    is false where rules could not tell. `made_by` is who gave a stored verdict. `scores`: of all
    repeats, the first of which is `score`; NULL where there is one."""

    __tablename__ = "judge_bench_results"
    __table_args__ = (
        sa.CheckConstraint("(score IS NULL) = (error IS NOT NULL)", name="score_or_error"),
        sa.CheckConstraint("score BETWEEN 0 AND 1", name="score_range"),
    )

    bench_id: Mapped[uuid.UUID] = foreign_key("judge_benches.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    judge: Mapped[str] = mapped_column(sa.Text, primary_key=True)
    hallucinated: Mapped[bool]
    score: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(sa.String(8))
    decided: Mapped[bool | None]
    predicted: Mapped[bool | None]
    spans: Mapped[list[Any] | None] = mapped_column(_SPANS)
    scores: Mapped[list[float | None] | None] = mapped_column(sa.ARRAY(sa.Float))
    latency_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(sa.Text)
    made_by: Mapped[str | None] = mapped_column(sa.Text)
    # Scores by the criteria of the bench, by name.
    criteria: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    created_at: Mapped[dt.datetime] = mapped_column(server_default=sa.text("now()"))


class EvalDataset(KeyedInWorkspace, Base):
    """A set of test cases under a name. A change makes a new version; only one that is made from
    answers grows until its first run."""

    __tablename__ = "eval_datasets"
    __table_args__ = (sa.UniqueConstraint("workspace_id", "name", "version"),)

    name: Mapped[str] = mapped_column(sa.Text)
    version: Mapped[int]
    # The only notebook that its runs search; NULL for all.
    notebook_id: Mapped[uuid.UUID | None] = foreign_key(
        "notebooks.id", ondelete="SET NULL", index=True
    )
    # Where its cases are from: a file's format, or how they were generated.
    origin: Mapped[dict[str, Any]]


class EvalTestCase(Keyed, InOrder, Base):
    """A question with the chunks that answer it, or with notes of its own, a list of CaseNote,
    which runs answer it from. `source`, a CaseSource: the answer that it is made from. `case_key`:
    see TestCase; NULL without notes."""

    __tablename__ = "eval_test_cases"
    __table_args__ = (
        sa.UniqueConstraint("dataset_id", "position"),
        sa.Index(
            "uq_eval_test_cases_dataset_id_case_key",
            *("dataset_id", "case_key"),
            unique=True,
            postgresql_where=sa.text("case_key IS NOT NULL"),
        ),
    )

    dataset_id: Mapped[uuid.UUID] = foreign_key("eval_datasets.id")
    question: Mapped[str] = mapped_column(sa.Text)
    ground_truth_chunk_ids: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    reference_answer: Mapped[str | None] = mapped_column(sa.Text)
    lang: Mapped[str] = mapped_column(sa.String(2))
    notes: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    # Whether the right answer is that the notes do not say.
    expects_refusal: Mapped[bool] = mapped_column(server_default=sa.false())
    source: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    case_key: Mapped[str | None] = mapped_column(sa.String(64))


class JudgeTrial(KeyedInWorkspace, UsageColumns, Base):
    """One judgement of a stored answer that is no verdict, for the caller only. Its
    id is that of the job that does the work. `prompt` is a version, of which `instructions`, where
    there are any, replace the ones in the answer's language. `verdict`, a TrialVerdict, or `error`
    once it has ended. One of a succession has its `position` there, and no job of its own."""

    __tablename__ = "judge_trials"
    __table_args__ = (
        sa.Index(None, "workspace_id"),
        sa.Index(None, "evaluation_id"),
        sa.Index(None, "succession_id"),
        sa.CheckConstraint("verdict IS NULL OR error IS NULL", name="verdict_or_error"),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (verdict IS NULL AND error IS NULL)", name="ends_with_either"
        ),
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id")
    judge_model: Mapped[str] = mapped_column(sa.Text)
    prompt: Mapped[str] = mapped_column(sa.Text)
    instructions: Mapped[str | None] = mapped_column(sa.Text)
    lang: Mapped[str] = mapped_column(sa.String(2))
    made_by: Mapped[str] = mapped_column(sa.Text)
    verdict: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    error: Mapped[str | None] = mapped_column(sa.Text)
    calls: Mapped[int | None]
    judge_ms: Mapped[float | None]
    finished_at: Mapped[dt.datetime | None]
    succession_id: Mapped[uuid.UUID | None] = foreign_key("judge_successions.id")
    position: Mapped[int | None]


class JudgeSuccession(Owner, Base):
    """An old judge of the policy and the one that is to take its place, compared by trials on the
    same stored answers; `summary` is a SuccessionReport. `before`, a Snapshot, is what the policy
    was when it was switched; undone_at: when it was put back."""

    __tablename__ = "judge_successions"
    __table_args__ = (
        sa.Index(None, "workspace_id", "id"),
        sa.CheckConstraint(STATUS_KNOWN, name="status_known"),
        sa.CheckConstraint("(switched_at IS NULL) = (before IS NULL)", name="before_switch"),
    )

    old_model: Mapped[str] = mapped_column(sa.Text)
    new_model: Mapped[str] = mapped_column(sa.Text)
    seed: Mapped[int]
    max_cost_usd: Mapped[Decimal | None] = mapped_column(sa.Numeric(14, 8))
    made_by: Mapped[str] = mapped_column(sa.Text)
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    forced: Mapped[bool] = mapped_column(server_default=sa.false())
    switched_at: Mapped[dt.datetime | None]
    undone_at: Mapped[dt.datetime | None]


# Runs beside the one that is their baseline.
MAX_OTHERS = 6


class EvaluationType(enum.StrEnum):
    """retrieval_only: what the search finds. full_rag: also the answer made from it, judged."""

    RETRIEVAL_ONLY = "retrieval_only"
    FULL_RAG = "full_rag"


class Retrieval(enum.StrEnum):
    """Which search of a run is measured.

    text: full text over chunks. vector: by meaning, over chunks. hybrid: both, by summed scores.
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
        sa.Index(None, "workspace_id", "id"),
        sa.CheckConstraint("k BETWEEN 1 AND 50", name="k_range"),
        sa.CheckConstraint(STATUS_KNOWN, name="status_known"),
        sa.CheckConstraint(f"evaluation_type IN ({in_list(EvaluationType)})", name="type_known"),
        sa.CheckConstraint(f"retrieval IN ({in_list(Retrieval)})", name="retrieval_known"),
    )

    name: Mapped[str] = mapped_column(sa.Text)
    dataset_id: Mapped[uuid.UUID | None] = foreign_key(
        "eval_datasets.id", ondelete="SET NULL", index=True
    )
    dataset_name: Mapped[str] = mapped_column(sa.Text)
    dataset_version: Mapped[int]
    k: Mapped[int]
    evaluation_type: Mapped[str] = mapped_column(sa.String(16))
    retrieval: Mapped[str] = mapped_column(sa.String(16), server_default=Retrieval.TEXT.value)
    # NULL where the retrieval uses none.
    embedding_model: Mapped[str | None] = mapped_column(sa.Text)
    answer_model: Mapped[str] = mapped_column(sa.Text)
    judge_model: Mapped[str] = mapped_column(sa.Text)
    # Of the judge; NULL for rules of runs that did not store it yet.
    prompt_version: Mapped[str | None] = mapped_column(sa.Text)
    # References of the workspace's own that were in force when it began.
    criteria: Mapped[list[str] | None] = mapped_column(sa.ARRAY(sa.Text))
    # Release of the application that it measures.
    app_version: Mapped[str | None] = mapped_column(sa.Text)
    cases: Mapped[int]


class EvalResult(Base, InOrder, UsageColumns):
    """The result of one test case. Retrieval columns are NULL where the search failed, generation
    columns where nothing was generated. `missing_chunk_ids` no longer exist and count as missed.
    `error` says why a case could not be measured."""

    __tablename__ = "eval_results"

    run_id: Mapped[uuid.UUID] = foreign_key("eval_runs.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # No foreign key: the result outlives the dataset.
    test_case_id: Mapped[uuid.UUID]
    question: Mapped[str] = mapped_column(sa.Text)
    retrieved_chunk_ids: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    ground_truth_chunk_ids: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    missing_chunk_ids: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))
    precision: Mapped[float | None]
    recall: Mapped[float | None]
    hit: Mapped[bool | None]
    reciprocal_rank: Mapped[float | None]
    average_precision: Mapped[float | None]
    ndcg: Mapped[float | None]
    generated_answer: Mapped[str | None] = mapped_column(sa.Text)
    faithfulness: Mapped[float | None]
    faithfulness_reasoning: Mapped[str | None] = mapped_column(sa.Text)
    faithfulness_parsed: Mapped[bool | None]
    # False where rules could not tell; NULL for models.
    faithfulness_decided: Mapped[bool | None]
    # Of the answer, where a verdict gave the score; see qa_evaluations.
    outcome: Mapped[str | None] = mapped_column(sa.Text)
    answer_relevancy: Mapped[float | None]
    answer_relevancy_reasoning: Mapped[str | None] = mapped_column(sa.Text)
    answer_relevancy_parsed: Mapped[bool | None]
    # Of a case with notes of its own: see runs.job.passes. NULL where nobody can tell.
    passed: Mapped[bool | None]
    # Scores by the criteria of the run, by name.
    criteria: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    latency_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(sa.Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=sa.text("now()"))
