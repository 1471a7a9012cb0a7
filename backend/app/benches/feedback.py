"""Answers with human feedback, as a bench measures judges on them."""

import uuid
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from app.benches.labelled import MAX_ITEMS, BadLine, LabelledItem, LabelledItems
from app.benches.request import BenchRequest
from app.errors import InvalidRequest
from app.review.labelled import LabelledAnswer, labelled_answers, labelled_grades

# On the scale of correctness; the middle one is what the product calls doubtful.
GRADES = {"right": 1.0, "partly": 0.65, "wrong": 0.0}


async def labelled_feedback(
    session: AsyncSession, workspace_id: uuid.UUID, request: BenchRequest
) -> LabelledItems:
    """The requested ones that a judge can be asked about; the others are reported by their
    number in the order of ids. Only those that are drawn, MAX_ITEMS where no limit is
    given, are read with their texts. Raises
    InvalidRequest when there are none."""
    bad, grades, number = [], [], 0
    async for grade in labelled_grades(session, workspace_id):
        number += 1
        if grade.judgeable:
            grades.append(grade)
        else:
            reason = f"the answer {grade.answer_id} was not made from notes"
            bad.append(BadLine(number, reason))
    if not grades:
        raise InvalidRequest(
            "No answer made from notes has feedback yet; label some in the page or with"
            " `searchqa verdicts review`, or send a file.",
            ko="노트에서 만든 답변 중 피드백이 있는 것이 아직 없습니다. 화면이나 `searchqa"
            " evaluations review`으로 라벨을 붙이거나 파일을 보내세요.",
        )
    drawn = replace(request, limit=request.limit or MAX_ITEMS).drawn(grades)
    chosen = [grade.answer_id for grade in drawn]
    found = labelled_answers(session, workspace_id, chosen)
    items = [_item(labelled) async for labelled in found]
    return LabelledItems(items, bad, left_out=len(grades) - len(items))


def _item(labelled: LabelledAnswer) -> LabelledItem:
    # Without a claim called wrong, it is unknown whether people looked at the claims at all.
    return LabelledItem(
        ref=str(labelled.answer_id),
        question=labelled.question,
        passages=tuple(labelled.passages),
        answer=labelled.answer,
        hallucinated=labelled.hallucinated,
        spans=tuple(labelled.spans) or None,
        grade=GRADES[labelled.label],
        stored_score=labelled.judge_correctness,
    )
