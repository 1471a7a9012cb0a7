"""Tables of datasets and runs."""

import uuid
from typing import Any

from sqlalchemy import (
    ARRAY,
    ForeignKey,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InOrder, Keyed, KeyedInWorkspace


class EvalDataset(KeyedInWorkspace, Base):
    """A set of test cases under a name. It never changes: a change makes a new version."""

    __tablename__ = "eval_datasets"
    __table_args__ = (UniqueConstraint("workspace_id", "name", "version"),)

    name: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    # The only notebook that its runs search; NULL for all.
    notebook_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("notebooks.id", ondelete="SET NULL"), index=True
    )
    # Where its cases are from: a file's format, or how they were generated.
    origin: Mapped[dict[str, Any]]


class EvalTestCase(Keyed, InOrder, Base):
    """A question and the chunks that answer it."""

    __tablename__ = "eval_test_cases"
    __table_args__ = (UniqueConstraint("dataset_id", "position"),)

    dataset_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("eval_datasets.id", ondelete="CASCADE")
    )
    question: Mapped[str] = mapped_column(Text)
    ground_truth_chunk_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    reference_answer: Mapped[str | None] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(2))
