"""The four phases as part of a verdict: judged, stored and shown."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from api_client import Api, json_of, parse_events
from app.judges.phases.citation import Phase1Result
from app.judges.phases.run import FeedbackResult
from app.platform.errors import PermanentProviderError, ProviderError, TransientProviderError
from app.text.evidence import Evidence
from app.verdicts.answers.finished import AnswerSource
from app.verdicts.lifecycle.outcome import Outcome, Retry, Verdict
from app.verdicts.lifecycle.service import NewEvaluation
from app.verdicts.lifecycle.verdict_rows import score_rows
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from scripted_router import PAID, ScriptedRouter, by_task
from verdict_world import World, settings, store_answers
from workers import judge_once

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTES = (
    AnswerSource("PCR 조건", "변성은 95도에서 30초 동안 한다. 어닐링 온도는 58도이다."),
    AnswerSource("배양기", "배양기는 37도로 맞춘다."),
)
ANSWER = "변성은 95도에서 30초 동안 합니다 [노트 1]. 어닐링은 72도입니다 [노트 7]."
SUPPORTED = {
    "note_index": 1,
    "quote": "변성은 95도에서 30초",
    "reasoning": "",
    "verdict": "supported",
}
EVALUATION = {
    "claims": [SUPPORTED | {"sentence": number} for number in (1, 2)],
    "grounding_issues": [],
    "used_notes": [1],
    "nuggets": [],
    "checklist": [],
    "next_steps": {"suggested_queries": [], "action_items": [], "urgency": "low"},
    "summary": "근거 있음",
    "utility": 0.8,
}
BY_MODEL = ("citation", "completeness:model", "groundedness:model", "next_steps:model")
REPLIES = {
    "search_qa_verdict": EVALUATION,
    "nuggets": {"nuggets": [{"text": "변성 온도", "importance": "vital"}]},
    "nugget_support": {"nuggets": [{"nugget": 1, "support": "partial_support"}]},
    "claims": {
        "claims": [
            {
                "text": "변성은 95도에서 30초 동안 합니다",
                "reasoning": "노트 1에 있습니다.",
                "note_index": 1,
                "quote": "변성은 95도에서 30초",
                "verdict": "supported",
            }
        ]
    },
    "next_steps": {"suggested_queries": ["신장 온도는?"], "action_items": [], "urgency": "medium"},
}


def model_by_task(**changes: Mapping[str, Any] | str | ProviderError) -> ScriptedRouter:
    return ScriptedRouter(respond=by_task(REPLIES | changes), like=PAID)


async def store(world: World, answer: str = ANSWER, **changes: Any) -> NewEvaluation:
    """An answer with its queued row. by: its judge; phases: those that are asked for."""
    policy = EvaluationPolicy.from_settings(
        settings(
            judge_model=changes.pop("by", "offline:rules"),
            phases=changes.pop(
                "phases", ("citation", "completeness", "groundedness", "next_steps")
            ),
            quality_gate=False,
        )
    )
    given = {"sources": NOTES} | changes
    (new,) = await store_answers(world, policy=policy, answer=answer, **given)
    return new


async def judge(
    world: World, new: NewEvaluation, model: ScriptedRouter | None = None, **changes: Any
) -> Outcome:
    def router_for(_: str) -> ScriptedRouter:
        return model or pytest.fail("no model may be asked")

    return await judge_once(world, new.evaluation_id, settings(**changes), router_for)


async def due_again(world: World) -> None:
    await world.rows("UPDATE qa_evaluations SET run_at = now() - interval '1 second'")


async def read_evaluation(api: Api, new: NewEvaluation) -> dict[str, Any]:
    return await json_of(api.client.get(f"/qa-evaluations/{new.evaluation_id}"))


async def judged(api: Api, answer: str = ANSWER, **changes: Any) -> dict[str, Any]:
    """What readers get of an answer that rules have judged."""
    new = await store(api.world, answer, **changes)
    outcome = await judge(api.world, new, domain_pack="waste_sorting")
    assert isinstance(outcome, Verdict), outcome
    return await read_evaluation(api, new)


class TestByRules:
    async def test_claims_are_stored_with_their_place_in_the_answer(self, api):
        await judged(api)

        rows = await api.world.rows("SELECT * FROM qa_claims ORDER BY position")
        assert [ANSWER[row["start_char"] : row["end_char"]] for row in rows] == [
            "변성은 95도에서 30초 동안 합니다",
            "어닐링은 72도입니다",
        ]
        assert [row["claim"] for row in rows] == [
            ANSWER[row["start_char"] : row["end_char"]] for row in rows
        ]
        assert [(row["verdict"], row["note_index"], row["source"]) for row in rows] == [
            ("supported", 1, "rules"),
            ("unsupported", 1, "rules"),
        ]
        assert rows[0]["quote"] == "변성은 95도에서 30초 동안 한다."
        assert rows[0]["quote_found"]

    async def test_every_phase_is_a_score(self, api):
        await judged(api)

        (row,) = await api.world.rows("SELECT * FROM qa_evaluations")
        sources = await api.world.rows("SELECT * FROM qa_evaluation_sources ORDER BY note_index")
        scores = await api.world.rows("SELECT * FROM qa_scores")
        claims = [row[f"claims_{each}"] for each in ("supported", "partly", "unsupported")]
        assert claims == [1, 0, 1]
        assert row["cited_notes"] == [s["note_index"] for s in sources if s["cited"]] == [1]
        assert row["misquoted_notes"] == []
        assert {score["name"]: score["value"] for score in scores} == {
            "context_relevance": 0.5,
            "citation_relevance": 0.7,
            "completeness": 0.0,
            "groundedness": 0.5,
            "next_steps": None,
        }
        assert {score["source"] for score in scores} == {"rules"}
        assert row["overall_score"] == pytest.approx(0.2 * 0.5 + 0.3 * 0 + 0.4 * 0.5 + 0.1)
        assert row["needs_improvement"] is True

    async def test_a_mark_to_a_note_that_does_not_exist_is_an_issue(self, api):
        view = await judged(api)

        rows = await api.world.rows(
            "SELECT detail FROM qa_evaluation_issues WHERE kind = 'citation_unknown_note'"
        )
        assert [row["detail"] for row in rows] == ["7"]
        assert view["feedback"]["citation"]["unknown_notes"] == [7]
        assert view["qa_evaluation"]["flags"] == [], "the fault is the answer's, not the verdict's"

    async def test_readers_get_the_same_by_poll_and_by_event(self, api):
        new = await store(api.world)
        await judge(api.world, new)

        view = await read_evaluation(api, new)
        path = f"/qa-evaluations/{new.evaluation_id}/events"
        (event,) = [
            e for e in parse_events((await api.client.get(path)).text) if e.name == "feedback"
        ]
        assert event.data == view["feedback"] | {
            "evaluation_id": str(new.evaluation_id),
            "degraded": False,
            "judged_by": "rules",
            "provider": "offline",
            "model": "rules",
        }
        claims = event.data["groundedness"]["claims"]
        assert [ANSWER[claim["start"] : claim["end"]] for claim in claims] == [
            claim["claim"] for claim in claims
        ]

    async def test_next_steps_come_from_the_pack(self, api):
        tagged = Evidence("1", "high", NOTES[0].content, ("오염됨",), "contextual", 1)
        view = await judged(api, evidence=[tagged])

        assert view["feedback"]["next_steps"] == {
            "source": "rules",
            "fallback": None,
            "urgency": "medium",
            "suggested_queries": ["가까운 분리수거함 위치가 궁금하시면 물어봐주세요!"],
            "action_items": ["올바른 세척 방법 확인하기"],
        }


class TestWhatThereIsToCheck:
    async def test_without_any_text_there_is_nothing_to_judge(self, api):
        new = await store(api.world, sources=(AnswerSource("제목뿐", " "),))

        view = await read_evaluation(api, new)
        assert (view["status"], view["reason"], view["feedback"]) == ("skipped", "no_context", None)

    async def test_without_evidence_there_is_no_relevance(self):
        nothing = Phase1Result(0.0, [], [], 0.0, [], [])
        rows = score_rows(FeedbackResult(phase1=nothing, sources={"citation": "rules"}))

        assert {row["name"]: row["value"] for row in rows} == {
            "context_relevance": None,
            "citation_relevance": None,
        }

    async def test_phases_that_are_off_leave_no_trace(self, api):
        view = await judged(api, phases=())

        assert view["feedback"] is None
        assert view["qa_evaluation"] is not None
        assert await api.world.rows("SELECT 1 FROM qa_scores UNION SELECT 1 FROM qa_claims") == []
        assert await api.world.rows("SELECT claims_supported AS none FROM qa_evaluations") == [
            {"none": None}
        ]

    async def test_one_phase_alone(self, api):
        view = await judged(api, phases=("groundedness",))

        feedback = view["feedback"]
        assert [feedback[name] for name in ("citation", "completeness", "next_steps")] == [None] * 3
        assert feedback["overall_score"] == pytest.approx(0.9 * 0.5 + 0.1)

    async def test_the_rules_do_what_a_model_should_when_they_are_the_judge(self, api):
        new = await store(api.world, phases=BY_MODEL)

        await judge(api.world, new)

        feedback = (await read_evaluation(api, new))["feedback"]
        assert {feedback[name.removesuffix(":model")]["source"] for name in BY_MODEL} == {"rules"}
        assert {feedback[name.removesuffix(":model")]["fallback"] for name in BY_MODEL} == {None}


class TestByModel:
    """groundedness, completeness and next steps are the model's."""

    async def store(self, api: Api) -> NewEvaluation:
        return await store(api.world, by="openai:scripted", phases=BY_MODEL)

    async def test_what_it_says_is_stored_as_the_judges(self, api):
        new, model = await self.store(api), model_by_task()

        await judge(api.world, new, model)

        view = await read_evaluation(api, new)
        feedback = view["feedback"]
        (claim,) = feedback["groundedness"]["claims"]
        assert ANSWER[claim["start"] : claim["end"]] == claim["claim"]
        assert (claim["quote_found"], feedback["groundedness"]["source"]) == (True, "judge")
        assert feedback["completeness"]["completeness"] == 0.5
        assert feedback["next_steps"]["suggested_queries"] == ["신장 온도는?"]
        assert feedback["citation"]["source"] == "judge"
        assert feedback["overall_score"] == pytest.approx(0.2 * 0.5 + 0.3 * 0.5 + 0.4 + 0.1)
        assert view["cost_usd"] == pytest.approx(0.005)
        assert set(Counter(model.tasks).values()) == {1}

    async def test_stored_replies_are_not_paid_for_twice(self, api):
        """The last call of a first attempt fails; the second attempt asks for that one only."""
        new = await self.store(api)
        model = model_by_task(next_steps=TransientProviderError("busy", status=503))
        assert isinstance(await judge(api.world, new, model), Retry)
        await due_again(api.world)

        second = model_by_task()
        outcome = await judge(api.world, new, second)

        assert isinstance(outcome, Verdict)
        assert second.tasks == ["next_steps"]
        view = await read_evaluation(api, new)
        assert (view["attempt"], view["cost_usd"]) == (2, pytest.approx(0.005))

    async def test_after_the_last_try_rules_do_that_phase_and_say_why(self, api):
        new = await self.store(api)
        model = model_by_task(next_steps=TransientProviderError("busy", status=503))

        await judge(api.world, new, model, max_attempts=1)

        view = await read_evaluation(api, new)
        feedback = view["feedback"]
        assert (view["status"], view["degraded"], view["provider"]) == (
            "succeeded",
            False,
            "openai",
        )
        assert (feedback["next_steps"]["source"], feedback["next_steps"]["fallback"]) == (
            "rules",
            "transient: busy",
        )
        assert feedback["groundedness"]["source"] == "judge", "what was paid for is kept"
        assert feedback["completeness"]["source"] == "judge"

    async def test_when_the_judge_is_lost_all_of_it_is_by_rules(self, api):
        refusals = dict.fromkeys(REPLIES, PermanentProviderError("content filter"))
        new, model = await self.store(api), model_by_task(**refusals)

        await judge(api.world, new, model)

        view = await read_evaluation(api, new)
        assert (view["degraded"], view["provider"]) == (True, "offline")
        assert view["feedback"]["groundedness"]["source"] == "rules"
