"""RefineLoop: when it stops, what it calls best, and that it pays for nothing twice."""

from collections.abc import Sequence

import pytest

import samples
from app.answering.profile import Slots
from app.answering.refine.loop import RefineLoop
from app.answering.refine.query_rewriter import QueryRewriter
from app.answering.refine.state import Iteration, RefinementState, StopReason, stop_text
from app.judges.published.quality_evaluator import QualityEvaluator
from app.judges.published.refinement import Document
from app.platform.errors import PermanentProviderError, TransientProviderError
from cases import for_each
from scripted_router import QUESTION, ScriptedRouter, World, end, scored, steps


@for_each(
    ("found", "scores", "reason", "best", "lift"),
    [
        ("abc", (0.5,), StopReason.THRESHOLD, 0, None),
        ("abc", (0.2, 0.8), StopReason.THRESHOLD, 1, 0.6),
        ("abc", (0.2, 0.3, 0.4), StopReason.MAX_ITERATIONS, 2, 0.2),
        ("aa", (0.2,), StopReason.SAME_DOCUMENTS, 0, None),
        (("ab", "ba"), (0.2,), StopReason.SAME_DOCUMENTS, 0, None),
        ("aba", (0.2, 0.3), StopReason.SAME_DOCUMENTS, 1, 0.1),
        ("ab", (0.2, 0.1), StopReason.NO_GAIN, 0, 0.0),
        ("ab", (0.2, 0.2), StopReason.NO_GAIN, 0, 0.0),
        ("abc", (0.2, 0.4, 0.3), StopReason.NO_GAIN, 1, 0.2),
        (("a", ""), (0.2,), StopReason.NO_DOCUMENTS, 0, None),
    ],
)
async def test_it_stops_for_a_reason_and_keeps_the_better_answer(found, scores, reason, best, lift):
    state = await end(World(found, scores))
    assert state.stop is reason
    assert (state.best, state.lift) == (best, lift)
    assert state.improved is (best > 0)


async def test_a_first_answer_without_documents_is_still_improved():
    state = await end(World(("", "b"), (0.1, 0.7)))
    assert (state.stop, state.best) == (StopReason.THRESHOLD, 1)


async def test_threshold_and_number_of_tries_are_the_callers():
    state = await end(World(scores=(0.6, 0.7)), threshold=0.9, max_iterations=1)
    assert state.stop is StopReason.MAX_ITERATIONS
    assert len(state.iterations) == 2
    assert (await end(World(), max_iterations=0)).stop is StopReason.MAX_ITERATIONS


async def test_the_question_is_answered_as_it_was_asked_whatever_is_searched_for():
    world = World(scores=(0.2, 0.8))
    assert [step.kind for step in await steps(world.loop())] == [
        *("retrieved", "answered", "evaluated"),
        *("rewritten", "retrieved", "answered", "evaluated", "stopped"),
    ]
    assert world.calls == [
        *(f"retrieve {QUESTION}", f"answer {QUESTION}", "evaluate"),
        *("rewrite", f"retrieve {QUESTION} 1", f"answer {QUESTION}", "evaluate"),
    ]


async def test_after_a_crash_at_any_step_nothing_is_asked_for_twice():
    whole = World()
    reference = await steps(whole.loop())
    for crash in range(len(reference)):
        first = World()
        stored = RefinementState(question=QUESTION).model_dump_json()
        running = first.loop().run(RefinementState.model_validate_json(stored))
        for _ in range(crash):
            stored = (await anext(running)).state.model_dump_json()
        await running.aclose()  # type: ignore[attr-defined]

        found, scores = "abc", (0.2, 0.3, 0.4)
        retrieved = sum(call.startswith("retrieve") for call in first.calls)
        second = World(found[retrieved:], scores[first.calls.count("evaluate") :])
        rest = await steps(second.loop(), RefinementState.model_validate_json(stored))

        assert first.calls + second.calls == whole.calls
        assert rest[-1].state == reference[-1].state


async def test_a_stopped_refinement_does_nothing_more():
    world = World()
    state = RefinementState(question=QUESTION, stop=StopReason.NO_GAIN)
    assert await steps(world.loop(), state) == []
    assert world.calls == []


@for_each(
    ("scores", "stop"),
    [
        ((0.2, scored(0.9, heuristic=True)), StopReason.THRESHOLD),
        ((scored(0.2, heuristic=True), 0.9), StopReason.THRESHOLD),
        ((0.2, scored(0.1, heuristic=True), scored(0.1, heuristic=True)), "max_iterations"),
    ],
)
async def test_the_loop_goes_on_with_estimates_and_never_compares_them_with_scores(scores, stop):
    state = await end(World(scores=scores))
    assert (state.stop, state.failure) == (stop, None)
    assert (state.best, state.improved, state.lift) == (0, False, None)


async def test_a_model_that_is_back_is_compared_with_what_it_scored_before():
    state = await end(World(scores=(0.2, scored(0.4, heuristic=True), 0.6)))
    assert (state.stop, state.best, state.lift) == (StopReason.THRESHOLD, 2, 0.4)


async def test_estimates_are_compared_with_each_other():
    scores = [scored(0.2, heuristic=True), scored(0.7, heuristic=True)]
    state = await end(World(scores=scores))
    assert (state.stop, state.best, state.lift) == (StopReason.THRESHOLD, 1, 0.5)


async def test_a_failure_ends_it_with_what_there_is():
    state = await end(World(scores=(0.2, PermanentProviderError("refused"))))
    assert (state.stop, state.failure) == (StopReason.FAILED, "permanent")
    assert (state.best, state.lift) == (0, None)


async def test_a_caller_that_comes_again_gets_transient_errors_and_goes_on_later():
    world = World(scores=(0.2, TransientProviderError("busy"), 0.8))
    running = world.loop(raise_transient=True).run(RefinementState(question=QUESTION))
    for _ in ("retrieved", "answered", "evaluated", "rewritten", "retrieved", "answered"):
        state = (await anext(running)).state
    with pytest.raises(TransientProviderError):
        await anext(running)
    done = await steps(world.loop(raise_transient=True), state)
    assert [step.kind for step in done] == ["evaluated", "stopped"]
    assert done[-1].state.best == 1


async def improved(
    model: ScriptedRouter | None, **about: object
) -> tuple[RefinementState, list[str], list[tuple[str, str | None]]]:
    """The medicine example at its end, what was searched for, and what was answered about whom."""
    searched, profiles = [], []

    async def retrieve(query: str) -> list[Document]:
        searched.append(query)
        return [*samples.DOCUMENTS, samples.KIDNEY]

    async def answer(question: str, _: Sequence[Document], about: str | None) -> str:
        profiles.append((question, about))
        return samples.BETTER_ANSWER

    judge, rewriter = QualityEvaluator(model), QueryRewriter(model)
    loop = RefineLoop(judge, rewriter, retrieve=retrieve, answer=answer)
    question, documents = samples.QUESTION, samples.DOCUMENTS
    first = Iteration(query=question, documents=documents, answer=samples.FIRST_ANSWER)
    state = RefinementState(question=question, iterations=(first,), **about)
    return (await steps(loop, state))[-1].state, searched, profiles


async def test_the_medicine_example_from_the_bad_answer_to_the_good_one():
    rewritten = f"재작성된 질의: {samples.REWRITTEN}"
    model = ScriptedRouter(samples.evaluation(), rewritten, samples.praise())
    end, searched, profiles = await improved(
        model, profile_summary=samples.PROFILE, slots=samples.SLOTS
    )

    scores = [evaluation.overall_score for _, evaluation in end.evaluations]
    assert scores == [0.42, 0.92]
    [query] = searched
    assert all(word in query for word in ("위장 장애", "유산증", "금기 사항", "비타민 B12"))
    assert "60세 남성, 신장 기능 경미한 저하" in query
    about = f"{samples.PROFILE}; 나이: 60, 성별: 남성, 질환: 2형 당뇨병"
    assert profiles == [(samples.QUESTION, about)]
    assert (end.stop, end.best, end.lift) == (StopReason.THRESHOLD, 1, 0.5)
    assert end.iterations[1].rewritten_by == "llm"
    assert samples.PROFILE in model.asked[0].prompt
    assert samples.MISSING[3] in model.asked[2].prompt
    assert [asked.temperature for asked in model.asked] == [0.3, 0.5, 0.3]


async def test_the_medicine_example_without_a_model_finds_the_right_words():
    end, searched, _ = await improved(None, slots=Slots(medications=("메트포르민",)))
    assert all(word in searched[0] for word in ("위장", "신부전", "비타민"))
    assert (end.stop, end.best) == (StopReason.THRESHOLD, 1)
    assert end.iterations[1].rewritten_by == "keywords"
    assert all(evaluation.heuristic for _, evaluation in end.evaluations)


def test_every_reason_to_stop_is_told_in_both_languages():
    for reason in StopReason:
        assert stop_text(reason, "ko") != stop_text(reason, "en")
