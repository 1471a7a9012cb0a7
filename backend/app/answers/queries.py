"""SQL on answers and their sources."""

import uuid
from typing import Any

from sqlalchemy import ColumnElement, delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.answers.finished import FinishedAnswer
from app.answers.models import QAAnswer, QAAnswerSource
from app.db.base import new_id
from app.search.evidence import evidence_to_json


async def insert_answer(
    session: AsyncSession, answer: FinishedAnswer, beside: ColumnElement[Any]
) -> tuple[uuid.UUID, Any]:
    """Inserts the answer and its sources; the caller commits. Returns the answer's id and what
    `beside` is, which saves its reader a way to the database."""
    answer_id = new_id()
    found = await session.scalar(
        insert(QAAnswer)
        .values(
            id=answer_id,
            workspace_id=answer.workspace_id,
            question=answer.question,
            answer=answer.answer,
            lang=answer.lang,
            feature=answer.feature,
            origin=answer.origin,
            provider=answer.provider,
            model=answer.model,
            notebook_id=answer.notebook_id,
            search_method=answer.search_method,
            events=list(answer.events) or None,
            evidence=evidence_to_json(answer.evidence) or None,
            profile=answer.profile,
            slots=dict(answer.slots) if answer.slots else None,
            latency_ms=answer.latency_ms,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            idempotency_key=answer.idempotency_key,
            request_hash=answer.request_hash,
        )
        .returning(beside)
    )
    if answer.sources:
        await session.execute(
            insert(QAAnswerSource),
            [
                {
                    "workspace_id": answer.workspace_id,
                    "answer_id": answer_id,
                    "note_index": index,
                    "note_id": source.note_id,
                    "title": source.title,
                    "content": source.content,
                    "score": source.score,
                }
                for index, source in enumerate(answer.sources, start=1)
            ],
        )
    return answer_id, found


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
