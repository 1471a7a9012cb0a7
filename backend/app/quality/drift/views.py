"""Alarms as readers get them."""

import datetime as dt
import uuid
from typing import Literal, Self

from pydantic import BaseModel

from app.quality.drift.series import Series
from app.quality.metrics.sequential_ranks import Contribution, Group

Dimension = Literal[
    "answer_model", "notebook", "prompt_version", "lang", "feature", "reason", "misquoted_note"
]


class Cause(BaseModel):
    """Answers that differ: of one model that answered, notebook, version of the judge's prompt,
    language or feature; without a score for one reason; or that misquote one note.

    value: an id for notebooks and notes of ours, which `name` names. part: of the change that is
    theirs alone, from 0.3; of one dimension to the next they overlap. share_before, share_after: of
    all answers; mean_before, mean_after: of the series over them, null without answers.
    """

    dimension: Dimension
    value: str
    name: str | None
    part: float
    share_before: float
    share_after: float
    mean_before: float | None
    mean_after: float | None

    @classmethod
    def of(cls, contribution: Contribution, whole: Group) -> Self:
        """whole: of all answers."""
        group = contribution.group
        return cls.model_validate(
            {
                "dimension": group.dimension,
                "value": group.value,
                "name": group.name,
                "part": contribution.part,
                "share_before": group.before.answers / whole.before.answers,
                "share_after": group.after.answers / whole.after.answers,
                "mean_before": group.before.mean,
                "mean_after": group.after.mean,
            }
        )


class QualityAlarm(BaseModel):
    """A series of a judge has changed: score (mean correctness), corrected (the same by people's
    labels and the judge), coverage (the share of answers given to the judge that it scored itself)
    or unjudged (the share that was skipped or failed), each 0 to 1.

    began_on: estimated first day after the change; noticed_on: the day that gave the alarm.
    before: the mean from compared_from until the day before; after: the mean from then on, of so
    many answers, or of labels for `corrected`. causes: what differs most, the largest part first;
    empty where nothing in particular does.
    """

    id: uuid.UUID
    judge_model: str
    series: Series
    compared_from: dt.date
    began_on: dt.date
    noticed_on: dt.date
    before: float
    after: float
    answers_before: int
    answers_after: int
    causes: list[Cause]
    acknowledged_at: dt.datetime | None
    created_at: dt.datetime


class WatchedSeries(BaseModel):
    """How far a series of a judge is watched: its points since it began or since its last alarm,
    and the last day of them. missing: points until alarms are possible, each of at least 20 answers
    of a day or of some days together (10 labels for `corrected`); 0 when it is watched."""

    judge_model: str
    series: Series
    points: int
    missing: int
    last_day: dt.date | None


class QualityAlarms(BaseModel):
    """rows: newest first. watched: series of judges that were asked in the last 28 days looked
    at. tz: the time zone of all days."""

    rows: list[QualityAlarm]
    watched: list[WatchedSeries]
    tz: str
