"""How answers fared that were given one note, and which notes say otherwise, for its page."""

import datetime as dt
import uuid

from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.rules.conflicts import MAX_NOTE_CHARS, Compared, Kind, NoteText, compare
from app.notes import fulltext, queries
from app.notes.service import get_note
from app.platform.db.statements import SqlFile
from app.platform.errors import InvalidRequest
from app.platform.processes.calls import LimitExceeded, Limits
from app.platform.processes.pool import ChildrenBusy, quick_lane
from app.platform.processes.turns import Share, charged_to
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


class OtherNote(BaseModel):
    id: uuid.UUID
    title: str


class NoteConflict(BaseModel):
    """Two sentences that may contradict each other: they differ in a value, or one denies what the
    other says. ours: that of the note; differs: what stands in whose place, "" where nothing
    does."""

    note: OtherNote
    kind: Kind
    ours: str
    theirs: str
    differs: str


class NoteConflicts(BaseModel):
    """compared: how many of the notes that share most words with this one; null where comparing
    them took too long. copies: those with nearly the same text."""

    compared: int | None
    conflicts: list[NoteConflict]
    copies: list[OtherNote]


# The page waits for it, beside answers that are judged in the same processes.
_LIMITS, _MAX_WAIT = Limits(seconds=5, megabytes=512), 5.0


async def note_conflicts(
    session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID
) -> NoteConflicts:
    """What notes of the workspace say otherwise; ends the transaction. Raises NotFound for a note
    that is not there."""
    note = await get_note(session, workspace_id, note_id)
    ours = NoteText(note.title, note.content_text[:MAX_NOTE_CHARS])
    ids = await fulltext.notes_like(session, workspace_id, note_id)
    rows = await queries.beginnings(session, workspace_id, ids, MAX_NOTE_CHARS)
    # No connection waits for the comparison.
    await session.commit()
    others = [OtherNote(id=row.id, title=row.title) for row in rows]
    texts = [NoteText(row.title, row.content) for row in rows]
    compared: int | None = len(others)
    try:
        with charged_to(Share(workspace_id, long=True)):
            found = await quick_lane().run(_LIMITS, compare, ours, texts, max_wait=_MAX_WAIT)
    except (LimitExceeded, ChildrenBusy):
        found, compared = Compared([], []), None
    conflicts = [
        NoteConflict(
            note=others[one.other],
            kind=one.kind,
            ours=one.ours,
            theirs=one.theirs,
            differs=one.words,
        )
        for one in found.conflicts
    ]
    return NoteConflicts(
        compared=compared, conflicts=conflicts, copies=[others[n] for n in found.copies]
    )
