"""A person's conversations: listed, read, named, deleted. All of it is seen by its owner only.

Ids of answers are UUIDv7: their order is that of asking."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.answering.models import MAX_TITLE_CHARS
from app.platform.db.owned_queries import Listed
from app.platform.db.pool import Connection, Pool, transaction_in_workspace
from app.platform.db.statements import SqlFile
from app.platform.errors import no_such
from app.text.turns import MAX_TURNS, Turn, recent_turns
from app.verdicts.answers.finished import MatchedNote
from app.verdicts.answers.queries import delete_answer
from app.verdicts.policy.queries import redactor_in
from app.verdicts.status import Status

_SQL = SqlFile(__package__, "conversations")
_no_conversation = partial(no_such, "conversation", "대화가", "/conversations")


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """owner: the `name` of the principal."""

    workspace_id: uuid.UUID
    owner: str
    id: uuid.UUID


class ConversationView(Listed):
    """title: as its owner has `named` it, else the beginning of the first question."""

    title: str
    named: bool
    answers: int
    created_at: dt.datetime
    last_asked_at: dt.datetime


class ConversationAnswerView(Listed):
    """`id` is that of the answer; status, reason and error are those of the evaluation that
    counts. standalone_question: how a question that needs those before it was understood."""

    question: str
    standalone_question: str | None
    answer: str
    lang: Lang
    feature: str
    notebook_id: uuid.UUID | None
    matched_notes: list[MatchedNote]
    evaluation_id: uuid.UUID
    status: Status
    reason: str | None
    error: str | None
    created_at: dt.datetime


async def add_answer(connection: Connection, key: ConversationKey, answer_id: uuid.UUID) -> None:
    """Makes the conversation if it is not there, in the caller's transaction, which has stored the
    answer and sees the workspace."""
    await connection.execute(_SQL("add_answer").encode(), {**asdict(key), "answer_id": answer_id})


async def conversation_turns(connection: Connection, key: ConversationKey) -> tuple[Turn, ...]:
    """The last turns of a conversation; none where it is not there or somebody else's."""
    given = {**asdict(key), "limit": MAX_TURNS}
    cursor = await connection.execute(_SQL("turns").encode(), given)
    return recent_turns([Turn(*row) for row in reversed(await cursor.fetchall())])


async def turns_of_existing(pool: Pool, key: ConversationKey) -> tuple[Turn, ...]:
    """The same. Raises NotFound where there are none."""
    async with transaction_in_workspace(pool, key.workspace_id) as connection:
        turns = await conversation_turns(connection, key)
    if not turns:
        raise _no_conversation()
    return turns


async def list_conversations(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    owner: str,
    *,
    containing: str | None,
    before: tuple[dt.datetime, uuid.UUID] | None,
    limit: int,
) -> Sequence[ConversationView]:
    """The one that was last asked in first. containing: in the title or in a question, in upper or
    lower case. before: `last_asked_at` and id of the last one of the page before."""
    moment, id_ = before or (None, None)
    found = await session.execute(
        text(_SQL("page")),
        {
            "workspace_id": workspace_id,
            "owner": owner,
            "max_title": MAX_TITLE_CHARS,
            "containing": containing,
            "before": moment,
            "before_id": id_,
            "limit": limit,
        },
    )
    return [ConversationView.model_validate(dict(row)) for row in found.mappings()]


async def get_conversation(session: AsyncSession, key: ConversationKey) -> ConversationView:
    """Raises NotFound, in one sentence for a missing one and somebody else's."""
    given = {**asdict(key), "max_title": MAX_TITLE_CHARS}
    row = (await session.execute(text(_SQL("one")), given)).mappings().one_or_none()
    if row is None:
        raise _no_conversation()
    return ConversationView.model_validate(dict(row))


async def list_answers(
    session: AsyncSession, key: ConversationKey, *, after: uuid.UUID | None, limit: int
) -> Sequence[ConversationAnswerView]:
    """Newest first, behind the answer `after`. Raises NotFound."""
    await get_conversation(session, key)
    given = {**asdict(key), "after": after, "limit": limit}
    found = await session.execute(text(_SQL("answers")), given)
    return [ConversationAnswerView.model_validate(dict(row)) for row in found.mappings()]


async def rename_conversation(
    session: AsyncSession, key: ConversationKey, title: str | None
) -> ConversationView:
    """None: by its first question again. The caller commits. Raises NotFound."""
    if title and (redactor := await redactor_in(session, key.workspace_id)):
        title = redactor.redact(title)
    await session.execute(text(_SQL("rename")), {**asdict(key), "title": title})
    return await get_conversation(session, key)


async def delete_conversation(
    session: AsyncSession, key: ConversationKey, *, with_answers: bool
) -> None:
    """Its answers and their verdicts stay in the workspace unless `with_answers`. The caller
    commits. Raises NotFound."""
    answers = await session.scalars(text(_SQL("answer_ids")), asdict(key))
    if await session.scalar(text(_SQL("delete")), asdict(key)) is None:
        raise _no_conversation()
    if with_answers:
        for answer_id in answers.all():
            await delete_answer(session, key.workspace_id, answer_id)
