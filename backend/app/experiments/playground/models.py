"""The table of trials."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.experiments.results import UsageColumns
from app.platform.db.base import Base, KeyedInWorkspace


class JudgeTrial(KeyedInWorkspace, UsageColumns, Base):
    """One judgement of a stored answer that is no verdict: nothing reads it but whoever tries. Its
    id is that of the job that does the work. `prompt` is a version, of which `instructions`, where
    there are any, replace the ones in the answer's language. `verdict`, a TrialVerdict, or `error`
    once it has ended."""

    __tablename__ = "judge_trials"
    __table_args__ = (
        Index(None, "workspace_id"),
        Index(None, "evaluation_id"),
        CheckConstraint("verdict IS NULL OR error IS NULL", name="verdict_or_error"),
        CheckConstraint(
            "(finished_at IS NULL) = (verdict IS NULL AND error IS NULL)", name="ends_with_either"
        ),
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    judge_model: Mapped[str] = mapped_column(Text)
    prompt: Mapped[str] = mapped_column(Text)
    instructions: Mapped[str | None] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(2))
    made_by: Mapped[str] = mapped_column(Text)
    verdict: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    error: Mapped[str | None] = mapped_column(Text)
    calls: Mapped[int | None]
    judge_ms: Mapped[float | None]
    finished_at: Mapped[dt.datetime | None]
