"""Tables of rollups (sums of figures by hour or day, UTC) and of the monitored series.

`sources.FIGURES` names the columns of the sums; one is NULL where all of its figures are."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, declared_attr, mapped_column
from sqlalchemy.schema import SchemaItem

from app.platform.db.base import Base, InWorkspace, KeyedInWorkspace, OwnedByWorkspace, foreign_key
from app.platform.db.statements import in_list
from app.quality.analytics.sources import FIGURES, Figures
from app.quality.drift.series import Series
from app.verdicts.models.evaluations import Xid8


class RolledDay(Base):
    """A day (UTC) with answers that is over. `fence`: transactions from this one on mark the day
    when they change one of its judgements. `rolled_at` is NULL until it has been rolled up."""

    __tablename__ = "qa_rolled_days"
    # Days whose rollup is wanted.
    __table_args__ = (
        sa.Index("ix_qa_rolled_days_wanted", "day", postgresql_where=sa.text("zones IS NULL")),
    )

    workspace_id: Mapped[uuid.UUID] = foreign_key("workspaces.id", primary_key=True)
    day: Mapped[dt.date] = mapped_column(primary_key=True)
    fence: Mapped[str | None] = mapped_column(Xid8)
    rolled_at: Mapped[dt.datetime | None]
    # The time zones whose days have percentiles in DailyTimes; NULL until it has been rolled up for
    # those that are set now.
    zones: Mapped[list[str] | None] = mapped_column(sa.ARRAY(sa.Text))


class ChangedDay(InWorkspace, Base):
    """A mark: the day has changed, and its rollup does not count. One for each statement, so that
    none waits for another. No foreign key: a workspace that is deleted marks its days too."""

    __tablename__ = "qa_changed_days"
    __table_args__ = (sa.Index(None, "workspace_id", "day"),)

    id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), primary_key=True)
    day: Mapped[dt.date]
    changed_at: Mapped[dt.datetime] = mapped_column(server_default=sa.func.clock_timestamp())


class _Rollup(OwnedByWorkspace):
    """`at`: when the hour or the day began."""

    @declared_attr.directive
    def __table_args__(cls) -> tuple[SchemaItem, ...]:  # noqa: N805
        return (sa.Index(None, "workspace_id", "at"),)

    id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), primary_key=True)
    at: Mapped[dt.datetime]


# By role; of a column that is not named here the type is that of its role.
_TYPES: Mapping[str, sa.types.TypeEngine[Any]] = {
    **dict.fromkeys(("is_current", "is_skipped"), sa.Boolean()),
    "note_id": sa.Uuid(),
    # Scores in billionths, and tokens.
    **dict.fromkeys(("correctness", "first_correctness", "second_correctness"), sa.BigInteger()),
    **dict.fromkeys(("utility", "prompt_tokens", "completion_tokens"), sa.BigInteger()),
    "cached_tokens": sa.BigInteger(),
    **dict.fromkeys(("cost_usd", "batched_cost_usd"), sa.Numeric()),
}
_OPTIONAL = frozenset(
    (
        *("made_by", "prompt_version", "reason", "lang", "feature", "answer_model"),
        *("search_method", "note_id", "foreign_title", "example", "first_requested_at"),
        *("correctness", "correctness_squares", "utility", "utility_squares", "undecided"),
        *("high", "medium", "low", "with_claims", "claims_supported", "claims_partly"),
        *("claims_contradicted", "claims_not_in_notes", "claims_misattributed", "claims_stitched"),
        *("rightly_refused", "falsely_refused"),
        *("claims_unsupported", "prompt_tokens", "completion_tokens", "cached_tokens"),
        *("cost_usd", "batched_cost_usd", "cited", "misquoted", "ignored", "ungrounded"),
    )
)


def _add_rollup(figures: Figures) -> None:
    """The table of these figures, mapped as a class of its name."""
    roles: Mapping[sa.types.TypeEngine[Any], Sequence[str]] = {
        sa.Text(): (*figures.keys, *figures.maxima),
        sa.Integer(): figures.sums,
        sa.Numeric(): figures.numeric_sums,
        sa.DateTime(timezone=True): figures.minima,
    }
    optional = _OPTIONAL | ({"judge_model"} if figures.name == "pairs" else set())
    columns = {
        name: mapped_column(_TYPES.get(name, usual), nullable=name in optional)
        for usual, names in roles.items()
        for name in names
    }
    type(figures.table, (_Rollup, Base), {"__tablename__": figures.table, **columns})


for _figures in FIGURES:
    _add_rollup(_figures)


class DailyTimes(OwnedByWorkspace, Base):
    """Percentiles (50, 95, 99) of a day in some time zone. judge_model: NULL of all judges."""

    __tablename__ = "qa_daily_times"
    __table_args__ = (
        sa.UniqueConstraint(
            *("workspace_id", "began", "ended", "judge_model"), postgresql_nulls_not_distinct=True
        ),
    )

    id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), primary_key=True)
    began: Mapped[dt.datetime]
    ended: Mapped[dt.datetime]
    judge_model: Mapped[str | None] = mapped_column(sa.Text)
    verdicts: Mapped[int]
    queue_ms: Mapped[list[float] | None] = mapped_column(sa.ARRAY(sa.Double))
    judge_ms: Mapped[list[float] | None] = mapped_column(sa.ARRAY(sa.Double))
    verdict_ms: Mapped[list[float] | None] = mapped_column(sa.ARRAY(sa.Double))


class DailySlowest(_Rollup, Base):
    """One of the slowest verdicts of a day; of_all: how many verdicts the day has."""

    __tablename__ = "qa_daily_slowest"

    evaluation_id: Mapped[uuid.UUID]
    judge_model: Mapped[str] = mapped_column(sa.Text)
    verdict_ms: Mapped[float]
    of_all: Mapped[int]


def _known() -> sa.CheckConstraint:
    return sa.CheckConstraint(f"series IN ({in_list(Series)})", name="series_known")


class _OfWorkspace:
    workspace_id: Mapped[uuid.UUID] = foreign_key("workspaces.id", primary_key=True)


class QualityWatch(_OfWorkspace, Base):
    """Progress of the watch in a workspace: the next day to look at, in its time zone."""

    __tablename__ = "quality_watches"

    next_day: Mapped[dt.date]


class QualityPoint(_OfWorkspace, Base):
    """Consecutive days of a series, as they were when they were looked at; see DayPoint."""

    __tablename__ = "quality_points"
    __table_args__ = (
        _known(),
        sa.CheckConstraint("first_day <= last_day", name="days_in_order"),
        sa.CheckConstraint("answers > 0", name="has_answers"),
    )

    judge_model: Mapped[str] = mapped_column(sa.Text, primary_key=True)
    series: Mapped[str] = mapped_column(sa.String(16), primary_key=True)
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
    app.quality.drift.service.Cause."""

    __tablename__ = "quality_alarms"
    __table_args__ = (
        sa.UniqueConstraint("workspace_id", "judge_model", "series", "noticed_on"),
        _known(),
        sa.CheckConstraint(
            "compared_from < began_on AND began_on <= noticed_on", name="days_in_order"
        ),
    )

    judge_model: Mapped[str] = mapped_column(sa.Text)
    series: Mapped[str] = mapped_column(sa.String(16))
    compared_from: Mapped[dt.date]
    began_on: Mapped[dt.date]
    noticed_on: Mapped[dt.date]
    before: Mapped[float]
    after: Mapped[float]
    answers_before: Mapped[int]
    answers_after: Mapped[int]
    causes: Mapped[list[dict[str, Any]]]
    acknowledged_at: Mapped[dt.datetime | None]
