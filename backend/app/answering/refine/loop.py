"""The loop that improves a bad answer: judge, rewrite, search, answer, judge again.

    question ─▶ retrieve ─▶ answer ─▶ evaluate ─▶ below the threshold? ─▶ rewrite ─┐
                   ▲           ▲                       │ no retrieval needed       │
                   │           └───────────────────────┘                           │
                   └───────────────────────────────────────────────────────────────┘

At the end the judge of the first answer judges the one that is to be offered.

All of its state is a RefinementState. It looks only at what is filled in there to decide
what comes next, so a new process resumes from the stored state where the last one
ended and repeats no call.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.ai_router.prompts.answers import Revision
from app.answering.profile import described
from app.answering.refine.query_rewriter import QueryRewriter
from app.answering.refine.state import AnswerVerdict, Iteration, RefinementState, StopReason
from app.judges.published.quality_evaluator import QualityEvaluator
from app.judges.published.refinement import QUALITY_THRESHOLD, Document, EvaluationResult
from app.platform.errors import ProviderError, TransientProviderError

logger = logging.getLogger(__name__)

DEFAULT_MAX_ITERATIONS = 2

Retrieve = Callable[[str], Awaitable[Sequence[Document]]]
# The question as it was asked, the documents, and what is known of the person who asks.
Answer = Callable[[str, Sequence[Document], str | None], Awaitable[str]]
# The same, and the answer that is written anew.
Revise = Callable[[str, Sequence[Document], str | None, Revision], Awaitable[str]]
# The verdict on an iteration's answer by the judge of the first answer.
JudgeAnswer = Callable[[Iteration], Awaitable[AnswerVerdict]]
StepKind = Literal["rewritten", "retrieved", "answered", "evaluated", "judged", "stopped"]


@dataclass(frozen=True, slots=True)
class Step:
    """What was done, and the state after it: store it before asking for the next step."""

    kind: StepKind
    state: RefinementState


class RefineLoop:
    """threshold: overall score (0 to 1) from which an answer is good enough.
    max_iterations: how often, at most, the question is searched and answered again.
    revise: writes an answer anew from the same documents, where its evaluation needs no other;
    without it every round searches. judge: gives the verdict on the better answer, if one is to be
    had. raise_transient: raise TransientProviderError when an answer cannot be had instead of
    ending as failed, for a caller that comes again later.
    """

    def __init__(
        self,
        evaluator: QualityEvaluator,
        rewriter: QueryRewriter,
        *,
        retrieve: Retrieve,
        answer: Answer,
        revise: Revise | None = None,
        judge: JudgeAnswer | None = None,
        threshold: float = QUALITY_THRESHOLD,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        raise_transient: bool = False,
    ) -> None:
        self._evaluator = evaluator
        self._rewriter = rewriter
        self._retrieve = retrieve
        self._answer = answer
        self._revise = revise
        self._judge = judge
        self._threshold = threshold
        self._max_iterations = max_iterations
        self._raise_transient = raise_transient

    async def run(self, state: RefinementState) -> AsyncIterator[Step]:
        """The steps from `state` to the end, each as soon as it is done. The last is `stopped`;
        a state that is stopped already yields none.

        A state without iterations begins with searching for the question itself. Raises
        TransientProviderError with `raise_transient`, and what `retrieve` raises.
        """
        while state.stop is None:
            try:
                step = await self._next(state)
            except ProviderError as error:
                if self._raise_transient and isinstance(error, TransientProviderError):
                    raise
                logger.warning("Improving an answer ended early (%s)", error.kind)
                step = Step("stopped", state.stopped(StopReason.FAILED, error.kind))
            state = step.state
            yield step

    async def _next(self, state: RefinementState) -> Step:
        if not state.iterations:
            state = state.with_iteration(Iteration(query=state.question))
        last = state.iterations[-1]
        if last.documents is None:
            found = tuple(await self._retrieve(last.query))
            return Step("retrieved", state.filled(documents=found))
        if reason := self._stop_before_answering(state):
            return await self._ended(state, reason)
        about = described(state.profile_summary, state.slots, state.lang)
        if last.answer is None:
            text = await self._answered(state, last.documents, about)
            return Step("answered", state.filled(answer=text))
        if last.evaluation is None:
            return Step("evaluated", await self._evaluated(state, last.answer, about))
        if reason := self._stop_after(state, last.evaluation):
            return await self._ended(state, reason)
        if self._revise and last.documents and not last.evaluation.needs_retrieval:
            again = Iteration(query=last.query, searched=False, documents=last.documents)
            return await self._next(state.with_iteration(again))
        return Step("rewritten", await self._rewritten(state, last.answer, last.evaluation))

    async def _ended(self, state: RefinementState, reason: StopReason) -> Step:
        number = state.candidate
        if self._judge and number and state.iterations[number].verdict is None:
            verdict = await self._judge(state.iterations[number])
            return Step("judged", state.judged(number, verdict))
        return Step(
            "stopped", state.stopped(StopReason.LOWER_VERDICT if state.lower_verdict else reason)
        )

    async def _answered(
        self, state: RefinementState, documents: Sequence[Document], about: str | None
    ) -> str:
        if self._revise is None or state.iterations[-1].searched:
            return await self._answer(state.question, documents, about)
        before = state.iterations[-2]
        lacks = before.evaluation.feedback.values() if before.evaluation else ()
        revision = Revision(before.answer or "", [text for texts in lacks for text in texts])
        return await self._revise(state.question, documents, about, revision)

    async def _evaluated(
        self, state: RefinementState, answer: str, about: str | None
    ) -> RefinementState:
        before = state.iterations[-2].evaluation if len(state.iterations) > 1 else None
        evaluation = await self._evaluator.evaluate(
            state.question,
            answer,
            state.iterations[-1].documents or (),
            profile_summary=about,
            previous_feedback=before,
            lang=state.lang,
        )
        return state.filled(evaluation=evaluation)

    async def _rewritten(
        self, state: RefinementState, answer: str, evaluation: EvaluationResult
    ) -> RefinementState:
        query = await self._rewriter.rewrite(
            state.question,
            evaluation,
            answer,
            profile_summary=state.profile_summary,
            slot_out=state.slots,
            iteration_count=len(state.iterations),
            lang=state.lang,
        )
        return state.with_iteration(Iteration(query=query.text, rewritten_by=query.method))

    def _stop_before_answering(self, state: RefinementState) -> StopReason | None:
        """Another answer from nothing, or from what was answered from before, is not worth its
        price. The first answer is given all the same."""
        *earlier, last = state.iterations
        if not earlier or last.answer is not None or not last.searched:
            return None
        if not last.documents:
            return StopReason.NO_DOCUMENTS
        if any(last.document_ids == iteration.document_ids for iteration in earlier):
            return StopReason.SAME_DOCUMENTS
        return None

    def _stop_after(
        self, state: RefinementState, evaluation: EvaluationResult
    ) -> StopReason | None:
        if evaluation.overall_score >= self._threshold:
            return StopReason.THRESHOLD
        number = len(state.iterations) - 1
        if number and state.comparable(number) and state.candidate != number:
            return StopReason.NO_GAIN
        if number >= self._max_iterations:
            return StopReason.MAX_ITERATIONS
        return None
