"""The tables of a workspace's own prompts of judges, and of its own criteria."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, Computed, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InOrder, KeyedInWorkspace, foreign_key


class JudgePrompt(KeyedInWorkspace, Base):
    """The instructions of the shipped prompt `base` in other words, in both languages. A version
    never changes and is never deleted, so that a verdict says for ever what it was asked by; one
    that is retired cannot be chosen any more. `parent` is the version that it was written from,
    shipped or of the workspace, `made_by` the name of the token that it was made with."""

    __tablename__ = "judge_prompts"
    __table_args__ = (
        UniqueConstraint("workspace_id", "name", "version"),
        UniqueConstraint("workspace_id", "reference", name="uq_judge_prompts_reference"),
        CheckConstraint("name ~ '^[a-z0-9][a-z0-9-]{0,39}$'", name="name"),
        CheckConstraint("version BETWEEN 1 AND 99999", name="version"),
    )

    name: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    # As policies, benches and verdicts name it.
    reference: Mapped[str] = mapped_column(
        Text, Computed("'workspace:' || name || '@' || version::text", persisted=True)
    )
    base: Mapped[str] = mapped_column(Text)
    parent: Mapped[str] = mapped_column(Text)
    text_ko: Mapped[str] = mapped_column(Text)
    text_en: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)
    made_by: Mapped[str] = mapped_column(Text)
    retired_at: Mapped[dt.datetime | None]


class JudgePromptExample(Base, InOrder):
    """A labelled answer in a prompt, an Example. It is deleted with the answer that it is of: then
    the prompt goes on without it."""

    __tablename__ = "judge_prompt_examples"
    __table_args__ = (Index(None, "answer_id"),)

    prompt_id: Mapped[uuid.UUID] = foreign_key("judge_prompts.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id")
    example: Mapped[dict[str, Any]]


class JudgeCriterion(KeyedInWorkspace, Base):
    """A version of a criterion, which never changes and is never deleted, so that a score says for
    ever what it is about. All versions of a name are archived together; those in force are named
    by the policy. `made_by`: the name of the token that it was made with."""

    __tablename__ = "judge_criteria"
    __table_args__ = (
        UniqueConstraint("workspace_id", "name", "version"),
        UniqueConstraint("workspace_id", "reference", name="uq_judge_criteria_reference"),
        CheckConstraint("name ~ '^[a-z][a-z0-9_]{0,39}$'", name="name"),
        CheckConstraint("version BETWEEN 1 AND 99999", name="version"),
        CheckConstraint("kind IN ('model', 'regex', 'json_schema', 'length')", name="kind_known"),
        CheckConstraint("cardinality(scale) IN (0, 2, 3, 4, 5)", name="scale"),
    )

    name: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    # As the evaluators of a verdict name it.
    reference: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    scale: Mapped[list[str]] = mapped_column(ARRAY(Text))
    pattern: Mapped[str | None] = mapped_column(Text)
    json_schema: Mapped[str | None] = mapped_column(Text)
    min_chars: Mapped[int | None]
    max_chars: Mapped[int | None]
    features: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    languages: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    note: Mapped[str] = mapped_column(Text)
    made_by: Mapped[str] = mapped_column(Text)
    archived_at: Mapped[dt.datetime | None]
