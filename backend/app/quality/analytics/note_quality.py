"""How answers fared that were given one note, for its page."""

import datetime as dt
import uuid

from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.service import get_note
from app.platform.db.statements import SqlFile
from app.platform.errors import InvalidRequest
from app.platform.setting_types import is_time_zone
from app.verdicts.reading.queries import CORRECTNESS

_SQL = SqlFile(__package__, "note_quality", correctness=CORRECTNESS)
_STATEMENTS = {name: text(_SQL(name)) for name in ("sums", "weeks", "misquotes")}


class NoteWeek(BaseModel):
    """week: its Monday. cited: answers that cite the note; correctness: their mean, null without a
    score."""

    week: dt.date
    cited: int
    correctness: float | None


class Misquote(BaseModel):
    """A quotation that a verdict ascribed to the note and that does not stand in it."""

    evaluation_id: uuid.UUID
    answered_at: dt.datetime
    question: str
    quote: str


class NoteQuality(BaseModel):
    """Of current verdicts of the last `days` days. given: answers that were given the note; cited:
    those that cite it; scored: of these, the verdicts that the mean `correctness` is of, none
    degraded or a right refusal; ungrounded: of the scored with a correctness below .5.
    last_given_at: null where nobody asked for it. misquotes: the newest five of `misquoted`."""

    days: int
    given: int
    cited: int
    scored: int
    correctness: float | None
    ungrounded: int
    misquoted: int
    last_given_at: dt.datetime | None
    weeks: list[NoteWeek]
    misquotes: list[Misquote]


async def note_quality(
    session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID, *, days: int, tz: str
) -> NoteQuality:
    """Raises NotFound for a note that is not there, InvalidRequest for an unknown time zone."""
    if not is_time_zone(tz):
        raise InvalidRequest.worded("unknown-time-zone")
    await get_note(session, workspace_id, note_id)
    since = dt.datetime.now(dt.UTC) - dt.timedelta(days=days)
    given = {"workspace_id": workspace_id, "note_id": note_id, "since": since, "tz": tz}
    found = {
        name: (await session.execute(statement, given)).mappings().all()
        for name, statement in _STATEMENTS.items()
    }
    return NoteQuality(
        days=days,
        weeks=[NoteWeek.model_validate(dict(row)) for row in found["weeks"]],
        misquotes=[Misquote.model_validate(dict(row)) for row in found["misquotes"]],
        **found["sums"][0],
    )
