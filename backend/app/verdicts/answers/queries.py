"""SQL on answers and their sources."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.owned_queries import delete_one
from app.platform.db.pool import Connection
from app.platform.db.statements import SqlFile
from app.text.evidence import evidence_to_json
from app.text.standalone import stand_alone
from app.text.turns import MAX_TURNS, Turn, recent_turns
from app.verdicts.answers.attributes import TEXT_LIMITS, Attributes
from app.verdicts.answers.finished import FinishedAnswer
from app.verdicts.answers.models import QAAnswer

_SQL = SqlFile(__package__, "queries")
_INSERT = _SQL("insert")
_SESSION_TURNS = _SQL("session_turns").encode()


async def insert_answer(
    connection: Connection, answer: FinishedAnswer, beside: str, *, redacted: bool = False
) -> tuple[Any] | None:
    """Inserts the answer and its sources; the caller commits. Returns what the SQL `beside` is,
    which saves its reader a way to the database; it may use `%(workspace_id)s`. Inserts nothing and
    returns None where texts of the workspace are to be redacted, unless they are."""
    values = {
        **{name: getattr(answer, name) for name in FinishedAnswer.__slots__},
        **_attributes(answer.attributes),
        "redacted": redacted,
        "events": _json(answer.events),
        "evidence": _json(evidence_to_json(answer.evidence)),
        "slots": _json(answer.slots),
        "history": _json([asdict(turn) for turn in answer.history or ()]),
        "sources": json.dumps(
            [
                {
                    "note_index": index,
                    "note_id": source.note_id and str(source.note_id),
                    "title": source.title,
                    "content": source.content,
                    "score": source.score,
                }
                for index, source in enumerate(answer.sources, start=1)
            ]
        ),
    }
    cursor = await connection.execute(f"{_INSERT} {beside}".encode(), values)
    return await cursor.fetchone()


def _attributes(given: Attributes) -> Mapping[str, Any]:
    """Their columns; NULL where nothing is given."""
    return {
        **{name: getattr(given, name) for name in TEXT_LIMITS},
        "tags": [*given.tags] or None,
        "attributes": _json(given.custom),
    }


def _json(value: Sequence[Any] | Mapping[str, Any] | None) -> str | None:
    """NULL where there is nothing."""
    return json.dumps(value) if value else None


# Of the answer `a`, as views show them.
ATTRIBUTES = """a.app_version, a.environment, a.user_ref, a.session_id,
    COALESCE(a.tags, '{}') AS tags, COALESCE(a.attributes, '{}') AS attributes"""


async def session_turns(
    connection: Connection, workspace_id: uuid.UUID, session_id: str | None, before: uuid.UUID
) -> tuple[Turn, ...]:
    """The last turns of a session before an answer; none without a session."""
    if session_id is None:
        return ()
    given = {"workspace_id": workspace_id, "session_id": session_id, "id": before}
    cursor = await connection.execute(_SESSION_TURNS, {**given, "limit": MAX_TURNS})
    return recent_turns([Turn(*row) for row in reversed(await cursor.fetchall())])


async def with_history(connection: Connection, answer: FinishedAnswer) -> FinishedAnswer:
    """With the turns of its session where it has none, and its question so that it stands alone,
    None where it does."""
    turns, session_id = answer.history, answer.attributes.session_id
    if turns is None:
        turns = await session_turns(connection, answer.workspace_id, session_id, answer.id)
    alone = answer.standalone_question or stand_alone(answer.question, turns)
    if alone == answer.question:
        alone = None
    return replace(answer, history=turns, standalone_question=alone)


def delete_answers(unless: str) -> str:
    """Deletes the answers of `ids` but those for which the SQL `unless` gives a row of `a`; all
    that hangs on an answer goes by foreign keys."""
    return f"DELETE FROM qa_answers a WHERE a.id = ANY(%(ids)s) AND NOT EXISTS ({unless})"


async def delete_answer(
    session: AsyncSession, workspace_id: uuid.UUID, answer_id: uuid.UUID
) -> bool:
    """Deletes the answer; all that hangs on it goes by foreign keys. False if it is not there."""
    return await delete_one(session, QAAnswer, workspace_id, answer_id)
