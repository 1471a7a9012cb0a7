"""A poor answer is improved by a job, step by step, and its reader is offered the better one."""

import asyncio
import uuid
from typing import Any

import pytest

import samples
from api_client import Api, parse_events
from app.platform.errors import TransientProviderError
from cases import for_each
from refinements import BODY, NOTES, SCRIPT, by_scripted_judge, judged_answer, poor_verdict, work

pytestmark = pytest.mark.asyncio(loop_scope="module")

PACK = """
name: kidneys
lang: ko
title: 콩팥
tags:
  - name: 신장_저하
    keywords: [신장 기능]
    instruction: 신장 수치를 먼저 확인합니다.
"""


async def answer_to_improve(api: Api) -> str:
    """The evaluation of a poor answer whose improvement was asked for."""
    id_ = await judged_answer(api)
    await api.client.post(f"/qa-evaluations/{id_}/refine")
    return id_


class TestImproving:
    async def test_the_better_answer_is_stored_with_every_step(self, api):
        id_ = await judged_answer(api)

        asked = await api.client.post(f"/qa-evaluations/{id_}/refine")
        model = await work(api, *SCRIPT)

        view = (await api.client.get(asked.headers["Location"])).json()
        first, second = view["iterations"]
        assert (view["status"], view["stop_reason"], view["best_iteration"]) == (
            "succeeded",
            "threshold",
            1,
        )
        assert first["overall_score"] == 0.42
        # Not the .5 of the settings: a verdict below .7 had offered it.
        assert view["threshold"] == 0.7
        assert first["missing_info"] == samples.MISSING
        assert (second["query"], second["rewritten_by"]) == (samples.REWRITTEN, "llm")
        assert samples.KIDNEY.title in {document["title"] for document in second["documents"]}
        assert second["answer"] == samples.BETTER_ANSWER
        assert view["lift"] == pytest.approx(second["overall_score"] - 0.42)
        assert (second["searched"], first["needs_retrieval"]) == (True, True)
        assert (first["judged_by"], first["correctness"]) == (second["judged_by"], 0.3)
        assert (second["correctness"], second["utility"]) == (0.5, 0.8)
        assert (view["correctness_lift"], view["utility_lift"]) == (0.2, 0.4)
        # One for the first evaluation; query, answer, evaluation and verdict of the second round.
        assert (first["calls"], second["calls"]) == (1, 4)
        assert (view["relevance"], view["targeted_retrieval"]) == ("words", 1.0)
        assert (view["first_recall"], view["last_recall"]) == (pytest.approx(2 / 3), 1.0)
        assert samples.PROFILE in model.asked[0].prompt
        unchanged = (await api.client.get(f"/qa-evaluations/{id_}")).json()
        assert unchanged["answer"] == samples.FIRST_ANSWER
        assert unchanged["refinement"]["best_iteration"] == 1

    async def test_a_reader_is_offered_the_better_answer(self, api):
        id_ = await answer_to_improve(api)
        path = f"/qa-evaluations/{id_}/events"

        from_the_start = api.client.get(path, headers={"Last-Event-ID": "0-0"})

        response, _ = await asyncio.gather(from_the_start, work(api, *SCRIPT))

        events = parse_events(response.text)
        assert [event.data["status"] for event in events if event.name == "refinement"] == [
            "running",
            "succeeded",
        ]
        assert events[-1].name == "refined_answer"
        assert events[-1].data["answer"] == samples.BETTER_ANSWER
        again = await api.client.get(path, headers={"Last-Event-ID": events[-1].id or ""})
        assert again.status_code == 204

    async def test_a_worse_answer_is_not_offered(self, api):
        id_ = await answer_to_improve(api)
        worse = samples.evaluation(grounding_score=0.1)

        await work(api, samples.evaluation(), samples.REWRITTEN, "모릅니다.", worse)

        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        assert (view["stop_reason"], view["best_iteration"], view["lift"]) == ("no_gain", 0, 0.0)
        path = f"/qa-evaluations/{id_}/events"
        received = parse_events((await api.client.get(path, headers={"Last-Event-ID": "0-0"})).text)
        assert "refined_answer" not in {event.name for event in received}

    async def test_it_goes_on_where_it_was_cut_off(self, api):
        id_ = await answer_to_improve(api)

        await work(api, *SCRIPT[:2], TransientProviderError("busy"))
        second = await work(api, *SCRIPT[2:])

        assert len(second.asked) == 3, "what was paid for is not asked for again"
        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        assert view["best_iteration"] == 1

    @pytest.mark.parametrize("cut_off", [False, True])
    async def test_the_better_answer_is_given_what_the_domain_pack_says(
        self, api, tmp_path, cut_off
    ):
        pack = tmp_path / "kidneys.yaml"
        pack.write_text(PACK, encoding="utf-8")
        await answer_to_improve(api)

        model = await work(
            api,
            *SCRIPT[:2],
            *([TransientProviderError("busy")] if cut_off else SCRIPT[2:]),
            domain_pack=str(pack),
        )
        if cut_off:
            again = await work(api, *SCRIPT[2:], domain_pack=str(pack))
            assert again.asked[0].prompt == model.asked[2].prompt

        assert "- 신장_저하: 신장 수치를 먼저 확인합니다." in model.asked[2].prompt

    async def test_one_at_a_time(self, api):
        id_ = await judged_answer(api)

        first, second = [
            (await api.client.post(f"/qa-evaluations/{id_}/refine")).json() for _ in range(2)
        ]

        assert first["id"] == second["id"]

    async def test_cancelled_it_ends_and_sends_its_final_event(self, api):
        id_ = await judged_answer(api)
        refinement = (await api.client.post(f"/qa-evaluations/{id_}/refine")).json()["id"]

        await api.client.post(f"/jobs/{refinement}/cancel")

        path = f"/qa-evaluations/{id_}/events"
        received = parse_events((await api.client.get(path, headers={"Last-Event-ID": "0-0"})).text)
        assert [e.data["status"] for e in received if e.name == "refinement"] == ["cancelled"]

    async def test_a_forgotten_answer_takes_its_job_with_it(self, api):
        id_ = await answer_to_improve(api)
        answer_id = (await api.client.get(f"/qa-evaluations/{id_}")).json()["answer_id"]

        await api.client.delete(f"/answers/{answer_id}")

        for table in ("refinements", "refinement_iterations", "jobs"):
            assert await api.world.rows(f"SELECT 1 FROM {table}") == [], table


class TestAskingForIt:
    async def test_an_answer_that_was_not_made_from_notes(self, api):
        chat = {"feature": "writing", "content": "초대장을 써 주세요."}
        quality = (await api.client.post("/ai/chat", json=chat)).json()["quality"]

        response = await api.client.post(f"/qa-evaluations/{quality['evaluation_id']}/refine")

        assert (response.status_code, response.json()["type"]) == (
            409,
            "urn:searchqa:problem:not-from-notes",
        )

    @for_each(
        "body", [{"threshold": 1.5}, {"threshold": False}, {"max_iterations": 0}, {"why": "?"}, {}]
    )
    async def test_what_is_out_of_range_or_not_there_is_refused(self, api, body):
        response = await api.client.post(f"/qa-evaluations/{uuid.uuid4()}/refine", json=body)

        assert response.status_code == (422 if body else 404)


class TestLaterRounds:
    async def test_an_answer_whose_notes_suffice_is_rewritten_from_them(self, api):
        id_ = await answer_to_improve(api)

        model = await work(
            api, samples.evaluation(needs_retrieval=False), samples.BETTER_ANSWER, *SCRIPT[3:]
        )

        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        first, second = view["iterations"]
        assert (first["needs_retrieval"], second["searched"]) == (False, False)
        assert (second["query"], second["rewritten_by"]) == (first["query"], None)
        assert second["documents"] == first["documents"]
        assert (view["best_iteration"], view["targeted_retrieval"]) == (1, None)
        asked = model.asked[1].prompt
        assert f"<draft>\n{samples.FIRST_ANSWER}\n</draft>" in asked
        assert f"- {samples.MISSING[0]}" in asked

    async def test_what_the_judge_of_the_first_answer_scores_lower_is_not_offered(self, api):
        id_ = await answer_to_improve(api)

        await work(api, *SCRIPT[:4], samples.judged(supported=0, utility=0.4))

        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        assert (view["stop_reason"], view["best_iteration"]) == ("lower_verdict", 0)
        assert (view["lift"], view["correctness_lift"]) == (0.0, pytest.approx(-0.3))

    async def test_a_judge_that_fails_at_the_end_leaves_the_better_answer(self, api):
        id_ = await answer_to_improve(api)

        busy = TransientProviderError("busy")
        model = await work(api, *SCRIPT[:4], *[busy] * 20)

        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        assert (view["best_iteration"], view["correctness_lift"]) == (1, None)
        assert view["iterations"][1]["verdict_error"] == "transient: busy"
        assert len(model.asked) == 4 + 5, "as often as a job is tried"

    async def test_an_answer_that_cannot_be_had_ends_with_what_there_is(self, api):
        id_ = await answer_to_improve(api)
        busy = TransientProviderError("busy")

        await work(api, *SCRIPT[:2], busy, max_attempts=2)
        await work(api, busy, max_attempts=2)

        (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
        assert (view["status"], view["stop_reason"]) == ("succeeded", "failed")
        assert [each["calls"] for each in view["iterations"]] == [1, 3]


class TestByItself:
    async def poor_verdict(self, api: Api, auto_refine: bool) -> list[dict[str, Any]]:
        await api.client.post("/notes/import", json={"notebook": "약", "notes": NOTES})
        await api.client.post("/qa-evaluations", json=BODY)
        await api.world.rows("UPDATE qa_evaluations SET auto_refine = %s", auto_refine)
        await by_scripted_judge(api)
        await api.judge_next(poor_verdict())
        return await api.world.rows("SELECT * FROM refinements")

    async def test_a_poor_answer_is_improved_when_the_policy_says_so(self, api):
        (refinement,) = await self.poor_verdict(api, auto_refine=True)
        assert refinement["automatic"]

        await work(api, *SCRIPT)

        view = (await api.client.get(f"/refinements/{refinement['id']}")).json()
        assert view["best_iteration"] == 1

    async def test_and_not_otherwise(self, api):
        assert await self.poor_verdict(api, auto_refine=False) == []
