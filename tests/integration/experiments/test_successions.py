"""Successions of judges over HTTP, with two model servers that disagree by design."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from analytics_rows import put, put_label
from api_client import Api, open_api
from app.experiments.queries import JUDGE_SUCCESSION
from app.experiments.succession.job import judge_succession_part
from app.verdicts.policy.service import policy_of
from cases import TIMEOUT_SECONDS, eventually, for_each
from judge_replies import scoring, well
from judge_replies import verdict as reply
from stub_server import Json, StubServer, answer, reply_text, status
from verdict_world import judged, set_policy, settings
from worker.job_loop import JobLoop

PATH = "/judges/successions"
OLD, NEW, STEP = "openai:gpt-4o-mini", "house:next", "house:small"
ENGLISH = {"lang": "en", "answer": "Denaturation takes place at 95 degrees. [Note 1]"}
GUARANTEE = {"judge_model": OLD, "precision": 0.9, "confidence": 0.9, "threshold": 0.9}
GUARANTEE |= {"labels": 60, "labels_right": 60, "stays_high": 1, "scores": [1], "chances": [1]}


def strict(request: Json) -> str:
    """Finds nothing that supports an English sentence."""
    bearing = "unsupported" if "Denaturation" in str(request["messages"][-1]) else "supported"
    return json.dumps(reply(request, bearing), ensure_ascii=False)


@dataclass
class Judges:
    """The old judge, which finds all supported, and the new one."""

    api: Api
    old: StubServer
    new: StubServer

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "openai_base_url": self.old.base_url,
            "openai_api_key": "sk-test",
            "servers": f"house={self.new.base_url}",
            "max_attempts": 2,
            "retry_base": 0.01,
            "model_prices": f"{NEW}=1/2",
        }

    async def post(self, path: str, expected: int = 200, **body: object) -> dict[str, Any]:
        response = await self.api.client.post(f"{PATH}{path}", json=body)
        assert response.status_code == expected, response.text
        return response.json()

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """What has all jobs done once, as far as they can be."""
        handlers = {JUDGE_SUCCESSION: judge_succession_part}
        now = settings(**self.settings)
        loop = JobLoop(now, self.api.world.url, handlers, lambda _: None)

        async def work() -> None:
            jobs = await self.api.world.rows("SELECT id FROM jobs")
            await asyncio.wrap_future(loop.submit([job["id"] for job in jobs]))

        await asyncio.to_thread(loop.start)
        try:
            yield work
        finally:
            await asyncio.to_thread(loop.close)

    async def compare(self, **body: object) -> dict[str, Any]:
        """A succession once a worker has brought it to its end."""
        begun = await self.post("", 202, **{"old": OLD, "new": NEW} | body)
        async with self.worker() as work, asyncio.timeout(TIMEOUT_SECONDS):
            while (found := await self.read(begun["id"]))["status"] in {"pending", "running"}:
                await work()
                await asyncio.sleep(0.02)
        return found

    async def read(self, id_: str) -> dict[str, Any]:
        return (await self.api.client.get(f"{PATH}/{id_}")).json()

    async def policy(self) -> dict[str, Any]:
        return (await self.api.client.get("/settings/evaluation")).json()


@pytest.fixture
async def judges(world, redis_url) -> AsyncIterator[Judges]:
    async with StubServer(well()) as old, StubServer(answer(strict)) as new:
        found = Judges(None, old, new)  # type: ignore[arg-type]  # the API takes their addresses
        async with open_api(world, redis_url, **found.settings) as api:
            found.api = api
            await set_policy(world, settings(**found.settings), judge_model=OLD)
            yield found


async def store(judges: Judges, korean: int, english: int, **labels: str) -> None:
    """Answers with a verdict, a label for all of a language."""
    world = judges.api.world
    news = [await judged(world) for _ in range(korean)]
    news += [await judged(world, **ENGLISH) for _ in range(english)]
    (workspace,) = await world.rows("SELECT id FROM workspaces")
    for new, lang in zip(news, ["ko"] * korean + ["en"] * english, strict=True):
        if lang in labels:
            await put_label(world, workspace["id"], new.evaluation_id, labels[lang])


def shifts(summary: dict[str, Any], group: str) -> dict[str, Any]:
    return {each["value"]: each for each in summary["shifts"] if each["group"] == group}


async def test_a_succession_is_priced_compared_switched_and_undone(judges):
    await store(judges, 30, 30, en="wrong")
    fields = {"judge_model": OLD, "cascade": [STEP, OLD], "fallback_models": [NEW]}
    fields |= {"sample_rate": 0.5}
    workspace_id = await set_policy(judges.api.world, settings(**judges.settings), **fields)
    version = (await judges.api.world.rows("SELECT prompt_version FROM qa_evaluations"))[0]
    about = GUARANTEE | version | {"workspace_id": workspace_id, "policy_version": 1}
    await put(judges.api.world, "judge_calibrations", **about, cascade=[STEP, OLD])
    before = await judges.policy()

    cost = await judges.post("/estimate", old=OLD, new=NEW)
    assert (cost["answers"], cost["labelled"], cost["too_dear"], cost["calls"]) == (60, 30, 0, 120)
    assert cost["cost_usd"] > 0
    half = await judges.post("/estimate", old=OLD, new=NEW, max_cost_usd=cost["cost_usd"] / 2)
    assert half["answers"] + half["too_dear"] == 60
    assert half["labelled"] == min(half["answers"], 30), "labelled answers come first"
    assert half["cost_usd"] <= cost["cost_usd"] / 2
    assert judges.old.count + judges.new.count == 0

    done = await judges.compare()
    found = done["summary"]
    assert (done["status"], done["done"], done["failed"]) == ("completed", 120, 0)
    assert (judges.old.count, judges.new.count) == (60, 60)
    assert (found["pairs"], found["labelled"], found["objections"]) == (60, 30, [])
    assert found["agreement"]["exact"] == pytest.approx(0.5)
    people = found["people"]
    assert (people["first"], people["second"]) == (0, 1)
    assert people["interval"]["low"] > 0
    by_lang = shifts(found, "lang")
    assert (by_lang["ko"]["difference"], by_lang["ko"]["comparable"]) == (0, "yes")
    assert (by_lang["en"]["difference"], by_lang["en"]["comparable"]) == (-1, "no")
    assert {each["figure"]: each["comparable"] for each in found["shifts"]}["high"] == "no"
    assert found["new"]["usd_per_1000"]["value"] > 0
    assert found["new"]["seconds"]["interval"]["low"] > 0
    assert await judges.policy() == before, "a comparison changes nothing"

    switched = await judges.post(f"/{done['id']}/switch")
    now = await judges.policy()
    assert switched["switched_at"]
    assert not switched["forced"]
    changed = {"judge_model": NEW, "cascade": [STEP, NEW], "fallback_models": []}
    assert now["policy"] == before["policy"] | changed
    assert [each["lapsed"] for each in now["calibrations"]] == [True]
    refused = await judges.post(f"/{done['id']}/switch", 409)
    assert refused["type"].endswith("succession-switched")

    # What changed meanwhile stays; a guarantee that is gone comes back.
    await judges.api.world.rows("DELETE FROM judge_calibrations")
    await judges.api.world.rows("UPDATE evaluation_policies SET sample_rate = 0.25")
    undone = await judges.post(f"/{done['id']}/undo")
    now = await judges.policy()
    assert undone["undone_at"]
    assert now["policy"] == before["policy"] | {"sample_rate": 0.25}
    assert [each["judge_model"] for each in now["calibrations"]] == [OLD]
    await judges.post(f"/{done['id']}/undo", 409)
    (listed,) = (await judges.api.client.get(PATH)).json()["items"]
    assert listed["undone_at"]

    log = (await judges.api.client.get("/audit-events?limit=200")).json()["items"]
    by_route = {
        (event["kind"], event["origin"].split()[2].rpartition("/")[2]): event
        for event in log
        if event["via"] == "api" and event["action"] == "update"
    }
    assert by_route["succession", "switch"]["after"].keys() >= {"switched_at"}
    assert by_route["succession", "undo"]["after"].keys() == {"undone_at"}
    assert by_route["policy", "switch"]["before"]["judge_model"] == OLD
    assert by_route["policy", "undo"]["after"]["judge_model"] == OLD


async def guaranteed(judges: Judges, answers: int, labels: int, label: str = "right") -> None:
    """OLD has a guarantee, and so many of the drawn answers are labelled."""
    world = judges.api.world
    for _ in range(answers):
        await judged(world, answer="변성은 95도에서 합니다. [노트 1]")
    (workspace,) = await world.rows("SELECT id FROM workspaces")
    async with world.sessions() as session:
        policy = await policy_of(session, workspace["id"], settings(**judges.settings))
    about = {"workspace_id": workspace["id"], "policy_version": 1}
    about |= {"prompt_version": policy.versions_of([OLD])[0]}
    await put(world, "judge_calibrations", **GUARANTEE, **about)
    drawn = await judges.api.client.post("/review/samples", json={"size": answers, **PERIOD})
    assert drawn.status_code == 201, drawn.text
    items = await world.rows(
        "SELECT e.id FROM review_items i JOIN qa_evaluations e ON e.answer_id = i.answer_id"
        " ORDER BY i.position LIMIT %s",
        labels,
    )
    for item in items:
        await put_label(world, workspace["id"], item["id"], label)


PERIOD = {"since": "2020-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z"}


async def in_force(judges: Judges) -> list[str]:
    found = (await judges.policy())["calibrations"]
    return [each["judge_model"] for each in found if not each["lapsed"]]


async def test_a_guarantee_goes_over_where_the_labels_show_that_it_holds(judges):
    await guaranteed(judges, 40, 30)
    assert await in_force(judges) == [OLD]

    done = await judges.compare()
    foreseen = done["summary"]["guarantee"]
    assert (foreseen["judge_model"], foreseen["outcome"]) == (NEW, "guaranteed")
    assert (foreseen["labels"], foreseen["highs"]) == (30, 40)
    assert await in_force(judges) == [OLD], "a comparison changes nothing"

    switched = await judges.post(f"/{done['id']}/switch")
    assert switched["summary"]["guarantee"] == foreseen
    assert await in_force(judges) == [NEW]
    (held,) = [each for each in (await judges.policy())["calibrations"] if not each["lapsed"]]
    assert (held["precision"], held["confidence"], held["labels"]) == (0.9, 0.9, 30)

    await judges.post(f"/{done['id']}/undo")
    assert [each["judge_model"] for each in (await judges.policy())["calibrations"]] == [OLD]
    assert await in_force(judges) == [OLD]


@pytest.mark.parametrize(
    ("labels", "label", "outcome"), [(21, "right", "too_few_labels"), (30, "wrong", "not_reached")]
)
async def test_a_guarantee_that_labels_do_not_show_is_off_until_calibrated(
    judges, labels, label, outcome
):
    await guaranteed(judges, 30, labels, label)
    done = await judges.compare()
    switched = await judges.post(f"/{done['id']}/switch", force=True)
    assert switched["summary"]["guarantee"]["outcome"] == outcome
    assert await in_force(judges) == []


async def test_a_successor_that_fails_on_half_of_the_sample_is_not_switched_to(judges):
    async def half(exchange: Any) -> None:
        broken = "Denaturation" in str(exchange.request.json["messages"][-1])
        await (answer(reply_text("I cannot say.")) if broken else well())(exchange)

    judges.new.default = half
    await store(judges, 10, 10)
    before = await judges.policy()

    done = await judges.compare()
    found = done["summary"]
    assert (found["new"]["failed"], found["pairs"]) == (10, 10)
    assert found["objections"] == ["fails", "too_few"]
    refused = await judges.post(f"/{done['id']}/switch", 409)
    assert "gave no verdict on 10 of 20 answers (first error: malformed: " in refused["detail"]
    assert await judges.policy() == before

    forced = await judges.post(f"/{done['id']}/switch", force=True)
    assert forced["forced"]
    assert (await judges.policy())["policy"]["judge_model"] == NEW
    await set_policy(judges.api.world, settings(**judges.settings), judge_model=STEP)
    refused = await judges.post(f"/{done['id']}/undo", 409)
    assert refused["type"].endswith("judges-changed-since")


async def test_one_that_agrees_less_with_people_is_objected_to(judges):
    await store(judges, 0, 30, en="right")
    found = (await judges.compare())["summary"]
    assert found["objections"] == ["less_accurate"]


async def test_an_old_judge_that_is_gone_is_stood_for_by_its_stored_verdicts(judges):
    judges.old.default = status(404)
    await store(judges, 30, 0)
    found = (await judges.compare())["summary"]
    assert (found["old"]["stored"], found["old"]["failed"], found["pairs"]) == (30, 0, 30)
    assert found["objections"] == []


async def test_rules_may_follow_a_model(judges):
    await store(judges, 1, 0)
    done = await judges.compare(new="offline:rules")
    assert (done["status"], done["failed"]) == ("completed", 0)
    assert done["summary"]["new"]["usd_per_1000"]["value"] == 0
    await judges.post(f"/{done['id']}/switch", force=True)
    assert (await judges.policy())["policy"]["judge_model"] == "offline:rules"


async def test_both_judge_by_the_criteria_in_force_at_their_price(judges):
    await store(judges, 3, 0)
    gone = "evaluators || array['criterion:gone@1:model']"
    await judges.api.world.rows(f"UPDATE qa_evaluations SET evaluators = {gone} RETURNING id")
    without = await judges.post("/estimate", old=OLD, new=NEW)
    tone = {"name": "tone", "question": "Is it polite?", "scale": ["rude", "polite"]}
    short = {"name": "short", "question": "Is it short?", "kind": "length", "max_chars": 5}
    for body in (tone, short):
        assert (await judges.api.client.post("/criteria", json=body)).status_code == 201
    judges.old.default, judges.new.default = scoring(tone="polite"), scoring(tone="rude")

    dearer = await judges.post("/estimate", old=OLD, new=NEW)
    found = (await judges.compare())["summary"]

    assert dearer["prompt_tokens"] > without["prompt_tokens"]
    shown = ("first", "second", "answers", "alike")
    by_name = {
        each["value"]: tuple(each[name] for name in shown)
        for each in found["shifts"]
        if each["figure"] == "criterion"
    }
    assert by_name == {"short": (0, 0, 3, 1), "tone": (1, 0, 3, 0)}


async def test_the_daily_budget_holds_it_back(judges):
    fields = {"judge_model": OLD, "daily_budget_usd": 0.0001}
    await set_policy(judges.api.world, settings(**judges.settings), **fields)
    await store(judges, 2, 0)
    await judges.post("", 202, old=OLD, new=NEW)
    async with judges.worker() as work:

        async def waiting() -> list[dict[str, Any]]:
            await work()
            return await judges.api.world.rows("SELECT * FROM jobs WHERE status = 'retrying'")

        (job,) = await eventually(waiting)
    assert job["error"].startswith("budget_")
    assert judges.old.count + judges.new.count <= 1
    (listed,) = (await judges.api.client.get(PATH)).json()["items"]
    assert (listed["status"], listed["failed"]) == ("running", 0)


@for_each(
    ("body", "code", "name"),
    [
        ({"old": NEW}, 422, "invalid-request"),
        ({"old": STEP}, 422, "judge-not-used"),
        ({"new": "nobody:model"}, 422, "unusable-model"),
        ({"new": "offline:extractive"}, 422, "unusable-model"),
        ({"new": STEP, "max_cost_usd": 1}, 422, "unpriced-model"),
        ({"max_cost_usd": 1e-9}, 409, "succession-too-dear"),
        ({"max_cost_usd": 0}, 422, "invalid-request"),
    ],
)
async def test_an_impossible_succession_is_refused(judges, body, code, name):
    await store(judges, 1, 0)
    refused = await judges.post("", code, **{"old": OLD, "new": NEW} | body)
    assert refused["type"].rpartition(":")[2] == name, refused
    assert await judges.api.world.rows("SELECT id FROM judge_successions") == []


async def test_nothing_to_compare_on_is_said(judges):
    refused = await judges.post("/estimate", 409, old=OLD, new=NEW)
    assert refused["type"].endswith("nothing-to-judge")


async def test_it_can_be_cancelled_and_deleted(judges):
    await store(judges, 2, 0)
    begun = await judges.post("", 202, old=OLD, new=NEW)
    refused = await judges.post(f"/{begun['id']}/switch", 409)
    assert refused["type"].endswith("succession-under-way")
    assert (await judges.post(f"/{begun['id']}/cancel"))["status"] == "cancelled"
    assert (await judges.api.client.delete(f"{PATH}/{begun['id']}")).status_code == 204
    assert await judges.api.world.rows("SELECT id FROM judge_trials") == []
