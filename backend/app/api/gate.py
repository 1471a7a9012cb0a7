"""`POST /ai/gate`: an immediate verdict by rules, before an answer is shown."""

import asyncio
from time import perf_counter
from typing import Annotated, Literal, Self

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field, model_validator

from app.api.ai import NOT_STORED
from app.api.auth import authenticated, check_writer, current_principal
from app.api.connections import mark_authenticated
from app.api.parameters import Baggage, Started, TraceParent, started
from app.api.qa_evaluations import IdempotencyKey, finished_answer
from app.api.schemas import EvaluationCreate, QualityRead
from app.api.services import ServicesDep
from app.judges.answer import AnswerToJudge
from app.platform.errors import Conflict
from app.text.language import lang_of
from app.text.standalone import stand_alone
from app.verdicts.answers.finished import FinishedAnswer
from app.verdicts.judging.gate import Decision, GateOutcome
from app.verdicts.lifecycle.service import NewEvaluation
from app.verdicts.policy.document import Number
from app.workspaces.service import Principal

router = APIRouter(prefix="/ai", tags=["answers"], dependencies=[Depends(started)])

# Storing takes milliseconds and goes on beside the check; it is waited for so long behind that.
STORED_WITHIN_SECONDS = 0.1
MAX_CLAIMS = 20
MAX_CLAIM_CHARS = 200


class GateRequest(EvaluationCreate):
    """As for POST /qa-evaluations, but without conversation_id. within: seconds until the reply,
    whatever has come of it."""

    within: Annotated[float, Field(ge=0.05, le=30), Number] = 1.5

    @model_validator(mode="after")
    def _needs_no_database(self) -> Self:
        if self.conversation_id is not None:
            raise ValueError("send history: the gate does not read conversation_id")
        return self


class GateClaim(BaseModel):
    """The beginning of a statement of the answer. note_index: the note that bears or contradicts
    it, from 1."""

    claim: str
    verdict: Literal["supported", "partly", "unsupported"]
    note_index: int | None


class GateRead(BaseModel):
    """decision: `allow` where the notes bear the answer out or it rightly says that they do not
    say; `hold` where they say otherwise; else `unknown`. outcome: why, for programs; reason: in a
    sentence, in the language of the answer. claims: the doubted ones first. quality: where the
    whole verdict stands that is to come; `not_stored` where the database did not take the answer by
    now."""

    decision: Decision
    outcome: GateOutcome
    reason: str
    claims: list[GateClaim]
    quality: QualityRead
    elapsed_ms: float


async def sender(request: Request, services: ServicesDep) -> Principal:
    """A writer, also while PostgreSQL cannot be asked who that is."""
    lookup = authenticated(request, services)
    principal, is_looked_up = await services.known_tokens.principal(request, lookup)
    if not is_looked_up:
        mark_authenticated(request)
        await services.rate_limits.count(request, principal.token_id)
    return await check_writer(await current_principal(principal))


@router.post("/gate")
async def check_answer(
    body: GateRequest,
    principal: Annotated[Principal, Depends(sender)],
    services: ServicesDep,
    started: Started,
    traceparent: TraceParent,
    baggage: Baggage,
    idempotency_key: IdempotencyKey = None,
) -> GateRead:
    """Says within `within` seconds whether an answer may be shown, by rules, while it is stored and
    judged as by POST /qa-evaluations. Needs neither Redis nor, for a token that was used within the
    last hour, PostgreSQL. What is not known is `unknown`: what to do then is for you to say."""
    answer = finished_answer(body, principal, traceparent, baggage, idempotency_key=idempotency_key)
    storing = services.chat.store_behind(answer)
    left = body.within - (perf_counter() - started)
    verdict = await services.gate.judge(principal.workspace_id, _subject(answer), left)
    left = body.within - (perf_counter() - started)
    quality = await _quality(storing, min(max(left, 0.0), STORED_WITHIN_SECONDS))
    claims = sorted(verdict.claims, key=lambda claim: claim.verdict == "supported")
    return GateRead(
        decision=verdict.decision,
        outcome=verdict.outcome,
        reason=verdict.reason,
        claims=[
            GateClaim(
                claim=claim.text[:MAX_CLAIM_CHARS],
                verdict=claim.verdict,
                note_index=claim.note_index,
            )
            for claim in claims[:MAX_CLAIMS]
        ],
        quality=quality,
        elapsed_ms=round((perf_counter() - started) * 1000, 1),
    )


def _subject(answer: FinishedAnswer) -> AnswerToJudge:
    history = answer.history or ()
    return AnswerToJudge.from_texts(
        answer.question,
        answer.answer,
        [source.content for source in answer.sources],
        [source.title for source in answer.sources],
        lang=lang_of(answer.lang),
        feature=answer.feature,
        history=history,
        stands_alone=stand_alone(answer.question, history),
    )


async def _quality(
    storing: asyncio.Task[NewEvaluation | None] | None, seconds: float
) -> QualityRead:
    if storing is None:
        return NOT_STORED
    await asyncio.wait({storing}, timeout=seconds)
    if not storing.done():
        return NOT_STORED
    try:
        new = storing.result()
    except Conflict as error:
        return NOT_STORED.model_copy(update={"reason": error.code})
    if new is None:
        return NOT_STORED
    return QualityRead(
        answer_id=new.answer_id,
        evaluation_id=new.evaluation_id,
        status=new.status,
        reason=new.reason,
    )
