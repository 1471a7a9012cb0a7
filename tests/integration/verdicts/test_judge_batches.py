"""Rows that are judged in batches of their judge's provider: collected, handed in, read, judged."""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from decimal import Decimal
from typing import Any

import pytest

from api_client import Api, open_api
from app.ai_router.batches.openai import OpenAIBatches
from app.ai_router.batches.protocol import BatchLimits, BatchReply
from app.ai_router.types import ChatResponse
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.platform.errors import InvalidRequest, ProviderError, TransientProviderError
from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import add
from app.verdicts.batches import batch as batch_work
from app.verdicts.policy.judge_prices import JudgePrices
from batch_world import (
    ANTHROPIC,
    OPENAI,
    all_ended,
    all_judged,
    batch_settings,
    batching,
    collecting,
    rows_for_batches,
    stub_with_batches,
)
from cases import eventually
from stub_batches import Fate, StubBatches
from stub_server import StubServer, status
from verdict_world import World, set_policy, settings
from workers import jobs_done, judged

# What comes instead of a reply, and of what nothing comes.
ERRORS: tuple[Fate, ...] = ("refused", "overloaded", "expired")
SILENT: tuple[Fate, ...] = ("broken", "lost")
# Judged in several requests.
LONG = "변성은 95도에서 합니다. [노트 1] " * 800
JUDGES = pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with stub_with_batches() as stub:
        yield stub


@pytest.fixture
def batches(stub: StubServer) -> StubBatches:
    assert stub.batches is not None
    return stub.batches


async def reasons(world: World) -> Counter[str]:
    rows = await world.rows("SELECT reason FROM qa_evaluations WHERE finished_at IS NULL")
    return Counter(row["reason"] for row in rows)


async def batch_in(world: World, state: str) -> dict[str, Any]:
    query = "SELECT * FROM judge_batches WHERE state = %s"
    return (await eventually(lambda: world.rows(query, state)))[0]


async def files_deleted(batches: StubBatches) -> None:
    await eventually(lambda: not batches.files)


async def run_batches(
    world: World,
    stub: StubServer,
    count: int,
    judge: str = OPENAI,
    *,
    until: Awaitable[None] | None = None,
    **answer: object,
) -> list[dict[str, Any]]:
    """The batches, once so many answers have their verdicts, and `until` is over."""
    ids = await rows_for_batches(world, count, judge, **answer)
    async with batching(world, **batch_settings(stub)):
        rows = await all_judged(world, ids)
        batches = await all_ended(world)
        if until:
            await until
    assert [row["status"] for row in rows] == ["succeeded"] * count
    return batches


class TestTheReply:
    async def test_is_one_to_a_prompt_that_fits_the_context(self, world, stub):
        stub.models.append({"id": OPENAI.partition(":")[2], "max_model_len": 2048})

        await run_batches(world, stub, 1)

        assert stub.count == 0, "the worker would ask the same"
        issues = await world.rows("SELECT kind FROM qa_evaluation_issues")
        assert {"kind": "prompt_shortened"} in issues

    @JUDGES
    async def test_makes_the_verdict_without_a_call(self, world, stub, batches, judge):
        ids = await rows_for_batches(world, 3, judge)

        async with batching(world, **batch_settings(stub)):
            rows = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert all(row["is_current"] and not row["degraded"] for row in rows)
        assert not any(row["from_cache"] for row in rows)
        assert (stub.count, batches.stats()["paid"]) == (0, 3), "no call"
        assert (batch["state"], batch["error"]) == ("ended", None)
        assert (batch["answers"], batch["requests"], batch["stored"]) == (3, 3, 3)
        calls = await world.rows("SELECT * FROM judge_calls")
        found = {(call["evaluation_id"], call["attempt"]) for call in calls}
        assert found == {(id_, 1) for id_ in ids}
        assert all(call["batched"] and call["content"] for call in calls)
        assert {call["latency_ms"] for call in calls} == {None}, "nobody knows how long a line took"
        assert sum(call["cost_usd"] for call in calls) == batch["cost_usd"] > 0
        assert sum(row["cost_usd"] for row in rows) == batch["cost_usd"]

    @JUDGES
    async def test_comes_whatever_counts_the_provider_reports(self, world, stub, batches, judge):
        batches.counts = {"completed": 10**12, "succeeded": 10**12, "failed": -5, "errored": -5}

        (batch,) = await run_batches(world, stub, 3, judge)

        assert (batch["state"], batch["done"], batch["failed"]) == ("ended", 0, 0)
        assert "reports impossible counts" in batch["error"]

    async def test_is_one_for_each_part_of_a_long_answer(self, world, stub, batches):
        (batch,) = await run_batches(world, stub, 1, answer=LONG)
        assert batch["answers"] == 1
        assert batch["requests"] == batch["stored"] == batches.stats()["paid"] > 1
        assert stub.count == 0

    async def test_that_is_of_no_use_is_asked_for_by_a_call(self, world, stub, batches):
        batches.content = lambda _: "no json"
        await run_batches(world, stub, 2)
        assert stub.count == 2, "the reminder, once for each"

    @JUDGES
    async def test_that_does_not_come_is_asked_for_by_a_call(self, world, stub, batches, judge):
        fates: tuple[Fate, ...] = ("twice", "answered", *ERRORS, *SILENT)
        batches.plan.fate = lambda index, _: fates[index]
        batches.plan.stranger = batches.plan.cut_off = True
        (batch,) = await run_batches(world, stub, len(fates), judge)
        # The last line of a file is cut off, whichever that is.
        read = batch["stored"] + batch["errors"]
        assert batch["state"] == "ended"
        assert len(fates) - len(SILENT) - 2 <= read <= len(fates) - len(SILENT)
        assert batch["error"].startswith(f"{len(fates) - read} requests had no reply")
        assert stub.count == len(fates) - batch["stored"]
        calls = await world.rows("SELECT batched, error FROM judge_calls")
        replies = [call for call in calls if call["error"] is None]
        assert sum(call["batched"] for call in replies) == batch["stored"] >= 1
        assert sum(not call["batched"] for call in calls) == stub.count
        assert batches.stats()["paid_twice"] == 0

    async def test_that_is_an_error_leaves_money_for_a_call_though_reading_breaks_off_behind_it(
        self, world, stub, batches, monkeypatch
    ):
        monkeypatch.setattr(batch_work, "CHUNK", 1)
        original, broken_off = OpenAIBatches.replies, []

        async def replies(
            endpoint: OpenAIBatches, batch_id: str
        ) -> AsyncGenerator[BatchReply, None]:
            found = [reply async for reply in original(endpoint, batch_id)]
            for reply in sorted(found, key=lambda reply: isinstance(reply.reply, ChatResponse)):
                yield reply
                if not broken_off:
                    broken_off.append(reply)
                    raise TransientProviderError("The connection failed.")

        monkeypatch.setattr(OpenAIBatches, "replies", replies)
        batches.plan.fate = lambda index, _: "answered" if index else "refused"
        ids = await rows_for_batches(world, 1, answer=LONG)

        async with batching(world, **batch_settings(stub)):
            (row,) = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert isinstance(broken_off[0].reply, ProviderError)
        assert (row["status"], batch["errors"], stub.count) == ("succeeded", 1, 1)
        assert row["cost_estimate_usd"] > 0

    async def test_that_comes_too_late_is_paid_for_and_not_used(self, world, stub, batches):
        batches.plan.polls = None
        ids = await rows_for_batches(world, 3)
        gone, withdrawn, _ = ids
        changes = batch_settings(stub)

        async with batching(world, **changes):
            await batch_in(world, "running")
            await world.rows(
                "DELETE FROM qa_answers WHERE id ="
                " (SELECT answer_id FROM qa_evaluations WHERE id = %s)",
                gone,
            )
            await world.rows(
                "UPDATE qa_evaluations SET status = 'skipped', reason = 'cancelled',"
                " finished_at = now() WHERE id = %s",
                withdrawn,
            )
            batches.finish()
            rows = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert sorted(row["status"] for row in rows) == ["skipped", "succeeded"]
        assert (batch["state"], batch["stored"], batch["dropped"]) == ("ended", 1, 1)
        calls = await world.rows("SELECT * FROM judge_calls WHERE content IS NULL")
        (call,) = calls
        assert call["evaluation_id"] == withdrawn
        assert call["error"].startswith("superseded:")
        assert call["cost_usd"] > 0


class TestHandingIn:
    async def test_what_the_provider_does_not_take_waits_for_the_next_batch(
        self, world, stub, batches
    ):
        batches.script("upload", status(413, {"error": {"message": "too large"}}))
        ended = await run_batches(world, stub, 4)
        assert [batch["answers"] for batch in ended] == [2, 2]
        assert (stub.count, batches.stats()["submitted_twice"]) == (0, 0)

    @pytest.mark.parametrize("limits", [BatchLimits(1, 10**9), BatchLimits(10**6, 15)])
    async def test_what_is_over_the_limits_waits_and_what_no_batch_takes_is_asked_by_calls(
        self, world, stub, batches, monkeypatch, limits
    ):
        monkeypatch.setattr(OpenAIBatches, "limits", limits)
        monkeypatch.setattr(OpenAIBatches, "size", lambda *_: 10)
        ids = await rows_for_batches(world, 2)
        ids += await rows_for_batches(world, 1, answer=LONG)

        async with batching(world, **batch_settings(stub)):
            rows = await all_judged(world, ids)
            ended = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert [batch["answers"] for batch in ended] == [1, 1]
        assert batches.stats()["submitted"] == batches.stats()["paid"] == 2
        assert stub.count > 1, "of the long answer"

    async def test_lines_refused_by_a_full_provider_wait_for_the_next_batch(
        self, world, stub, batches
    ):
        batches.plan.full = 1
        failed, ended = await run_batches(world, stub, 2, until=files_deleted(batches))
        assert (failed["state"], ended["state"], ended["stored"]) == ("failed", "ended", 2)
        assert failed["error"] == "openai did not begin this batch (token_limit_exceeded)."
        assert ended["created_at"] >= failed["retry_at"]
        assert stub.count == 0

    async def test_what_the_provider_does_not_begin_is_asked_by_calls(self, world, stub, batches):
        batches.plan.max_lines = 1
        (batch,) = await run_batches(world, stub, 2, until=files_deleted(batches))
        assert (batch["state"], stub.count) == ("failed", 2)
        assert batch["error"] == "openai did not begin this batch (too_many_tasks)."

    async def test_a_server_without_batches_is_asked_by_calls(self, world, stub, batches):
        batches.plan.missing = True
        (batch,) = await run_batches(world, stub, 2)
        assert stub.count == 2
        assert batch["state"] == "failed"
        assert "no batch endpoint" in batch["error"]

    @JUDGES
    async def test_is_not_repeated_when_its_reply_is_lost(self, world, stub, batches, judge):
        batches.lose_reply("create")
        (batch,) = await run_batches(world, stub, 3, judge)
        assert (batch["state"], batch["stored"]) == ("ended", 3)
        stats = batches.stats()
        assert (stats["batches"], stats["submitted_twice"], stats["paid_twice"]) in {
            (1, 0, 0),
            (0, 0, 0),  # Anthropic's is deleted once it is read
        }
        assert stub.count == 0

    @JUDGES
    async def test_is_not_repeated_while_it_cannot_be_found(self, world, stub, batches, judge):
        batches.lose_reply("create")
        batches.script("list", status(401))
        (batch,) = await run_batches(world, stub, 3, judge)
        assert (batch["state"], batch["stored"]) == ("ended", 3)
        assert (stub.count, batches.stats()["submitted_twice"]) == (0, 0)

    @JUDGES
    async def test_is_not_given_up_while_the_provider_does_not_know_it_yet(
        self, world, stub, batches, judge
    ):
        batches.plan.settling = 0.2
        (batch,) = await run_batches(world, stub, 3, judge)
        assert (batch["state"], batch["stored"], stub.count) == ("ended", 3, 0)

    async def test_is_not_repeated_when_the_second_try_is_lost_and_not_listed_yet(
        self, world, stub, batches
    ):
        batches.plan.settling = 0.2
        batches.script("create", status(503))
        batches.lose_reply("create")
        (batch,) = await run_batches(world, stub, 3)
        assert (batch["state"], batch["stored"], stub.count) == ("ended", 3, 0)
        assert batches.stats()["submitted_twice"] == 0

    async def test_that_the_provider_has_lost_for_good_is_made_up_for_by_calls(
        self, world, stub, batches
    ):
        batches.plan.polls = None
        ids = await rows_for_batches(world, 2)

        async with batching(world, **batch_settings(stub)):
            await batch_in(world, "running")
            batches.batches.clear()
            rows = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 2
        assert (batch["state"], stub.count) == ("failed", 2)
        assert batch["error"] == "openai does not know this batch."

    async def test_a_provider_that_fails_for_a_while_is_asked_again(self, world, stub, batches):
        for route in ("upload", "status", "replies"):
            batches.script(route, status(500), status(503))  # type: ignore[arg-type]
        await run_batches(world, stub, 2)
        assert (stub.count, batches.stats()["submitted_twice"]) == (0, 0)


class TestCancelling:
    @pytest.fixture
    async def api(self, world: World, redis_url: str, stub: StubServer) -> AsyncIterator[Api]:
        async with open_api(world, redis_url, **batch_settings(stub)) as api:
            yield api

    async def test_uses_what_there_is_and_judges_the_rest_by_calls(self, world, stub, batches, api):
        batches.plan.polls, batches.plan.done_at_cancel = None, 1
        ids = await rows_for_batches(world, 3)

        async with batching(world, **batch_settings(stub)):
            batch = await batch_in(world, "running")
            url = f"/judge-batches/{batch['id']}"
            seen = (await api.client.get(url)).json()
            assert (seen["state"], seen["waiting"]) == ("running", 3)
            waiting = (await api.client.get(f"/qa-evaluations/{ids[0]}")).json()
            assert (waiting["status"], waiting["reason"]) == ("queued", "in_batch")
            assert (await api.client.post(f"{url}/cancel")).status_code == 200
            rows = await all_judged(world, ids)
            await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert stub.count == 2
        seen = (await api.client.get(url)).json()
        assert (seen["state"], seen["stored"], seen["waiting"]) == ("cancelled", 1, 0)
        listed = (await api.client.get("/judge-batches", params={"state": "cancelled"})).json()
        assert [item["id"] for item in listed["items"]] == [seen["id"]]

    async def test_the_job_at_it_cancels_it(self, world, stub, batches, api):
        batches.plan.polls = None
        ids = await rows_for_batches(world, 2)

        async with batching(world, **batch_settings(stub)):
            await batch_in(world, "running")
            (job,) = (await api.client.get("/jobs", params={"kind": "judge_batch"})).json()["items"]
            cancelled = await api.client.post(f"/jobs/{job['id']}/cancel")
            assert cancelled.json()["status"] == "cancelled"
            rows = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 2
        assert (batch["state"], stub.count) == ("cancelled", 2)

    async def test_before_it_is_handed_in_nothing_is(self, world, stub, batches, api):
        ids = await rows_for_batches(world, 2)
        changes = batch_settings(stub)
        async with collecting(world, **changes | {"batch_collect_seconds": 1000}):
            batch = await batch_in(world, "collecting")
        await api.client.post(f"/judge-batches/{batch['id']}/cancel")

        async with batching(world, **changes):
            rows = await all_judged(world, ids)
            (ended,) = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 2
        assert (ended["state"], batches.stats()["submitted"], stub.count) == ("cancelled", 0, 2)
        seen = (await api.client.get(f"/judge-batches/{batch['id']}")).json()
        assert seen["waiting"] == 0, "for this batch"

    async def test_when_no_caller_waits_any_more(self, world, stub, batches):
        batches.plan.polls = None
        ids = await rows_for_batches(world, 2)

        async with batching(world, **batch_settings(stub)):
            await batch_in(world, "running")
            await world.rows(
                "UPDATE qa_evaluations SET status = 'skipped', reason = 'cancelled',"
                " finished_at = now() WHERE id = ANY(%s)",
                ids,
            )
            await all_ended(world)

        assert (batches.stats()["paid"], stub.count) == (0, 0)

    async def test_of_a_batch_that_there_is_not_is_not_found(self, api):
        nobody = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
        for method, path in (("GET", nobody), ("POST", f"{nobody}/cancel")):
            response = await api.client.request(method, f"/judge-batches/{path}")
            assert response.status_code == 404


class TestWaiting:
    async def test_ends_at_the_deadline_whatever_the_provider_does(self, world, stub, batches):
        batches.plan.polls, batches.plan.done_at_cancel = None, 1
        ids = await rows_for_batches(world, 3, hours=1)

        async with batching(world, **batch_settings(stub)):
            await batch_in(world, "running")
            await world.rows("UPDATE judge_batches SET deadline_at = now() + interval '9 minutes'")
            rows = await all_judged(world, ids)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert (stub.count, batches.stats()["prompts_paid_twice"]) == (2, 0)

    async def test_ends_by_itself_where_nothing_works_on_batches(self, world, stub):
        ids = await rows_for_batches(world, 2)
        assert await reasons(world) == {"for_batch": 2}
        async with collecting(world, **batch_settings(stub)):
            await batch_in(world, "submitting")
        assert await reasons(world) == {"in_batch": 2}
        leases = await world.lifecycle.claim(ids)
        assert not leases, "they are the batch's"

        await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE id = ANY(%s)", ids)
        async with judged(world, **batch_settings(stub)):
            rows = await all_judged(world, ids)

        assert [row["status"] for row in rows] == ["succeeded"] * 2
        assert stub.count == 2


class TestThePolicy:
    async def test_that_wants_calls_has_what_waits_judged_by_them(self, world, stub):
        ids = await rows_for_batches(world, 2)
        chosen = settings(**batch_settings(stub))

        await set_policy(world, chosen, judge_model=OPENAI, bulk_by="calls")
        assert await reasons(world) == {None: 2}
        async with judged(world, **batch_settings(stub)):
            rows = await all_judged(world, ids)

        assert [row["status"] for row in rows] == ["succeeded"] * 2

    async def test_is_refused_where_the_judge_has_no_batches(self, world):
        chosen = settings(ollama_base_url="http://127.0.0.1:1")

        with pytest.raises(InvalidRequest, match=r"ollama:any has no batch endpoint; set bulk_by"):
            await set_policy(world, chosen, judge_model="ollama:any", bulk_by="batch")

    async def test_leaves_rows_of_other_judges_to_calls(self, world):
        await rows_for_batches(world, 1)
        other = Judge("ollama:any", DEFAULT_PROMPT)
        (answer_id,) = [row["id"] for row in await world.rows("SELECT id FROM qa_answers")]

        async with world.sessions.begin() as session:
            await add(session, [other.row(answer_id, ("search_qa",))], JudgePrices(settings()))

        assert await reasons(world) == {"for_batch": 1, None: 1}

    async def test_a_budget_is_held_while_a_batch_is_at_work(self, world, stub, batches):
        batches.plan.polls = None
        ids = await rows_for_batches(world, 3)
        await world.rows("UPDATE qa_evaluations SET cost_estimate_usd = 0.01")
        # Two of three fit.
        await world.rows("UPDATE evaluation_policies SET daily_budget_usd = 0.025")

        async with batching(world, **batch_settings(stub)):
            batch = await batch_in(world, "running")
            assert await reasons(world) == {"in_batch": 2, "for_batch": 1}
            (hold,) = await world.rows("SELECT * FROM budget_holds")
            assert (hold["work_id"], hold["cost_usd"]) == (batch["id"], Decimal("0.02"))
            batches.plan.polls = 0
            batches.finish()
            rows = await all_judged(world, ids)
            ended = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert [one["answers"] for one in ended] == [2, 1]
        assert await world.rows("SELECT * FROM budget_holds") == []
        (spent,) = await world.rows("SELECT cost_usd FROM judge_spending")
        assert spent["cost_usd"] == sum(one["cost_usd"] for one in ended)


class TestJudgingAgain:
    async def test_estimates_both_prices_and_leaves_its_place_while_it_waits(
        self, world, redis_url, stub, batches
    ):
        batches.plan.polls = None
        changes = batch_settings(stub, batch_price=0.5)
        await rows_for_batches(world, 3)
        await world.rows("DELETE FROM qa_evaluations WHERE NOT is_current")
        body = {"everything": True, "judge_model": OPENAI, "prompt": "search-qa-eval-6"}

        async with (
            open_api(world, redis_url, **changes) as api,
            batching(world, **changes),
            jobs_done(world, **changes),
        ):
            expected = (await api.client.post("/evaluation/rejudge/estimate", json=body)).json()
            begun = (await api.client.post("/evaluation/rejudge", json=body)).json()
            url = f"/evaluation/rejudge/jobs/{begun['job']['id']}"

            async def waits() -> dict[str, Any] | None:
                seen = (await api.client.get(url)).json()
                return seen if seen["job"]["status"] == "retrying" else None

            waiting = await eventually(waits)
            await batch_in(world, "running")
            batches.finish()
            await world.rows("UPDATE jobs SET run_at = now() WHERE kind = 'rejudge'")
            ended = await all_ended(world)

        assert expected["bulk_by"] == "batch"
        assert expected["batch_cost_usd"] == pytest.approx(expected["cost_usd"] / 2)
        assert waiting["progress"]["batched"] == waiting["progress"]["pending"] == 3
        assert waiting["job"]["error"].startswith("batched: 3 answers wait for batches")
        assert [batch["answers"] for batch in ended] == [3]
