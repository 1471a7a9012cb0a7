"""The table of a workspace's versions of judges' prompts."""

import datetime as dt

from sqlalchemy import CheckConstraint, Computed, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, KeyedInWorkspace


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
