"""Guarantees of judges over HTTP: from labels of drawn answers to verdicts that are lowered."""

import datetime as dt
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from analytics_rows import NOON, put_label, put_verdict
from api_client import Api, open_api
from app.judges.prompts.one_call import HISTORY_VERSION
from app.quality.review.calibration_labels import read_labels, thinned
from app.verdicts.lifecycle.outcome import Verdict
from app.verdicts.policy.service import policy_of
from app.workspaces.service import ensure_workspace
from cases import for_each
from verdict_world import World, settings, store_answers, verdict
from workers import CALIBRATED_AT, set_cascade

PATH = "/settings/evaluation"
CALIBRATIONS = f"{PATH}/calibrations"
PERIOD = {"since": "2026-03-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"}
MODEL = "openai:gpt-4o-mini"


@dataclass
class Here:
    """A workspace whose judge is MODEL, by the prompt of this release."""

    api: Api
    workspace_id: uuid.UUID
    prompt: str

    async def put(self, count: int, right: int, correctness: float, **values: Any) -> None:
        """Verdicts, of which people would find the first `right` right; the question says which."""
        before = len(await self.api.world.rows("SELECT id FROM qa_answers"))
        answer = values.pop("answer", {})
        for n in range(count):
            # The same answers are kept in each run, since that goes by a hash of the id.
            about = {"id": uuid.UUID(int=before + n + 1), "question": "right", **answer}
            if n >= right:
                about["question"] = "partly"
            given = {"prompt_version": self.prompt, "correctness": correctness, **values}
            await put_verdict(self.api.world, self.workspace_id, answer=about, **given)

    async def label(self, limit: int = 1_000, **draw: object) -> None:
        """Draws up to 1,000 answers, and labels the first of them."""
        body = {"size": 1_000, "seed": 7, **PERIOD, **draw}
        response = await self.api.client.post("/review/samples", json=body)
        assert response.status_code == 201, response.text
        rows = await self.api.world.rows(
            "SELECT e.id, a.question FROM review_items i"
            " JOIN qa_evaluations e ON e.answer_id = i.answer_id AND e.is_current"
            " JOIN qa_answers a ON a.id = i.answer_id WHERE i.draw_id = %s"
            " ORDER BY i.position LIMIT %s",
            *(response.json()["id"], limit),
        )
        for row in rows:
            await put_label(self.api.world, self.workspace_id, row["id"], row["question"])

    async def calibrate(self, **body: object) -> dict[str, Any]:
        """What came of the one judge."""
        response = await self.api.client.post(CALIBRATIONS, json=body)
        assert response.status_code == 200, response.text
        (found,) = response.json()["judges"]
        return dict(found)

    async def policy(self) -> dict[str, Any]:
        return dict((await self.api.client.get(PATH)).json())

    async def guarantee(self, **verdict_values: Any) -> dict[str, Any] | None:
        """Of a verdict with these values, as its reader gets it."""
        given = {"prompt_version": self.prompt, "summary": "…", **verdict_values}
        later = NOON + dt.timedelta(days=60)  # not to be drawn
        id_ = await put_verdict(self.api.world, self.workspace_id, at=later, **given)
        view = (await self.api.client.get(f"/qa-evaluations/{id_}")).json()
        return view["qa_evaluation"]["guarantee"]


@pytest.fixture
async def here(world: World, redis_url: str) -> AsyncIterator[Here]:
    async with open_api(world, redis_url, openai_api_key="sk-test", judge_model=MODEL) as api:
        async with world.sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
            policy = await policy_of(session, workspace_id, settings(judge_model=MODEL))
        ((_, prompt),) = policy.judge_versions
        yield Here(api, workspace_id, prompt)


async def good_above_nine(here: Here) -> None:
    """120 answers that score .95, all right, and 60 that score .85, half of them right."""
    await here.put(120, 120, 0.95)
    await here.put(60, 30, 0.85)
    await here.label()


async def test_the_lowest_score_with_the_precision_is_stored(here):
    await good_above_nine(here)

    found = await here.calibrate(precision=0.95, confidence=0.9)

    assert (found["outcome"], found["judge_model"]) == ("guaranteed", MODEL)
    assert (found["highs"], found["covered"], found["labels"], found["used"]) == (180,) * 4
    threshold = found["threshold"]
    assert (threshold["score"], threshold["labels"], threshold["right"]) == (0.95, 120, 120)
    assert threshold["bound"] == pytest.approx(0.1 ** (1 / 120))
    assert found["stays_high"] == pytest.approx(2 / 3)
    policy = await here.policy()
    (stored,) = policy["calibrations"]
    assert policy["version"] == stored["policy_version"] == 1
    assert set(policy["policy"].values()) == {None}
    assert (stored["judge_model"], stored["prompt_version"]) == (MODEL, here.prompt)
    assert (stored["threshold"], stored["labels"], stored["labels_right"]) == (0.95, 120, 120)
    assert stored["lapsed"] is False


async def test_the_badge_says_what_was_promised_and_for_whom(here):
    assert await here.guarantee() is None, "nothing is calibrated"
    await good_above_nine(here)
    await here.calibrate()

    holds = await here.guarantee(correctness=0.97)
    assert holds
    assert (holds["state"], holds["precision"], holds["confidence"]) == ("holds", 0.95, 0.9)
    assert (holds["labels"], holds["labels_right"]) == (120, 120)
    dialogue = {"prompt_version": f"{here.prompt}+{HISTORY_VERSION}"}
    assert await here.guarantee(correctness=0.97, **dialogue) == holds
    states = [
        await here.guarantee(correctness=0.9),
        await here.guarantee(correctness=0.97, prompt_version="another"),
        await here.guarantee(correctness=0.97, judge_model="openai:gpt-4o"),
    ]
    assert [one and one["state"] for one in states] == ["below", "lapsed", "lapsed"]
    assert await here.guarantee(confidence="medium") is None
    assert await here.guarantee(degraded=True, provider="offline") is None


async def test_verdicts_below_the_threshold_are_recorded_as_medium(here):
    world = here.api.world
    await here.put(10, 0, 0.4, confidence="low")
    await good_above_nine(here)
    await here.calibrate()

    async def recorded(correctness: float, **values: Any) -> tuple[dict[str, Any], list[str]]:
        (new,) = await store_answers(world)
        await world.rows(
            "UPDATE qa_evaluations SET judge_model = %s WHERE id = %s", MODEL, new.evaluation_id
        )
        (lease,) = await world.lifecycle.claim([new.evaluation_id])
        given = high(correctness, **{"prompt_version": here.prompt, **values})
        await world.lifecycle.record([(lease, given)])
        issues = await world.rows(
            "SELECT kind, detail FROM qa_evaluation_issues WHERE evaluation_id = %s", lease.id
        )
        return await world.row(lease.id), [f"{row['kind']}:{row['detail']}" for row in issues]

    row, flags = await recorded(0.85)
    assert (row["confidence"], row["correctness"]) == ("medium", 0.85)
    assert flags == ["confidence_lowered:below_guarantee"]
    assert row["probability"] == pytest.approx(0.5)
    row, flags = await recorded(0.97)
    assert (row["confidence"], row["probability"], flags) == ("high", 1, [])
    row, _ = await recorded(0.4)
    assert row["probability"] == 0
    row, _ = await recorded(0.9)
    assert row["probability"] == pytest.approx(0.75), "half way from .85 to .95"
    for values in ({"prompt_version": "another"}, {"degraded_because": "it failed"}):
        row, flags = await recorded(0.85, **values)
        assert (row["confidence"], row["probability"], flags) == ("high", None, [])
    (shown,) = await world.rows(
        "SELECT probability FROM analytics.verdicts WHERE probability BETWEEN 0.4 AND 0.6"
    )
    assert shown["probability"] == pytest.approx(0.5)


def high(correctness: float, **values: Any) -> Verdict:
    """A verdict with high confidence and nothing that speaks against it."""
    given = verdict(correctness, **values)
    clean = {"confidence": "high", "grounding_issues": [], "flags": []}
    return given._replace(evaluation=given.evaluation.model_copy(update=clean))


class TestWithoutAGuarantee:
    async def test_it_says_the_best_that_can_be_reached(self, here):
        await here.put(120, 112, 0.95)
        await here.label()

        found = await here.calibrate()

        assert (found["outcome"], found["threshold"], found["withdrawn"]) == (
            *("not_reached", None),
            False,
        )
        assert (found["best"]["score"], found["best"]["right"]) == (0.95, 112)
        assert 0.88 < found["best"]["bound"] < 0.91
        assert found["more_labels"] > 100
        policy = await here.policy()
        assert (policy["calibrations"], policy["version"]) == ([], 0)

    async def test_labels_that_speak_against_an_earlier_one_withdraw_it(self, here):
        await good_above_nine(here)
        await here.calibrate(precision=0.9)
        await here.put(100, 50, 0.95)
        await here.label()

        stricter = await here.calibrate(precision=0.95)
        assert (stricter["outcome"], stricter["withdrawn"]) == ("not_reached", False)
        assert len((await here.policy())["calibrations"]) == 1, "it promises less than was asked"
        same = await here.calibrate(precision=0.9)

        assert (same["outcome"], same["withdrawn"]) == ("not_reached", True)
        policy = await here.policy()
        assert (policy["calibrations"], policy["version"]) == ([], 2)

    async def test_too_few_labels(self, here):
        await here.put(60, 60, 0.95)
        await here.label(limit=30)
        found = await here.calibrate()
        assert (found["outcome"], found["more_labels"]) == ("too_few_labels", 15)

    async def test_a_judge_that_never_says_high(self, here):
        await here.put(50, 50, 0.6, confidence="medium")
        await here.label()
        assert (await here.calibrate())["outcome"] == "no_highs"

    async def test_a_judge_that_the_policy_names_no_more(self, here):
        await here.put(60, 60, 0.95, prompt_version="an older prompt")
        await here.label()
        assert (await here.calibrate())["outcome"] == "not_in_policy"
        assert (await here.policy())["version"] == 0

    @for_each("body", [{}, {"judge_model": "openai:gpt-9"}])
    async def test_no_labels_are_refused(self, here, body):
        await here.put(3, 3, 0.95)
        response = await here.api.client.post(CALIBRATIONS, json=body)
        assert response.status_code == 422
        assert response.json()["type"].endswith("no-labels")
        assert "/review/samples" in response.json()["detail"]

    @for_each("body", [{"precision": 1}, {"precision": 0}, {"confidence": 0.2}, {"target": 0.9}])
    async def test_an_impossible_precision_is_refused(self, here, body):
        response = await here.api.client.post(CALIBRATIONS, json=body)
        assert response.status_code == 422


async def test_a_dry_run_stores_nothing(here):
    await good_above_nine(here)
    assert (await here.calibrate(dry_run=True))["outcome"] == "guaranteed"
    assert (await here.policy())["calibrations"] == []


async def test_what_was_lowered_counts_as_high_when_calibrating_again(here):
    lowered = {"confidence": "medium", "issues": [("confidence_lowered", "below_guarantee")]}
    await here.put(60, 60, 0.95)
    await here.put(60, 60, 0.85, **lowered)
    await here.label()

    found = await here.calibrate()

    assert (found["highs"], found["threshold"]["score"], found["stays_high"]) == (120, 0.85, 1)


async def test_strata_without_a_label_are_named(here):
    await here.put(60, 60, 0.95)
    await here.label()
    await here.put(40, 0, 0.95, answer={"lang": "en"})
    await here.label(limit=0, stratify=["lang"])

    found = await here.calibrate()

    assert (found["highs"], found["covered"], found["strata"]) == (100, 60, ["en"])
    assert found["threshold"]["labels"] == 60


async def test_small_strata_get_no_more_than_their_share(here):
    await here.put(300, 300, 0.95)
    await here.put(30, 30, 0.95, answer={"lang": "en"})
    await here.label(size=120, stratify=["lang"])

    found = await here.calibrate()

    # By the square roots of their sizes 91 Korean and 29 English answers are drawn; of the English
    # ones about 9 are left, as many as of 100 answers.
    assert found["labels"] == 120
    assert 92 < found["used"] < 110


async def test_draws_made_meanwhile_are_left_out(here, monkeypatch):
    await here.put(100, 100, 0.95)
    await here.label(size=60)
    execute = AsyncSession.execute
    begun = False

    async def execute_and_draw(*args: Any) -> Any:
        nonlocal begun
        found = await execute(*args)
        if not begun:
            begun = True
            await here.label(limit=0, size=2)
            begun = False
        return found

    async with here.api.world.sessions.begin() as session:
        monkeypatch.setattr(AsyncSession, "execute", execute_and_draw)
        frame, judges = await read_labels(session, here.workspace_id, None, ())

    (answers,) = judges.values()
    used = thinned(answers, frame)
    assert (used.highs, len(used.scores)) == (100, 60)


async def test_a_guarantee_is_for_one_cascade_with_its_thresholds(here):
    judges, hour = ["openai:gpt-4o", MODEL], dt.timedelta(hours=1)
    server = settings(judge_model=MODEL, openai_api_key="sk-test")
    await here.put(60, 60, 0.95)
    await set_cascade(here.api.world, server, judges)
    about = {"cascade": judges, "judge_model": MODEL}
    await here.put(60, 60, 0.9, **about, started_at=CALIBRATED_AT + hour)
    await here.label()

    found = await here.calibrate()
    assert (found["highs"], found["outcome"]) == (60, "guaranteed"), "those alone do not count"
    (stored,) = (await here.policy())["calibrations"]
    assert (stored["cascade"], stored["lapsed"]) == (judges, False)
    states = [await here.guarantee(**about), await here.guarantee()]
    assert [one and one["state"] for one in states] == ["holds", "lapsed"]

    # With other thresholds the last judge gets other answers.
    await set_cascade(here.api.world, server, judges, at=CALIBRATED_AT + 2 * hour)
    assert (await here.policy())["calibrations"] == []
    response = await here.api.client.post(CALIBRATIONS, json={})
    assert response.status_code == 422, "labels of earlier verdicts do not count"
    await here.put(60, 60, 0.9, **about, started_at=CALIBRATED_AT + 3 * hour)
    await here.label()
    assert (await here.calibrate())["highs"] == 60


async def test_removing_them_makes_high_what_the_judge_calls_high(here):
    await good_above_nine(here)
    await here.calibrate()

    response = await here.api.client.delete(CALIBRATIONS)

    assert response.status_code == 204
    policy = await here.policy()
    assert (policy["calibrations"], policy["version"]) == ([], 2)
    assert await here.guarantee(correctness=0.97) is None
    await here.api.client.delete(CALIBRATIONS)
    assert (await here.policy())["version"] == 2, "there was nothing to remove"


async def test_a_changed_judge_makes_it_lapse(here):
    await good_above_nine(here)
    await here.calibrate()
    await here.api.client.put(PATH, json={"judge_model": "openai:gpt-4o"})

    (stored,) = (await here.policy())["calibrations"]

    assert stored["lapsed"] is True
