"""SQL on answers and their sources."""

import uuid
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Uuid,
    bindparam,
    column,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.dml import ReturningInsert

from app.answers.finished import FinishedAnswer
from app.answers.models import QAAnswer, QAAnswerSource
from app.db.ids import new_id
from app.search.evidence import evidence_to_json

_ANSWERS = QAAnswer.metadata.tables[QAAnswer.__tablename__]
_SOURCES = QAAnswerSource.metadata.tables[QAAnswerSource.__tablename__]
_SOURCE_COLUMNS = ("note_index", "note_id", "title", "content", "score")


@cache
def _insert(beside: ColumnElement[Any]) -> ReturningInsert[Any]:
    """One statement, because each way to the database delays the answer's reader; put together
    once, because that takes as long as running it."""
    given = (
        func.jsonb_to_recordset(bindparam("sources", type_=JSONB))
        .table_valued(*(column(name, _SOURCES.c[name].type) for name in _SOURCE_COLUMNS))
        .render_derived(with_types=True)
    )
    sources = (
        insert(_SOURCES)
        .from_select(
            ["workspace_id", "answer_id", *_SOURCE_COLUMNS],
            select(
                bindparam("workspace_id", type_=Uuid()), bindparam("id", type_=Uuid()), *given.c
            ),
        )
        .cte("sources")
    )
    values: dict[str, BindParameter[Any]] = {
        each.name: bindparam(each.name) for each in _ANSWERS.c if each.name != "created_at"
    }
    return insert(_ANSWERS).values(values).returning(beside).add_cte(sources)


async def insert_answer(
    session: AsyncSession, answer: FinishedAnswer, beside: ColumnElement[Any]
) -> tuple[uuid.UUID, Any]:
    """Inserts the answer and its sources; the caller commits. Returns the answer's id and what
    `beside` is, which saves its reader a way to the database; it may use `:workspace_id`."""
    answer_id = new_id()
    connection = await session.connection()
    values = {
        "id": answer_id,
        "workspace_id": answer.workspace_id,
        "question": answer.question,
        "answer": answer.answer,
        "lang": answer.lang,
        "feature": answer.feature,
        "origin": answer.origin,
        "provider": answer.provider,
        "model": answer.model,
        "notebook_id": answer.notebook_id,
        "search_method": answer.search_method,
        "events": list(answer.events) or None,
        "evidence": evidence_to_json(answer.evidence) or None,
        "profile": answer.profile,
        "slots": dict(answer.slots) if answer.slots else None,
        "latency_ms": answer.latency_ms,
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "idempotency_key": answer.idempotency_key,
        "request_hash": answer.request_hash,
        "sources": [
            {
                "note_index": index,
                "note_id": source.note_id and str(source.note_id),
                "title": source.title,
                "content": source.content,
                "score": source.score,
            }
            for index, source in enumerate(answer.sources, start=1)
        ],
    }
    return answer_id, await connection.scalar(_insert(beside), values)


async def delete_answer(
    session: AsyncSession, workspace_id: uuid.UUID, answer_id: uuid.UUID
) -> bool:
    """Deletes the answer; all that hangs on it goes by foreign keys. False if it is not there."""
    deleted = await session.scalar(
        delete(QAAnswer)
        .where(QAAnswer.id == answer_id, QAAnswer.workspace_id == workspace_id)
        .returning(QAAnswer.id)
    )
    return deleted is not None
