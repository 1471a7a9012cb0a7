"""Claim, record and sweep against a real PostgreSQL."""

import asyncio
from decimal import Decimal

import psycopg
import pytest

from app.ai_router.types import ChatResponse
from app.platform.broker import Queue
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Failure, Lease, Pause, Release, Retry
from app.verdicts.reading.views import view_of
from verdict_world import World, store_answers, verdict


async def claimed(world: World) -> Lease:
    """The row of a new answer."""
    (new,) = await store_answers(world)
    (lease,) = await world.lifecycle.claim([new.evaluation_id])
    return lease


async def test_claim_carries_everything_the_judge_needs(world):
    (new,) = await store_answers(world)

    (claim,) = await world.lifecycle.claim([new.evaluation_id])

    assert claim.subject.question == "변성 온도는?"
    assert claim.subject.titles == ["PCR 조건", "배양기"]
    assert claim.subject.contents[1] == "배양기는 37도로 맞춘다."
    assert claim.evaluators[:3] == ("quality_gate", "search_qa", "citation")
    assert [each.note_index for each in claim.subject.passages] == [1, 2]
    assert claim.attempt == 1
    row = await world.row(new.evaluation_id)
    assert row["status"] == "running"
    assert row["lease_until"] > row["started_at"]
    assert row["queue_ms"] >= 0
    assert await world.events(new.evaluation_id) == ["queued", "running"]


async def test_one_of_many_concurrent_claims_gets_the_row(world):
    (new,) = await store_answers(world)

    claims = await asyncio.gather(*(world.lifecycle.claim([new.evaluation_id]) for _ in range(10)))

    assert sum(map(len, claims)) == 1


async def test_a_verdict_is_recorded_once_with_all_that_hangs_on_it(world):
    claim = await claimed(world)

    assert await world.lifecycle.record([(claim, verdict())]) == {claim.id}
    assert await world.lifecycle.record([(claim, verdict(correctness=0.1))]) == set()

    view = await view_of(world.pool, claim.workspace_id, claim.id)
    assert view.status == "succeeded"
    assert view.qa_evaluation.correctness == 0.9
    assert [source.cited for source in view.qa_evaluation.source_coverage] == [True, False]
    assert view.qa_evaluation.source_coverage[0].quote_found is True
    assert view.qa_evaluation.grounding_issues == ["'30분'은 노트에 없는 정보"]
    assert view.qa_evaluation.flags == ["score_contradicts_issues"]
    assert view.quality.pass_ratio == 0.75
    assert view.cost_usd == pytest.approx(0.00012)
    assert await world.events(claim.id) == ["queued", "running", "succeeded"]


async def test_a_stale_attempt_writes_nothing(world):
    stale = await claimed(world)
    await world.expire_lease(stale.id)
    assert await world.lifecycle.reap() == 1
    (fresh,) = await world.lifecycle.claim([stale.id])

    assert await world.lifecycle.record([(stale, verdict(correctness=0.1))]) == set()
    assert await world.lifecycle.record([(fresh, verdict())]) == {fresh.id}

    assert (await world.row(fresh.id))["correctness"] == 0.9
    assert (await world.row(fresh.id))["crashes"] == 1


async def test_a_retry_waits_for_its_time(world):
    claim = await claimed(world)

    await world.lifecycle.record([(claim, Retry("HTTP 429", delay=3600))])

    row = await world.row(claim.id)
    assert (row["status"], row["tries"], row["correctness"]) == ("retrying", 1, None)
    assert await world.lifecycle.claim([claim.id]) == []
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == []
    await world.rows("UPDATE qa_evaluations SET run_at = now()")
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == [claim.id]
    (again,) = await world.lifecycle.claim([claim.id])
    assert (again.attempt, again.tries) == (2, 1)


async def test_a_failure_stores_its_error_and_no_score(world):
    claim = await claimed(world)

    await world.lifecycle.record([(claim, Failure("permanent: too long"))])

    row = await world.row(claim.id)
    assert row["status"] == "failed"
    assert row["error"] == "permanent: too long"
    assert row["correctness"] is None
    assert row["finished_at"] is not None


async def test_outcomes_of_all_kinds_go_in_one_statement(world):
    new = await store_answers(world, 5)
    claims = await world.lifecycle.claim([n.evaluation_id for n in new])
    outcomes = [verdict(), Retry("later", 1), Failure("no"), Pause("HTTP 401"), Release()]

    written = await world.lifecycle.record(list(zip(claims, outcomes, strict=True)))

    assert len(written) == 5
    statuses = [(await world.row(claim.id))["status"] for claim in claims]
    assert statuses == ["succeeded", "retrying", "failed", "queued", "queued"]


async def test_due_rows_are_published_once_per_interval(world):
    new = await store_answers(world, 3)
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == [], "the API has a second's grace"
    await world.rows("UPDATE qa_evaluations SET run_at = now()")

    first = await world.lifecycle.take_due(Queue.LIVE, 2)
    second = await world.lifecycle.take_due(Queue.LIVE, 10)

    assert sorted(first + second) == sorted(n.evaluation_id for n in new)
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == []
    await world.lifecycle.unpublish(first)
    assert sorted(await world.lifecycle.take_due(Queue.LIVE, 10)) == sorted(first)
    await world.rows("UPDATE qa_evaluations SET enqueued_at = now() - interval '31 seconds'")
    assert len(await world.lifecycle.take_due(Queue.LIVE, 10)) == 3


async def test_two_dispatchers_never_take_the_same_row(world):
    await store_answers(world, 20)
    await world.rows("UPDATE qa_evaluations SET run_at = now()")

    taken = await asyncio.gather(*(world.lifecycle.take_due(Queue.LIVE, 10) for _ in range(4)))
    # Rows that each skipped while another had them locked are due at its next turn.
    taken.append(await world.lifecycle.take_due(Queue.LIVE, 20))

    ids = [id_ for part in taken for id_ in part]
    assert len(ids) == len(set(ids)) == 20


async def test_a_row_that_kills_its_workers_is_isolated_then_quarantined(world):
    (new,) = await store_answers(world)
    queues = []
    for _ in range(4):
        (claim,) = await world.lifecycle.claim([new.evaluation_id])
        await world.expire_lease(claim.id)
        assert await world.lifecycle.reap() == 1
        queues.append((await world.row(claim.id))["queue"])

    assert queues == ["live", "isolated", "isolated", "isolated"]
    row = await world.row(new.evaluation_id)
    assert row["status"] == "failed"
    assert "Quarantined" in row["error"]
    assert await world.lifecycle.claim([new.evaluation_id]) == []


async def test_a_paused_judge_keeps_its_rows_and_one_probe_brings_it_back(world):
    new = await store_answers(world, 3)
    (claim,) = await world.lifecycle.claim([new[0].evaluation_id])
    await world.lifecycle.record([(claim, Pause("HTTP 401: the key is wrong"))])
    await world.rows("UPDATE qa_evaluations SET run_at = now()")

    assert await world.lifecycle.take_due(Queue.LIVE, 10) == []
    assert await world.lifecycle.claim([n.evaluation_id for n in new]) == []
    await world.lifecycle.probe_paused()
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == []

    await world.lifecycle.probe_soon()
    await world.lifecycle.probe_paused()
    (probe,) = await world.lifecycle.take_due(Queue.LIVE, 10)
    (claim,) = await world.lifecycle.claim([probe])
    await world.lifecycle.record([(claim, verdict())])

    assert await world.rows("SELECT * FROM judge_pauses") == []
    assert len(await world.lifecycle.take_due(Queue.LIVE, 10)) == 2
    assert (await world.row(probe))["tries"] == 0, "waiting for the judge is not a try"


async def test_a_success_from_before_the_pause_does_not_lift_it(world):
    new = await store_answers(world, 2)
    early, failing = await world.lifecycle.claim([n.evaluation_id for n in new])

    await world.lifecycle.record([(failing, Pause("the quota is used up"))])
    await world.lifecycle.record([(early, verdict())])

    assert len(await world.rows("SELECT * FROM judge_pauses")) == 1


async def test_the_probe_is_a_row_that_did_not_stumble_before(world):
    new = await store_answers(world, 2)
    (claim,) = await world.lifecycle.claim([new[0].evaluation_id])
    await world.lifecycle.record([(claim, Pause("bad request", tried=True))])

    await world.lifecycle.probe_soon()
    await world.lifecycle.probe_paused()

    assert (await world.row(new[1].evaluation_id))["reason"] == "probe"
    assert (await world.row(claim.id))["tries"] == 1


async def test_what_was_paid_in_vain_counts_in_the_row(world):
    claim = await claimed(world)
    reply = ChatResponse("?", "openai", "m", 100, 7, Decimal("0.002"), 3.0)
    await world.lifecycle.save_replies(
        [StoredCall(claim, f"h{n}", "openai", "m", reply) for n in (1, 2)]
    )

    await world.lifecycle.record([(claim, Failure("malformed: twice"))])

    row = await world.row(claim.id)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (200, 14)
    assert row["cost_usd"] == Decimal("0.004")


async def test_a_degraded_verdict_does_not_unpause_the_judge(world):
    new = await store_answers(world, 2)
    claims = await world.lifecycle.claim([n.evaluation_id for n in new])

    await world.lifecycle.record([(claims[0], Pause("HTTP 401"))])
    await world.lifecycle.record([(claims[1], verdict(degraded_because="HTTP 500"))])

    assert len(await world.rows("SELECT * FROM judge_pauses")) == 1
    row = await world.row(claims[1].id)
    assert (row["degraded"], row["error"]) == (True, "HTTP 500")


async def test_stored_replies_are_found_until_they_are_discarded(world):
    claim = await claimed(world)
    reply = ChatResponse('{"a": "\x00"}', "openai", "m", 1, 2, None, 3.0, raw_body="{}")
    await world.lifecycle.save_replies(
        [
            StoredCall(claim, "h1", "openai", "m", reply),
            StoredCall(claim, "h2", "openai", "m", None, error="HTTP 500"),
        ]
    )

    stored = await world.lifecycle.load_replies(claim)
    assert list(stored) == ["h1"]
    assert stored["h1"].content == '{"a": ""}'
    assert stored["h1"].prompt_tokens == 1

    await world.lifecycle.record([(claim, Retry("HTTP 429", 0))])
    assert list(await world.lifecycle.load_replies(claim)) == ["h1"], "paid for and still of use"
    (claim,) = await world.lifecycle.claim([claim.id])
    await world.lifecycle.record([(claim, Retry("MalformedOutput", 0, discards=("h1",)))])
    assert await world.lifecycle.load_replies(claim) == {}


async def test_scores_without_a_verdict_are_refused_by_the_table(world):
    (new,) = await store_answers(world)

    with pytest.raises(psycopg.errors.CheckViolation):
        await world.rows(
            "UPDATE qa_evaluations SET correctness = 0 WHERE id = %s", new.evaluation_id
        )


async def test_a_claim_of_another_attempt_number_is_refused(world):
    claim = await claimed(world)

    assert await world.lifecycle.record([(claim._replace(attempt=7), verdict())]) == set()
