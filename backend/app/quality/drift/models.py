"""Tables of what is watched and of alarms."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, KeyedInWorkspace
from app.platform.db.statements import in_list
from app.quality.drift.series import Series


def _known() -> CheckConstraint:
    return CheckConstraint(f"series IN ({in_list(Series)})", name="series_known")


class _OfWorkspace:
    workspace_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True
    )


class QualityWatch(_OfWorkspace, Base):
    """How far a workspace has been looked at: the first day that has not been, in its time zone."""

    __tablename__ = "quality_watches"

    next_day: Mapped[dt.date]


class QualityPoint(_OfWorkspace, Base):
    """Consecutive days of a series, as they were when they were looked at; see DayPoint."""

    __tablename__ = "quality_points"
    __table_args__ = (
        _known(),
        CheckConstraint("first_day <= last_day", name="days_in_order"),
        CheckConstraint("answers > 0", name="has_answers"),
    )

    judge_model: Mapped[str] = mapped_column(Text, primary_key=True)
    series: Mapped[str] = mapped_column(String(16), primary_key=True)
    first_day: Mapped[dt.date] = mapped_column(primary_key=True)
    last_day: Mapped[dt.date]
    answers: Mapped[int]
    value: Mapped[float]
    spread: Mapped[float]
    score: Mapped[float | None]


class QualityAlarm(KeyedInWorkspace, Base):
    """A series has changed. began_on: estimated first day after the change; noticed_on: last day
    that was looked at; compared_from: first day of the points before. before, after: means over
    these points, of so many answers (labels, of CORRECTED). causes: see
    app.quality.drift.views.Cause."""

    __tablename__ = "quality_alarms"
    __table_args__ = (
        UniqueConstraint("workspace_id", "judge_model", "series", "noticed_on"),
        _known(),
        CheckConstraint(
            "compared_from < began_on AND began_on <= noticed_on", name="days_in_order"
        ),
    )

    judge_model: Mapped[str] = mapped_column(Text)
    series: Mapped[str] = mapped_column(String(16))
    compared_from: Mapped[dt.date]
    began_on: Mapped[dt.date]
    noticed_on: Mapped[dt.date]
    before: Mapped[float]
    after: Mapped[float]
    answers_before: Mapped[int]
    answers_after: Mapped[int]
    causes: Mapped[list[dict[str, Any]]]
    acknowledged_at: Mapped[dt.datetime | None]
