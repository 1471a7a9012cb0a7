"""Answers judged again: priced, asked for over HTTP, judged by a stub model, stopped, resumed."""

import asyncio
import uuid
from typing import Any

import pytest

from api_client import Api, open_api
from app.judges.verdict_prompts import VERDICT_PROMPTS
from app.quality.rejudging import job as rejudge_job
from app.quality.rejudging.job import store_counts
from app.verdicts.lifecycle.outcome import Failure, Fallback
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually, for_each
from judge_replies import CORRECTNESS, VERDICT, by_request, schema_name, well
from stub_server import Exchange, answer, reply_text, status
from verdict_world import World, settings, store_answers, verdict
from worker.batched_lifecycle import BatchedLifecycle
from workers import jobs_done, judged, recheck_once

MODEL = "openai:stub"
FIRST, SHORT, *_ = VERDICT_PROMPTS
ESTIMATE, START = "/evaluation/rejudge/estimate", "/evaluation/rejudge"
ALL = {"everything": True, "judge_model": MODEL}


@pytest.fixture
def models(judge):
    """Settings under which the stub can be asked, and fails at once when it fails."""
    return {"openai_base_url": judge.base_url, "max_attempts": 1, "breaker_failures": 1000}


@pytest.fixture
async def api(world, redis_url, models):
    """Rules judge what is asked; the model judges again."""
    async with open_api(world, redis_url, **models) as api:
        yield api


async def judged_by_rules(world: World, count: int, **changes: object) -> list[uuid.UUID]:
    """Evaluations, as rules would have left them."""
    new = await store_answers(world, count, **changes)
    ids = [one.evaluation_id for one in new]
    claims = await world.lifecycle.claim(ids)
    by_rules = verdict(0.7, provider="offline", model="rules", prompt_version="rules-1")
    await world.lifecycle.record([(claim, by_rules) for claim in claims])
    return ids


async def start_job(api: Api, **body: object) -> str:
    response = await api.client.post(START, json=ALL | body)
    assert response.status_code == 202, response.text
    assert response.headers["Location"].endswith(response.json()["job"]["id"])
    return str(response.json()["job"]["id"])


async def wait_for_job(api: Api, job_id: str) -> dict[str, Any]:
    async def final() -> dict[str, Any] | None:
        seen = (await api.client.get(f"{START}/jobs/{job_id}")).json()
        return seen if seen["job"]["status"] not in {"queued", "running", "retrying"} else None

    return await eventually(final)


async def verdicts_of(api: Api, evaluation_id: uuid.UUID) -> list[dict[str, Any]]:
    """All of the same answer, the oldest first."""
    view = (await api.client.get(f"/qa-evaluations/{evaluation_id}")).json()
    page = await api.client.get("/qa-evaluations", params={"answer_id": view["answer_id"]})
    rows = sorted(page.json()["items"], key=lambda each: each["created_at"])
    return [(await api.client.get(f"/qa-evaluations/{row['id']}")).json() for row in rows]


class Gate:
    """Lets requests through one by one."""

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(0)

    async def __call__(self, exchange: Exchange) -> None:
        await self.room.acquire()
        await well()(exchange)


class TestAnEstimate:
    async def test_counts_answers_calls_and_tokens_and_says_why_it_has_no_price(self, api):
        await judged_by_rules(api.world, 3)
        await store_answers(api.world, 1, sources=())

        estimate = (await api.client.post(ESTIMATE, json=ALL)).json()

        assert (estimate["answers"], estimate["matching"]) == (4, 4)
        assert (estimate["to_judge"], estimate["judged"], estimate["not_judged"]) == (3, 0, 1)
        assert estimate["calls"] == 3, "one for each"
        assert 3 * 500 < estimate["prompt_tokens"] < 3 * 5_000
        assert estimate["cost_usd"] is None
        assert MODEL in estimate["unpriced"]

    async def test_of_chosen_evaluations_counts_their_answers_once(self, api):
        ids = await judged_by_rules(api.world, 3)
        no_notes, *_ = await store_answers(api.world, 1, sources=())
        waiting, *_ = await store_answers(api.world, 1)
        chosen = [ids[0], ids[2], no_notes.evaluation_id, waiting.evaluation_id, uuid.uuid4()]
        body = {"judge_model": MODEL, "filter": {"evaluation_ids": [*map(str, chosen)]}}

        estimate = (await api.client.post(ESTIMATE, json=body)).json()

        assert (estimate["matching"], estimate["to_judge"], estimate["not_judged"]) == (3, 2, 1)

    async def test_of_a_known_model_has_a_price_that_depends_on_the_prompt(self, api):
        await judged_by_rules(api.world, 2)
        body = ALL | {"judge_model": "openai:gpt-4o-mini"}

        short = (await api.client.post(ESTIMATE, json=body)).json()
        long = (await api.client.post(ESTIMATE, json=body | {"prompt": SHORT})).json()

        assert 0 < long["cost_usd"] < 0.01
        assert 0 < short["cost_usd"] != long["cost_usd"]
        assert (short["prompt"], long["prompt"]) == (FIRST, SHORT)

    async def test_leaves_out_what_the_judge_has_done_already(self, api):
        await judged_by_rules(api.world, 2)

        estimate = (await api.client.post(ESTIMATE, json={"everything": True})).json()
        refused = await api.client.post(START, json={"everything": True})

        assert (estimate["to_judge"], estimate["judged"], estimate["cost_usd"]) == (0, 2, 0)
        assert refused.status_code == 409
        assert refused.json()["detail"].startswith("All 2 answers that match have been judged by")
        assert await api.world.rows("SELECT id FROM jobs") == []

    async def test_filters_by_answer_and_verdict(self, api):
        ids = await judged_by_rules(api.world, 2)
        await judged_by_rules(api.world, 1, lang="en", feature="insight")
        await api.world.rows("UPDATE qa_evaluations SET correctness = 0.2 WHERE id = %s", ids[0])

        async def matching(**which: object) -> int:
            response = await api.client.post(ESTIMATE, json={"filter": which})
            assert response.status_code == 200, response.text
            return int(response.json()["matching"])

        assert await matching() == 3
        assert await matching(lang="en") == await matching(feature="insight") == 1
        assert await matching(correctness_below=0.5) == 1
        assert await matching(correctness_below=0.5, lang="en") == 0
        assert await matching(confidence="low") == await matching(status="failed") == 0
        assert await matching(judge_model="offline:rules", degraded=False) == 3
        assert await matching(since="2020-01-01T00:00:00Z") == 3
        assert await matching(until="2020-01-01T00:00:00Z") == 0
        assert await matching(notebook_id=str(uuid.uuid4())) == 0


class TestARefusal:
    async def test_of_a_filter_that_matches_nothing(self, api):
        await judged_by_rules(api.world, 1)
        response = await api.client.post(START, json=ALL | {"filter": {"confidence": "low"}})
        assert (response.status_code, response.json()["type"]) == (
            409,
            "urn:searchqa:problem:nothing-matches",
        )

    @for_each("which", [{}, {"lang": "ko"}])
    async def test_of_one_that_matches_everything_unasked(self, api, which):
        await judged_by_rules(api.world, 2)
        body = {"judge_model": MODEL, "filter": which}
        response = await api.client.post(START, json=body)
        assert response.status_code == 409
        assert response.json()["type"].endswith("matches-everything")
        assert await api.world.rows("SELECT id FROM jobs") == []

    @for_each(
        ("choice", "message"),
        [
            ({"prompt": SHORT}, "offline:rules judges by rules, not by prompts"),
            ({"judge_model": MODEL, "prompt": "v9"}, "There is no prompt 'v9'"),
            ({"judge_model": "offline:extractive"}, "answers and does not judge"),
            ({"judge_model": "gpt"}, "is not a model name"),
            ({"judge_model": "anthropic:claude-x"}, "need a key"),
        ],
    )
    async def test_of_a_judge_that_there_is_not(self, api, choice, message):
        response = await api.client.post(START, json={"everything": True} | choice)
        assert response.status_code == 422
        assert message in response.json()["detail"]


class TestJudgingAgain:
    async def test_a_new_verdict_takes_the_place_of_the_old_one_which_stays(
        self, api, judge, models
    ):
        ids = await judged_by_rules(api.world, 3)

        async with jobs_done(api.world, **models), judged(api.world, **models):
            seen = await wait_for_job(api, await start_job(api, prompt=SHORT))

        assert (seen["job"]["status"], seen["job"]["done"], seen["job"]["total"]) == (
            *("succeeded", 3),
            3,
        )
        assert (seen["progress"]["succeeded"], seen["progress"]["failed"]) == (3, 0)
        assert {schema_name(request.json) for request in judge.requests} == {VERDICT}
        for id_ in ids:
            old, new = await verdicts_of(api, id_)
            assert (old["is_current"], new["is_current"]) == (False, True)
            assert old["current_id"] == new["current_id"] == new["id"]
            assert old["qa_evaluation"]["correctness"] == 0.7
            assert new["qa_evaluation"]["correctness"] == CORRECTNESS
            assert SHORT in new["prompt_version"]
            assert await api.world.events(id_) == ["queued", "running", "succeeded", "succeeded"]
        rows = await api.world.rows("SELECT judge_key, queue FROM qa_evaluations WHERE is_current")
        assert {row["queue"] for row in rows} == {"bulk"}
        assert all(MODEL in row["judge_key"] and SHORT in row["judge_key"] for row in rows)

    async def test_counts_on_the_day_of_the_answer(self, api, models):
        await judged_by_rules(api.world, 1)
        both = "SELECT e.answered_at, a.created_at FROM qa_evaluations e JOIN qa_answers a"
        (row,) = await api.world.rows(f"{both} ON a.id = e.answer_id")
        assert row["answered_at"] == row["created_at"]
        await api.world.rows("UPDATE qa_answers SET created_at = created_at - interval '1 day'")

        async with jobs_done(api.world, **models), judged(api.world, **models):
            await wait_for_job(api, await start_job(api))

        (row,) = await api.world.rows(f"{both} ON a.id = e.answer_id WHERE e.is_current")
        assert row["answered_at"] == row["created_at"]

    async def test_of_chosen_evaluations_takes_no_others_even_if_they_are_all(self, api, models):
        ids = await judged_by_rules(api.world, 3)

        async def chosen(*evaluation_ids: uuid.UUID) -> int:
            about = {"evaluation_ids": [*map(str, evaluation_ids)]}
            job_id = await start_job(api, filter=about, everything=False)
            return (await wait_for_job(api, job_id))["progress"]["succeeded"]

        async with jobs_done(api.world, **models), judged(api.world, **models):
            assert await chosen(ids[1]) == 1
            assert [len(await verdicts_of(api, id_)) for id_ in ids] == [1, 2, 1]
            assert await chosen(*ids) == 2

    async def test_the_usual_prompt_and_another_are_two_verdicts(self, api, models):
        (id_,) = await judged_by_rules(api.world, 1)

        async with jobs_done(api.world, **models), judged(api.world, **models):
            await wait_for_job(api, await start_job(api))
            await wait_for_job(api, await start_job(api, prompt=SHORT))
            again = await api.client.post(START, json=ALL | {"prompt": FIRST})

        found = await verdicts_of(api, id_)
        assert [each["is_current"] for each in found] == [False, False, True]
        scores = [each["qa_evaluation"]["correctness"] for each in found]
        assert scores == [0.7, CORRECTNESS, CORRECTNESS]
        assert again.json()["type"].endswith("judged-already")

    @pytest.mark.parametrize("bad", [status(500), answer(reply_text("nonsense")), status(401)])
    async def test_one_that_fails_leaves_the_old_verdict_and_may_be_tried_again(
        self, api, judge, models, bad
    ):
        (id_,) = await judged_by_rules(api.world, 1)
        judge.default = by_request(**{VERDICT: bad})

        async with jobs_done(api.world, **models), judged(api.world, **models):
            job_id = await start_job(api)

            async def tried() -> object:
                return await api.world.rows(
                    "SELECT id FROM qa_evaluations WHERE attempt > 0 AND NOT is_current"
                    " AND (status = 'failed' OR reason = 'judge_paused')"
                )

            await eventually(tried)
            old, new = await verdicts_of(api, id_)
            assert old["is_current"], "and no rules' verdict in its place"
            assert new["qa_evaluation"] is None
            judge.default = well()
            if new["status"] == "failed":
                seen = await wait_for_job(api, job_id)
                assert (seen["progress"]["failed"], seen["job"]["status"]) == (1, "succeeded")
                job_id = await start_job(api)
            else:
                await api.client.post(f"/judges/{MODEL}/resume")
            assert (await wait_for_job(api, job_id))["progress"]["succeeded"] == 1

        old, new = await verdicts_of(api, id_)
        assert (old["is_current"], new["is_current"]) == (False, True)
        assert new["qa_evaluation"]["correctness"] == CORRECTNESS

    async def test_of_what_was_never_judged_fills_the_gap(self, api, models):
        (skipped,) = await store_answers(api.world, 1)
        await api.world.rows("UPDATE qa_evaluations SET status = 'skipped', reason = 'sampled_out'")

        async with jobs_done(api.world, **models), judged(api.world, **models):
            body = {"everything": True, "filter": {"status": "skipped"}}
            response = await api.client.post(START, json=body)
            await wait_for_job(api, response.json()["job"]["id"])

        (view,) = await verdicts_of(api, skipped.evaluation_id)
        assert (view["status"], view["is_current"], view["provider"]) == (
            *("succeeded", True),
            "offline",
        )

    async def test_of_one_answer(self, api, models):
        (id_,) = await judged_by_rules(api.world, 1)
        path, choice = f"/qa-evaluations/{id_}/rejudge", {"judge_model": MODEL}

        asked = await api.client.post(path, json=choice)
        twice = await api.client.post(path, json=choice)
        same = await api.client.post(path)
        async with judged(api.world, **models):

            async def verdict_is_current() -> bool:
                view = (await api.client.get(asked.headers["Location"])).json()
                return bool(view["is_current"])

            await eventually(verdict_is_current)

        assert (asked.status_code, twice.status_code, same.status_code) == (202, 409, 409)
        assert (await api.client.get(f"/qa-evaluations/{id_}")).json()["is_current"] is False

    async def two_claimed(self, api):
        """A verdict by rules, and two that were asked for in its place."""
        (id_,) = await judged_by_rules(api.world, 1)
        for prompt in (FIRST, SHORT):
            choice = {"judge_model": MODEL, "prompt": prompt}
            await api.client.post(f"/qa-evaluations/{id_}/rejudge", json=choice)
        waiting = await api.world.rows("SELECT id FROM qa_evaluations WHERE status = 'queued'")
        return id_, await api.world.lifecycle.claim([row["id"] for row in waiting])

    async def assert_both_kept(self, api, recorded):
        assert recorded == [True, True]
        rows = await api.world.rows("SELECT status, is_current FROM qa_evaluations")
        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert sum(row["is_current"] for row in rows) == 1

    async def test_two_verdicts_on_one_answer_at_the_same_moment_are_both_kept(self, api):
        _, claims = await self.two_claimed(api)
        hot_path = BatchedLifecycle(api.world.lifecycle)

        recorded = await asyncio.gather(*(hot_path.record(each, verdict()) for each in claims))

        await self.assert_both_kept(api, recorded)

    async def test_two_verdicts_of_two_workers_at_the_same_moment_are_both_kept(self, api):
        id_, claims = await self.two_claimed(api)

        async with api.world.pool.connection() as held, held.transaction():
            # Both begin while the old verdict still counts.
            await held.execute("SELECT FROM qa_evaluations WHERE id = %s FOR UPDATE", [id_])
            workers = [BatchedLifecycle(api.world.lifecycle) for _ in claims]
            recording = [
                asyncio.create_task(worker.record(claim, verdict()))
                for worker, claim in zip(workers, claims, strict=True)
            ]

            async def both_wait() -> bool:
                rows = await api.world.rows(
                    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    " AND datname = current_database()"
                )
                return len(rows) == 2

            await eventually(both_wait)
        recorded = await asyncio.gather(*recording)

        await self.assert_both_kept(api, recorded)

    async def test_by_the_judge_that_is_asked_for_though_another_has_stood_in_for_it(self, api):
        policy = EvaluationPolicy.from_settings(settings(judge_model=MODEL))
        (new,) = await store_answers(api.world, 1, policy=policy)
        (claim,) = await api.world.lifecycle.claim([new.evaluation_id])
        await api.world.lifecycle.record([(claim, Fallback("openai:other", "down"))])
        (claim,) = await api.world.lifecycle.claim([new.evaluation_id])
        await api.world.lifecycle.record([(claim, Failure("permanent: no"))])

        path = f"/qa-evaluations/{new.evaluation_id}/rejudge"
        response = await api.client.post(path, json={"judge_model": MODEL})

        row = await api.world.row(new.evaluation_id)
        assert response.json()["id"] == str(row["id"])
        assert (row["status"], row["judge_model"], row["fallback_because"]) == (
            *("queued", MODEL),
            None,
        )

    async def test_a_worker_that_lost_its_lease_takes_no_verdicts_place(self, api):
        (id_,) = await judged_by_rules(api.world, 1)
        new = await api.client.post(f"/qa-evaluations/{id_}/rejudge", json={"judge_model": MODEL})
        new_id = uuid.UUID(new.json()["id"])
        (claim,) = await api.world.lifecycle.claim([new_id])
        await api.world.expire_lease(new_id)
        await api.world.lifecycle.reap()

        assert await api.world.lifecycle.record([(claim, verdict())]) == set()

        assert (await api.world.row(id_))["is_current"]


class TestAJob:
    async def test_goes_on_where_a_dead_process_left_it(self, api, judge, models, monkeypatch):
        monkeypatch.setattr(rejudge_job, "BATCH", 2)
        await judged_by_rules(api.world, 5)
        judge.default = gate = Gate()
        job_id = await start_job(api)
        async with judged(api.world, **models):
            async with jobs_done(api.world, **models):
                await judge.until_in_flight(5)
            (left,) = await api.world.rows("SELECT status, attempt FROM jobs")
            assert left == {"status": "queued", "attempt": 1}, "given back"
            for _ in range(5):
                gate.room.release()
            async with jobs_done(api.world, **models):
                seen = await wait_for_job(api, job_id)

        assert (seen["job"]["status"], seen["job"]["attempt"]) == ("succeeded", 2)
        assert (seen["progress"]["total"], seen["progress"]["succeeded"]) == (5, 5)
        assert judge.count == 5, "nothing is judged twice"

    async def test_cancelling_it_leaves_unstarted_work(self, api, judge, models):
        ids = await judged_by_rules(api.world, 6)
        judge.default = gate = Gate()
        narrow = models | {"max_in_flight": 1, "judge_model": MODEL}
        async with judged(api.world, **narrow), jobs_done(api.world, **models):
            job_id = await start_job(api)
            await judge.until_in_flight(1)
            cancelled = await api.client.post(f"/jobs/{job_id}/cancel")
            for _ in range(6):
                gate.room.release()

            async def none_pending() -> bool:
                seen = (await api.client.get(f"{START}/jobs/{job_id}")).json()
                return bool(seen["progress"]["pending"] == 0)

            await eventually(none_pending)

        assert cancelled.json()["status"] == "cancelled"
        seen = (await api.client.get(f"{START}/jobs/{job_id}")).json()["progress"]
        assert (seen["succeeded"], seen["cancelled"], seen["failed"]) == (1, 5, 0)
        assert judge.count == 1
        kept = [(await api.world.row(id_))["is_current"] for id_ in ids]
        assert sorted(kept) == [False, *[True] * 5]
        rows = await api.world.rows("SELECT DISTINCT reason FROM qa_evaluations WHERE reason <> ''")
        assert [row["reason"] for row in rows] == ["cancelled"]

    async def test_has_only_so_many_answers_waiting_at_once(self, api, judge, models, monkeypatch):
        monkeypatch.setattr(rejudge_job, "BATCH", 2)
        monkeypatch.setattr(rejudge_job, "WINDOW", 3)
        await judged_by_rules(api.world, 9)
        judge.default = gate = Gate()
        async with judged(api.world, **models), jobs_done(api.world, **models):
            job_id = await start_job(api)
            await judge.until_in_flight(4)
            looks = "SELECT state->>'after' AS after, done FROM jobs"
            before = await api.world.rows(looks)
            for _ in range(4):
                gate.room.release()
            await eventually(lambda: api.world.rows(looks), when=lambda found: found != before)
            seen = (await api.client.get(f"{START}/jobs/{job_id}")).json()
            for _ in range(100):
                gate.room.release()
            end = await wait_for_job(api, job_id)

        assert seen["progress"]["pending"] <= 3 + 2
        assert (seen["job"]["total"], end["progress"]["succeeded"]) == (9, 9)

    async def test_reads_what_ended_long_ago_once(self, api, models):
        await judged_by_rules(api.world, 3)
        async with jobs_done(api.world, **models), judged(api.world, **models):
            end = await wait_for_job(api, await start_job(api))
        of_the_job = "WHERE job_id IS NOT NULL"
        await api.world.rows(
            "UPDATE qa_evaluations SET finished_at = finished_at - interval '2 min' WHERE id ="
            f" ANY(ARRAY(SELECT id FROM qa_evaluations {of_the_job} LIMIT 2))"
        )
        job_id = uuid.UUID(end["job"]["id"])
        (row,) = await api.world.rows("SELECT workspace_id FROM jobs")
        for _ in range(2):
            async with api.world.sessions.begin() as session:
                await store_counts(session, row["workspace_id"], job_id)

        assert await wait_for_job(api, str(job_id)) == end
        await api.world.rows(f"UPDATE qa_evaluations SET prompt_tokens = 0 {of_the_job}")
        tokens = (await wait_for_job(api, str(job_id)))["progress"]["prompt_tokens"]
        assert tokens == end["progress"]["prompt_tokens"] / 3 * 2, "of the third only"

    async def test_of_another_kind_is_not_shown_as_one(self, api):
        response = await api.client.get(f"{START}/jobs/{uuid.uuid4()}")
        assert response.status_code == 404


class TestADegradedVerdict:
    """Rules stood in for the model; when it is back it judges itself."""

    @staticmethod
    async def degraded(world: World, count: int, judging: dict[str, object]) -> list[uuid.UUID]:
        """Answers that were asked while the judge was down."""
        ids = await store_due_answers(world, count, judging)

        async def all_judged() -> bool:
            rows = await world.rows("SELECT degraded FROM qa_evaluations WHERE id = ANY(%s)", ids)
            return all(row["degraded"] for row in rows)

        await eventually(all_judged)
        return ids

    async def test_is_judged_again_once_its_judge_serves_others(self, api, judge, models):
        judging = models | {"judge_model": MODEL}
        async with judged(api.world, **judging):
            judge.default = status(500)
            ids = await self.degraded(api.world, 3, judging)
            assert await recheck_once(api.world, pause=300) == 0, "nobody knows that it is back"
            judge.default = well()
            (fresh,) = await store_due_answers(api.world, 1, judging)
            await eventually(lambda: is_real(api.world, fresh))

            assert await recheck_once(api.world, pause=300) == 3
            assert await recheck_once(api.world, pause=300) == 0, "once each"
            for id_ in ids:
                await eventually(lambda id_=id_: is_real(api.world, id_))

        old, new = await verdicts_of(api, ids[0])
        assert (old["degraded"], old["is_current"], old["provider"]) == (True, False, "offline")
        assert (new["degraded"], new["is_current"], new["provider"]) == (False, True, "openai")
        assert old["current_id"] == new["id"]
        assert (await api.world.events(ids[0]))[-2:] == ["succeeded", "succeeded"]
        keys = [(await api.world.row(uuid.UUID(each["id"])))["judge_key"] for each in (old, new)]
        assert keys[0] == f"{keys[1]}/degraded"
        assert await recheck_once(api.world, pause=0) == 0, "nothing is left to do"

    async def test_is_probed_one_at_a_time_without_traffic(self, api, judge, models):
        judging = models | {"judge_model": MODEL}
        async with judged(api.world, **judging):
            judge.default = status(500)
            ids = await self.degraded(api.world, 3, judging)

            async def settled() -> bool:
                query = "SELECT id FROM qa_evaluations WHERE status IN ('queued', 'running')"
                return not await api.world.rows(query)

            for _ in range(3):
                assert await recheck_once(api.world, pause=0) == 1
                await eventually(settled)
            rows = await api.world.rows("SELECT status FROM qa_evaluations WHERE NOT is_current")
            assert [row["status"] for row in rows] == ["failed"], "always the same one"
            judge.default = well()
            assert await recheck_once(api.world, pause=0) == 1
            await eventually(settled)
            assert await recheck_once(api.world, pause=0) == 2, "it is back: all others"
            for id_ in ids:
                await eventually(lambda id_=id_: is_real(api.world, id_))

    async def test_is_left_when_its_judge_fails_on_it_while_it_serves_others(
        self, api, judge, models
    ):
        judging = models | {"judge_model": MODEL}
        async with judged(api.world, **judging):
            judge.default = status(500)
            (id_,) = await self.degraded(api.world, 1, judging)
            judge.default = well()
            (fresh,) = await store_due_answers(api.world, 1, judging)
            await eventually(lambda: is_real(api.world, fresh))
            judge.default = status(500)
            assert await recheck_once(api.world, pause=0) == 1

            async def failed() -> object:
                return await api.world.rows("SELECT id FROM qa_evaluations WHERE status = 'failed'")

            await eventually(failed)
            judge.default = well()
            (fresh,) = await store_due_answers(api.world, 1, judging)
            await eventually(lambda: is_real(api.world, fresh))

            assert await recheck_once(api.world, pause=0) == 0
        assert (await api.world.row(id_))["is_current"], (
            "the stand-in's verdict is better than none"
        )


async def store_due_answers(
    world: World, count: int, judging: dict[str, object]
) -> list[uuid.UUID]:
    policy = EvaluationPolicy.from_settings(settings(**judging))
    new = await store_answers(world, count, policy=policy)
    await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE status = 'queued'")
    return [one.evaluation_id for one in new]


async def is_real(world: World, evaluation_id: uuid.UUID) -> bool:
    """Whether the answer's current verdict is the judge's own."""
    rows = await world.rows(
        "SELECT c.status, c.degraded FROM qa_evaluations e JOIN qa_evaluations c"
        " ON c.answer_id = e.answer_id AND c.is_current WHERE e.id = %s",
        evaluation_id,
    )
    return bool(rows[0]["status"] == "succeeded" and not rows[0]["degraded"])
