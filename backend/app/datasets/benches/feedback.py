"""Answers with human feedback, as a bench measures judges on them."""

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from app.datasets.benches.labelled import BadLine, LabelledItem, LabelledItems
from app.errors import InvalidRequest
from app.review.labelled import LabelledAnswer, labelled_answers

# On the scale of correctness; the middle one is what the product calls doubtful.
GRADES = {"right": 1.0, "partly": 0.65, "wrong": 0.0}


async def labelled_feedback(session: AsyncSession, workspace_id: uuid.UUID) -> LabelledItems:
    """Those that a judge can be asked about; the others are told by their number in the order of
    ids. Raises InvalidRequest when there are none."""
    found = LabelledItems([], [])
    number = 0
    async for labelled in labelled_answers(session, workspace_id):
        number += 1
        if labelled.answer.strip() and any(text.strip() for text in labelled.passages):
            found.items.append(_item(labelled))
        else:
            reason = f"the answer {labelled.answer_id} was not made from notes"
            found.bad.append(BadLine(number, reason))
    if not found.items:
        raise InvalidRequest(
            "No answer made from notes has feedback yet; label some in the page or with"
            " `searchqa evaluations review`, or send a file.",
            ko="노트에서 만든 답변 중 피드백이 있는 것이 아직 없습니다. 화면이나 `searchqa"
            " evaluations review`으로 라벨을 붙이거나 파일을 보내세요.",
        )
    return found


def _item(labelled: LabelledAnswer) -> LabelledItem:
    # Without a claim called wrong, nobody knows whether people looked at the claims at all.
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
