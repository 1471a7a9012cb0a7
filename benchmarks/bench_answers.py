"""Answers to be judged: many at once, in the tables where the API puts them."""

import datetime as dt
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.base import Base
from app.platform.ids import new_id
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.answers.models import QAAnswer, QAAnswerSource
from app.verdicts.models.evaluations import QAEvaluation
from app.verdicts.policy.evaluation_policy import EvaluationPolicy

QUESTION = "PCR 변성은 몇 도에서 얼마 동안 하나요? 어닐링과 신장 조건도 알려 주세요."
ANSWER = (
    "변성은 95도에서 30초 동안 합니다. [노트 1] 어닐링은 프라이머의 Tm보다 5도 낮게, 보통 55도에서"
    " 30초 합니다. [노트 2] 신장은 72도에서 1 kb마다 1분입니다. [노트 3]"
)
_SENTENCES = (
    "변성은 95도에서 30초 동안 하며, GC 함량이 높으면 98도까지 올린다.",
    "어닐링 온도는 프라이머의 Tm보다 5도 낮게 잡고 30초 동안 유지한다.",
    "신장은 72도에서 하며 시간은 증폭할 길이 1 kb마다 1분으로 계산한다.",
)
NOTES = tuple(
    AnswerSource(f"PCR 조건 {number}", " ".join([sentence, *_SENTENCES] * 2))
    for number, sentence in enumerate(_SENTENCES, start=1)
)
_NEXT_SENTENCE = re.compile(r"다\. (\[노트 \d\] )?(?=\w)")
# Rows whose time is so far off are seen by no dispatcher: their messages alone wake a worker.
_LATER = dt.timedelta(days=1)
# Of one INSERT.
_ROWS = 1000


def finished_answer(workspace_id: uuid.UUID) -> FinishedAnswer:
    return FinishedAnswer(
        workspace_id=workspace_id,
        question=QUESTION,
        answer=ANSWER,
        lang="ko",
        feature="search_qa",
        origin="chat",
        from_notes=True,
        sources=NOTES,
    )


async def insert_answers(
    session: AsyncSession,
    policy: EvaluationPolicy,
    workspace_id: uuid.UUID,
    count: int,
    *,
    due: bool,
    vary: bool = False,
) -> Sequence[uuid.UUID]:
    """`count` queued answers; the caller commits. Returns the ids of their evaluations.

    due: whether a dispatcher sees them. vary: no two have a sentence in common, nor with those of
    another call.
    """
    answer = finished_answer(workspace_id)
    answer_ids = [new_id() for _ in range(count)]
    plan = policy.plan(answer_ids[0], feature=answer.feature, from_notes=True, has_notes=True)
    owned = {"workspace_id": workspace_id}
    about = {
        name: getattr(answer, name) for name in ("question", "answer", "lang", "feature", "origin")
    }
    notes = [
        {**owned, "note_index": index, "title": note.title, "content": note.content}
        for index, note in enumerate(answer.sources, start=1)
    ]
    answers = [{"id": id_, **owned, **about} for id_ in answer_ids]
    sources = [{"answer_id": id_, **note} for id_ in answer_ids for note in notes]
    if vary:
        for row in answers:
            row["answer"] = _of_its_own(str(row["answer"]), row["id"])
        for row in sources:
            row["content"] = _of_its_own(str(row["content"]), row["answer_id"])
    await _insert(session, QAAnswer, answers)
    await _insert(session, QAAnswerSource, sources)
    evaluation = {
        **owned,
        "judge_key": plan.judge_key,
        "evaluators": list(plan.evaluators),
        "judge_model": plan.judge_model,
        "status": plan.status.value,
        "run_at": dt.datetime.now(dt.UTC) + (dt.timedelta(0) if due else _LATER),
    }
    ids = [new_id() for _ in range(count)]
    evaluations = [
        {"id": id_, "answer_id": answer_id, **evaluation}
        for id_, answer_id in zip(ids, answer_ids, strict=True)
    ]
    await _insert(session, QAEvaluation, evaluations)
    return ids


async def _insert(
    session: AsyncSession, table: type[Base], rows: Sequence[Mapping[str, object]]
) -> None:
    """In parts: while parameters are made of many rows PostgreSQL ends the idle transaction."""
    for start in range(0, len(rows), _ROWS):
        await session.execute(insert(table), rows[start : start + _ROWS])


def _of_its_own(text: str, id_: object) -> str:
    """The text about a sample whose number stands in each sentence, of which it has as many."""
    sample = f"시료 {str(id_)[-12:]}: "
    return sample + _NEXT_SENTENCE.sub(rf"\g<0>{sample}", text)


@dataclass(frozen=True)
class Progress:
    """Of the evaluations from one on: how many there are in a final state, how many of these have
    a verdict, when the first one was claimed, and when the last verdict came."""

    final: int
    succeeded: int
    claimed: dt.datetime | None
    last: dt.datetime | None


async def progress(session: AsyncSession, first: uuid.UUID) -> Progress:
    """Ids are ordered by time, so what was judged before costs nothing to look at."""
    finished = QAEvaluation.finished_at
    row = (
        await session.execute(
            select(
                func.count(finished),
                func.count().filter(QAEvaluation.status == "succeeded"),
                func.min(QAEvaluation.started_at),
                func.max(finished),
            ).where(QAEvaluation.id >= first)
        )
    ).one()
    return Progress(*row)
