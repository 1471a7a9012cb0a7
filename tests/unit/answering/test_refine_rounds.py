"""Rounds that only rewrite the answer, and the verdict on the one that is to be offered."""

import pytest

from app.answering.refine.state import AnswerVerdict, Iteration, StopReason
from cases import for_each
from scripted_router import QUESTION, World, scored, steps

SUFFICIENT = scored(0.2, needs_retrieval=False)


def verdict(
    correctness: float, utility: float, confidence: str, judge: str = "openai:m/1"
) -> AnswerVerdict:
    return AnswerVerdict.model_validate(
        {
            "judged_by": judge,
            "correctness": correctness,
            "utility": utility,
            "confidence": confidence,
        }
    )


FIRST = verdict(0.4, 0.5, "low")


async def test_an_answer_whose_documents_suffice_is_only_rewritten():
    world = World(found="a", scores=(SUFFICIENT, 0.8))

    state = (await steps(world.loop(revise=world.revise)))[-1].state

    assert world.calls == [
        *(f"retrieve {QUESTION}", f"answer {QUESTION}", "evaluate"),
        *("revise a의 내용: 보관 기한", "evaluate"),
    ]
    first, second = state.iterations
    assert (first.searched, second.searched) == (True, False)
    assert second.documents == first.documents
    assert (state.stop, state.best) == (StopReason.THRESHOLD, 1)


async def test_below_one_half_the_notes_are_searched_again():
    poor, good = World(found="ab", scores=(0.49, 0.5)), World(found="ab", scores=(0.5,))

    first, second = (await steps(poor.loop()))[-1].state.iterations
    assert (first.searched, second.searched) == (True, True)
    assert second.documents != first.documents
    assert len((await steps(good.loop()))[-1].state.iterations) == 1


async def test_each_evaluation_decides_on_the_round_after_it():
    world = World(found="ab", scores=(SUFFICIENT, 0.3, 0.4))

    state = (await steps(world.loop(revise=world.revise)))[-1].state

    assert [each.searched for each in state.iterations] == [True, False, True]
    assert state.stop is StopReason.MAX_ITERATIONS


async def test_a_rewritten_answer_that_is_no_better_ends_it():
    world = World(found="a", scores=(SUFFICIENT, SUFFICIENT))

    state = (await steps(world.loop(revise=world.revise)))[-1].state

    assert (state.stop, state.best) == (StopReason.NO_GAIN, 0)


@pytest.mark.parametrize("found", ["ab", ("", "b")])
async def test_without_a_rewrite_the_question_is_searched_again(found):
    """The answerer is extractive, or there is nothing to answer from."""
    world = World(found=found, scores=(SUFFICIENT, 0.8))
    revise = None if found == "ab" else world.revise

    state = (await steps(world.loop(revise=revise)))[-1].state

    assert [each.searched for each in state.iterations] == [True, True]


@for_each(
    ("second", "stop", "best", "lift"),
    [
        (verdict(0.9, 0.8, "high"), StopReason.THRESHOLD, 1, (0.5, 0.3)),
        (verdict(0.3, 0.6, "low"), StopReason.THRESHOLD, 1, (-0.1, 0.1)),
        (verdict(0.3, 0.5, "low"), StopReason.LOWER_VERDICT, 0, (-0.1, 0.0)),
        (verdict(0.9, 0.8, "high", judge="openai:other/1"), StopReason.THRESHOLD, 1, None),
        (AnswerVerdict(error="transient: busy"), StopReason.THRESHOLD, 1, None),
    ],
)
async def test_the_judge_of_the_first_answer_has_the_last_word(second, stop, best, lift):
    world = World(scores=(0.2, 0.8))
    judged = []

    async def judge(iteration: Iteration) -> AnswerVerdict:
        judged.append(iteration.answer)
        return second

    done = await steps(world.loop(judge=judge), world.answered(FIRST))
    state = done[-1].state

    assert judged == ["b의 내용"]
    assert [step.kind for step in done][-2:] == ["judged", "stopped"]
    assert (state.stop, state.best, state.verdict_lift) == (stop, best, lift)
    assert state.lift == (0.6 if best else 0.0)


async def test_an_answer_that_is_not_offered_is_not_judged():
    async def judge(_: Iteration) -> AnswerVerdict:
        raise AssertionError

    world = World(scores=(0.2, 0.1))
    state = (await steps(world.loop(judge=judge), world.answered(FIRST)))[-1].state

    assert (state.stop, state.best, state.verdict_lift) == (StopReason.NO_GAIN, 0, None)


def test_less_confidence_is_worse_whatever_the_scores():
    assert verdict(0.9, 0.9, "low").worse_than(verdict(0.6, 0.6, "medium"))
    assert not verdict(0.5, 0.4, "medium").worse_than(FIRST)
