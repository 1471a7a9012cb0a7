"""A cascade of judges: who is sure decides, the others hand on, and nothing is paid for twice."""

import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from app.verdicts.lifecycle.outcome import NextStep
from app.verdicts.policy.cascade import StepThresholds
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from judge_replies import saying
from stub_server import StubServer, status
from verdict_world import World, answer, set_policy, settings, verdict
from worker.judge_loop import JudgeLoop
from workers import Vendor, run, set_cascade, started

SMALL, MIDDLE, LARGE = "openai:small", "openai:middle", "openai:large"
JUDGES = (SMALL, MIDDLE, LARGE)


Running = Callable[..., AbstractAsyncContextManager[JudgeLoop]]


@pytest.fixture
def judging(world: World, judge: StubServer, vendor: Vendor) -> Running:
    """A worker, and the policy that judges by SMALL, then MIDDLE, then LARGE."""

    @asynccontextmanager
    async def running(**policy: Any) -> AsyncIterator[JudgeLoop]:
        server = settings(
            openai_base_url=judge.base_url,
            max_attempts=2,
            retry_base=0.01,
            model_prices="openai:small=1/1,openai:middle=10/10,openai:large=100/100",
        )
        if jury := policy.pop("jury", None):
            await set_policy(world, server, judge_model=jury[-1], jury=jury, phases=[])
        else:
            await set_cascade(world, server, policy.pop("judges", JUDGES), **policy)
        async with started(JudgeLoop(server, world.url)) as loop:
            yield loop

    return running


async def steps(world: World, id_: uuid.UUID) -> list[dict[str, Any]]:
    return await world.rows(
        "SELECT * FROM qa_cascade_steps WHERE evaluation_id = %s ORDER BY position", id_
    )


def short(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("judge_model", "confidence", "sure", "checked", "decided")
    return [tuple(step[name] for name in names) for step in found]


async def test_a_sure_verdict_of_the_first_judge_stands(world, judging, vendor):
    async with judging() as loop:
        id_ = await answer(world)
        assert (await world.row(id_))["judge_model"] == SMALL
        row = await run(world, loop, id_)

    assert vendor.asked == ["small"]
    assert (row["status"], row["model"], row["confidence"]) == ("succeeded", "small", "high")
    assert row["judge_key"].split("/")[1] == LARGE, "what was asked for"
    assert row["fallback_because"] is None
    assert not row["degraded"]
    found = await steps(world, id_)
    assert short(found) == [(SMALL, "high", True, False, True)]
    assert found[0]["cost_usd"] == row["cost_usd"] > 0


async def test_a_doubtful_one_goes_on_to_the_next_judge_with_the_same_message(
    world, judging, vendor
):
    vendor.models |= {"small": saying("partly"), "middle": saying("unsupported")}
    async with judging() as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)

    assert vendor.asked == ["small", "middle"]
    assert (row["model"], row["confidence"], row["attempt"]) == ("middle", "low", 2)
    found = await steps(world, id_)
    assert [step["position"] for step in found] == [1, 2]
    assert [step["attempt"] for step in found] == [1, 2]
    assert short(found)[1] == (MIDDLE, "low", True, False, True)
    assert found[0]["sure"] is False
    assert row["cost_usd"] == sum(step["cost_usd"] for step in found)
    assert await world.events(id_) == ["queued", "running", "queued", "running", "succeeded"]


async def test_the_last_judge_has_the_last_word_whatever_its_score(world, judging, vendor):
    vendor.models = dict.fromkeys(("small", "middle", "large"), saying("partly"))
    async with judging() as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)

    assert (row["status"], row["model"]) == ("succeeded", "large")
    assert [(s["sure"], s["decided"]) for s in await steps(world, id_)] == [
        *((False, False), (False, False), (None, True))
    ]


@pytest.mark.parametrize(
    ("says", "asked", "votes"),
    [
        # Two of three agree, so that the last is not asked.
        (("supported", "supported", "unsupported"), 2, ["high", "high"]),
        # The last one makes the majority with the first, or decides a tie of three.
        (("supported", "unsupported", "supported"), 3, ["high", "low", "high"]),
        (("supported", "unsupported", "partly"), 3, ["high", "low", "medium"]),
    ],
)
async def test_a_jury_decides_by_majority_and_its_votes_are_kept(
    world, judging, vendor, says, asked, votes
):
    vendor.models = {
        name: saying(word) for name, word in zip(("small", "middle", "large"), says, strict=True)
    }
    async with judging(jury=[*JUDGES]) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)

    assert vendor.asked == ["small", "middle", "large"][:asked]
    found = await steps(world, id_)
    assert [step["confidence"] for step in found] == votes
    assert [step["decided"] for step in found] == [False] * (asked - 1) + [True]
    assert (row["status"], row["confidence"]) == ("succeeded", votes[-1])
    assert row["cost_usd"] == sum(step["cost_usd"] for step in found)


async def test_a_jury_goes_on_without_a_judge_that_is_paused(world, judging, vendor):
    async with judging(jury=[*JUDGES]) as loop:
        await world.rows(
            "INSERT INTO judge_pauses (judge_model, reason, probe_at)"
            " VALUES (%s, 'x', now() + interval '1 hour')",
            MIDDLE,
        )
        id_ = await answer(world)
        await run(world, loop, id_)
        assert await world.lifecycle.fall_back() == 1
        row = await run(world, loop, id_)

    assert vendor.asked == ["small", "large"]
    assert (row["status"], row["model"], row["confidence"]) == ("succeeded", "large", "high")


async def test_what_speaks_against_high_is_not_sure(world, judging, vendor):
    """A score of 1 beside a checklist that is not passed is medium, and medium is never sure."""
    vendor.models["small"] = saying("supported", passed=False)
    async with judging(judges=(SMALL, LARGE)) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)

    assert row["model"] == "large"
    first, _ = await steps(world, id_)
    assert (first["correctness"], first["confidence"], first["sure"]) == (1.0, "medium", False)


async def test_a_step_calls_high_only_with_a_guarantee_where_the_last_judge_has_one(
    world, judging, vendor
):
    insert = """
        INSERT INTO judge_calibrations (workspace_id, judge_model, prompt_version, cascade,
            precision, confidence, threshold, labels, labels_right, stays_high, scores, chances,
            policy_version)
        SELECT workspace_id, %s, prompt_version, cascade, .95, .9, .9, 60, 60, 1, '{1}', '{1}', 1
        FROM (SELECT p.workspace_id, p.cascade,
                  p.cascade_calibration->'prompt_versions'->>0 AS prompt_version
              FROM evaluation_policies p) q
    """
    async with judging(judges=(SMALL, LARGE)) as loop:
        await world.rows(insert, LARGE)
        id_ = await answer(world)
        assert (await run(world, loop, id_))["model"] == "large"
        await world.rows(insert, SMALL)
        id_ = await answer(world)
        assert (await run(world, loop, id_))["model"] == "small"
        vendor.models["small"] = saying("unsupported")
        await world.rows("DELETE FROM judge_calibrations WHERE judge_model = %s", SMALL)
        id_ = await answer(world)
        assert (await run(world, loop, id_))["model"] == "small", "low needs no guarantee"


async def test_part_of_the_sure_is_checked_by_the_last_judge_and_it_decides(world, judging, vendor):
    vendor.models["large"] = saying("unsupported")
    async with judging(cascade_check=1) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)

    assert vendor.asked == ["small", "large"]
    assert (row["model"], row["confidence"]) == ("large", "low")
    assert short(await steps(world, id_)) == [
        (SMALL, "high", True, True, False),
        (LARGE, "low", None, False, True),
    ]


async def test_a_crash_between_two_steps_pays_for_neither_twice(world, judging, vendor):
    vendor.models["small"] = saying("partly")
    async with judging(judges=(SMALL, LARGE)) as loop:
        id_ = await answer(world)
        (lease,) = await world.lifecycle.claim([id_])
        said = verdict(0.6, model="small", quality=None)
        assert await world.lifecycle.record([(lease, NextStep(LARGE, said))]) == {id_}
        # Here the worker dies: the row is the next judge's, and is published again in time.
        row = await world.row(id_)
        assert (row["status"], row["reason"], row["judge_model"]) == ("queued", "cascade", LARGE)
        assert row["enqueued_at"] is not None
        assert await world.lifecycle.record([(lease, NextStep(LARGE, said))]) == set()

        (lease,) = await world.lifecycle.claim([id_])
        # And here with the reply of the last judge on its way.
        await world.expire_lease(lease.id)
        await world.lifecycle.reap()
        row = await run(world, loop, id_)

    assert vendor.asked == ["large"], "the first step is not asked again"
    assert (row["status"], row["model"]) == ("succeeded", "large")
    assert [step["attempt"] for step in await steps(world, id_)] == [1, 3]


async def test_a_judge_that_fails_is_followed_by_the_next(world, judging, vendor):
    vendor.models["small"] = status(503)
    async with judging(fallback_models=["openai:other"]) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)
        assert (row["status"], row["judge_model"], row["tries"]) == ("retrying", SMALL, 1)
        row = await run(world, loop, id_)

    assert vendor.asked == ["small", "small", "middle"]
    assert (row["status"], row["model"], row["fallback_because"]) == ("succeeded", "middle", None)
    failed, decided = await steps(world, id_)
    assert "503" in failed["error"]
    assert (failed["sure"], failed["correctness"], decided["decided"]) == (False, None, True)


async def test_the_fallback_models_stand_behind_the_last_judge(world, judging, vendor):
    vendor.models = {"small": saying("partly"), "large": status(413)}
    async with judging(judges=(SMALL, LARGE), fallback_models=["openai:other"]) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_, times=2)

    assert (row["model"], row["fallback_because"][:13]) == ("other", "openai:large:")
    assert short(await steps(world, id_))[-1][0] == "openai:other"


@pytest.mark.parametrize("refused", [413, 401])
async def test_a_step_that_stands_in_for_the_last_judge_has_the_last_word(
    world, judging, vendor, refused
):
    vendor.models = {"small": saying("partly"), "large": status(refused)}
    async with judging(judges=(SMALL, LARGE), fallback_models=[SMALL]) as loop:
        id_ = await answer(world)
        for _ in range(3):
            row = await run(world, loop, id_)
            await world.lifecycle.fall_back()

    assert vendor.asked == ["small", "large"], "what it said is stored"
    assert (row["status"], row["model"], row["confidence"]) == ("succeeded", "small", "medium")
    first, last = await steps(world, id_)
    assert short([first, last]) == [
        (SMALL, "medium", False, False, False),
        (SMALL, "medium", None, False, True),
    ]
    assert (first["cost_usd"] > 0, last["cost_usd"]) == (True, None), "and paid for once"


async def test_a_paused_judge_is_passed_over_at_the_next_tick(world, judging, vendor):
    vendor.models["small"] = status(401)
    async with judging() as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)
        assert (row["reason"], row["judge_model"]) == ("judge_paused", SMALL)
        assert await world.lifecycle.fall_back() == 1
        row = await world.row(id_)
        assert (row["reason"], row["judge_model"], row["enqueued_at"]) == ("cascade", MIDDLE, None)
        row = await run(world, loop, id_)
        fresh = await answer(world)
        assert await world.lifecycle.fall_back() == 1, "answers that come later as well"
        assert (await world.row(fresh))["judge_model"] == MIDDLE

    assert (row["status"], row["model"]) == ("succeeded", "middle")
    assert (await steps(world, id_))[0]["error"].startswith("paused: ")


async def test_where_the_last_judge_is_paused_answers_wait_for_it(world, judging, vendor):
    vendor.models |= {"small": saying("partly"), "large": status(401)}
    async with judging(judges=(SMALL, LARGE)) as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_)
        assert await world.lifecycle.fall_back() == 0
    assert (row["status"], row["reason"], row["judge_model"]) == ("queued", "judge_paused", LARGE)


async def test_rules_as_a_step_are_not_the_rules_in_a_judges_place(world, judging, vendor):
    never = StepThresholds(low=0.0, high=1.0)
    vendor.models["large"] = status(500)
    async with judging(
        judges=("offline:rules", LARGE), steps={"offline:rules": never}, judge_fallback="rules"
    ) as loop:
        id_ = await answer(world, answer="변성은 77도에서 합니다. [노트 1]")
        row = await run(world, loop, id_, times=2)

    assert vendor.asked == ["large", "large"]
    assert (row["status"], row["degraded"]) == ("succeeded", True)
    assert short(await steps(world, id_)) == [
        ("offline:rules", (await steps(world, id_))[0]["confidence"], False, False, False)
    ]


class TestWithoutACalibrationThatHolds:
    async def test_the_last_judge_judges_alone(self, world, judging, vendor):
        async with judging(steps={}) as loop:
            row = await run(world, loop, await answer(world))
        assert vendor.asked == ["large"]
        assert (row["cascade"], await steps(world, row["id"])) == (None, [])

    async def test_a_judge_without_thresholds_is_not_asked(self, world, judging, vendor):
        async with judging(steps={MIDDLE: StepThresholds(low=None, high=0.9)}) as loop:
            row = await run(world, loop, await answer(world))
        assert vendor.asked == ["middle"]
        assert row["cascade"] == [MIDDLE, LARGE]

    async def test_another_prompt_ends_it_and_answers_under_way_go_on_to_the_last(
        self, world, judging, vendor
    ):
        async with judging(judges=(SMALL, LARGE)) as loop:
            waiting = await answer(world)
            await world.rows(
                "UPDATE evaluation_policies SET cascade_calibration = jsonb_set("
                "cascade_calibration, '{prompt_versions,1}', '\"older\"')"
            )
            fresh = await answer(world)
            assert (await world.row(fresh))["judge_model"] == LARGE
            row = await run(world, loop, waiting)
        assert row["model"] == "large"
        assert [step["sure"] for step in await steps(world, waiting)] == [False, None]


async def test_the_budget_holds_what_the_judge_at_work_may_cost(world, judging, vendor):
    vendor.models["small"] = saying("partly")
    async with judging(judges=("offline:rules", SMALL, LARGE), daily_budget_usd=5) as loop:
        policy = EvaluationPolicy.from_settings(
            settings(model_prices="openai:small=1/1,openai:large=100/100")
        )
        id_ = await answer(world, policy=policy, answer="변성은 77도에서 합니다. [노트 1]")
        row = await world.row(id_)
        free, cheap, dear = row["cascade_costs"]
        assert (row["cost_estimate_usd"], free) == (0, 0)
        assert float(dear) == pytest.approx(100 * float(cheap), rel=1e-4)
        row = await run(world, loop, id_)
    if row["model"] == "large":
        assert row["cost_estimate_usd"] == dear


async def test_judging_again_asks_the_named_judge_alone(world, judging, vendor):
    async with judging(judges=(SMALL, LARGE)) as loop:
        id_ = await answer(world)
        first = await run(world, loop, id_)
        await world.rows(
            "INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, is_current,"
            " evaluators, judge_model, status, queue) SELECT gen_random_uuid(), workspace_id,"
            " answer_id, judge_key || 'again', false, evaluators, %s, 'queued', 'bulk'"
            " FROM qa_evaluations",
            LARGE,
        )
        (again,) = await world.rows("SELECT id FROM qa_evaluations WHERE status = 'queued'")
        row = await run(world, loop, again["id"])
    assert (first["model"], row["model"]) == ("small", "large")
    assert (row["is_current"], await steps(world, row["id"])) == (True, [])


async def test_steps_go_with_their_answer(world, judging):
    async with judging() as loop:
        await run(world, loop, await answer(world))
    assert await world.rows("SELECT 1 FROM qa_cascade_steps")
    await world.rows("DELETE FROM qa_answers")
    assert await world.rows("SELECT 1 FROM qa_cascade_steps") == []
