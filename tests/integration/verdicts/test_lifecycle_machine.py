"""The life of a verdict under any order of events: PostgreSQL against a small model of it."""

import asyncio
import sys
import uuid
from collections.abc import Callable, Coroutine, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from verdict_model import BORN, EDGES, FINAL, GIVEN_UP_AT, ISOLATED_AT, MAX_CRASHES, Model, Reply

from app.ai_router.types import ChatResponse
from app.platform.broker import Queue
from app.verdicts.answers.queries import delete_answer
from app.verdicts.lifecycle.lifecycle import StoredCall, VerdictLifecycle
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Release, Retry, Usage
from app.verdicts.lifecycle.parking import resume_judge
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from verdict_world import World, open_world, settings, store_answers, verdict

pytestmark = pytest.mark.slow

# The same examples on every run and machine, and none kept on disk.
bounded = profile(
    max_examples=70,
    stateful_step_count=35,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
ROUNDS_TO_THE_END = 3

JUDGES = ("openai:strict", "openai:mild")
HASHES = ("h1", "h2")

# What is drawn never depends on what PostgreSQL did: a place counts round whatever there is to be
# chosen from at that step.
places = st.integers(0, 7)
some = st.lists(places, min_size=1, max_size=4)
OUTCOMES: dict[str, Callable[[float], Outcome]] = {
    "verdict": verdict,
    "degraded": lambda score: verdict(score, degraded_because="HTTP 500", usage=Usage()),
    "retry": lambda _: Retry("HTTP 429", 0),
    "retry later": lambda _: Retry("HTTP 429", 3600),
    "retry afresh": lambda _: Retry("malformed", 0, discards=("h1",)),
    "failure": lambda _: Failure("permanent: too long"),
    "pause": lambda _: Pause("HTTP 401"),
    "doubtful pause": lambda _: Pause("HTTP 400", tried=True),
    "release": lambda _: Release(),
}
# After these the judge has answered, for what it was worth.
ANSWERED = ("verdict", "retry", "retry afresh", "failure")
outcomes = st.sampled_from(list(OUTCOMES))
WORKS_ON, DIES = "works on", "dies"
ends = st.sampled_from([*OUTCOMES, WORKS_ON, DIES, DIES, DIES])
batches = st.lists(st.tuples(places, ends), min_size=2, max_size=5)

LOOK = """
SELECT a.id AS answer_id, e.*, e.run_at <= now() AS due,
    COALESCE(e.enqueued_at > now() - interval '30 seconds', false) AS published,
    (SELECT array_agg(v.status ORDER BY v.xid, v.id)
     FROM verdict_events v WHERE v.evaluation_id = e.id) AS emitted,
    (SELECT count(*) FROM qa_evaluation_sources s WHERE s.evaluation_id = e.id)
    + (SELECT count(*) FROM qa_evaluation_issues i WHERE i.evaluation_id = e.id)
    + (SELECT count(*) FROM qa_scores s WHERE s.evaluation_id = e.id) AS parts,
    (SELECT count(*) FROM judge_calls c WHERE c.evaluation_id = e.id) AS calls
FROM qa_answers a LEFT JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
"""
VERSIONS = "SELECT id, xmin::text AS version FROM qa_evaluations"
# Two sources, two issues and one score, see `verdict_world.verdict`.
PARTS_OF_A_VERDICT = 5


class LifeOfVerdicts(RuleBasedStateMachine):
    """Whatever happens to answers, workers, judges and dispatchers, one step at a time."""

    def __init__(self, world: World, run: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        super().__init__()
        self.world = world
        self.lifecycle = world.lifecycle
        self.run = run
        self.model = Model()
        self.ids: list[uuid.UUID] = []
        self.answers: dict[uuid.UUID, uuid.UUID] = {}
        self.claims: list[Lease] = []
        self.score = 0.0
        run(self._empty())

    async def _empty(self) -> None:
        await self.world.rows("DELETE FROM workspaces")
        await self.world.rows("DELETE FROM judge_pauses")

    def at(self, wanted: Sequence[int]) -> list[uuid.UUID]:
        """Evaluations at these places; those of deleted answers are among them."""
        return [self.ids[place % len(self.ids)] for place in wanted]

    def claims_at(self, wanted: Sequence[int], *, held: bool = False) -> list[Lease]:
        """Claims that workers were once given, the latest first; with `held` only those that
        their workers still have. None when there is none."""
        given = [lease for lease in reversed(self.claims) if self.model.holds(lease) or not held]
        return [given[place % len(given)] for place in wanted] if given else []

    def outcome(self, kind: str) -> Outcome:
        """No two verdicts have the same score, so that each row identifies its verdict."""
        self.score += 0.001
        return OUTCOMES[kind](round(self.score, 3))

    @initialize()
    def three_answers(self) -> None:
        for judge in (JUDGES[0], JUDGES[0], JUDGES[1]):
            self.an_answer_is_finished(judge, judged=True)

    @rule(judge=st.sampled_from(JUDGES), judged=st.sampled_from([True, True, False]))
    def an_answer_is_finished(self, judge: str, judged: bool) -> None:
        policy = EvaluationPolicy.from_settings(
            settings(judge_model=judge, evaluation_enabled=judged)
        )
        (new,) = self.run(store_answers(self.world, policy=policy))
        # The second's grace becomes an hour's.
        later = "UPDATE qa_evaluations SET run_at = run_at + interval '1 hour' WHERE id = %s"
        self.run(self.world.rows(later, new.evaluation_id))
        self.ids.append(new.evaluation_id)
        self.answers[new.evaluation_id] = new.answer_id
        self.model.born(new.evaluation_id, judge, None if judged else "disabled")
        assert new.status == self.model.lives[new.evaluation_id].status

    @rule(place=places)
    def an_answer_is_deleted(self, place: int) -> None:
        (id_,) = self.at([place])
        if id_ in self.model.lives:
            self.run(self._delete(self.answers[id_]))
            self.model.delete(id_)

    async def _delete(self, answer_id: uuid.UUID) -> None:
        query = "SELECT workspace_id FROM qa_answers WHERE id = %s"
        (answer,) = await self.world.rows(query, answer_id)
        async with self.world.sessions.begin() as session:
            assert await delete_answer(session, answer["workspace_id"], answer_id)

    @rule(limit=st.integers(1, 4))
    def the_dispatcher_ticks(self, limit: int) -> None:
        self._release()
        self._probe()
        for queue in Queue:
            self._publish(queue, limit)

    def _publish(self, queue: Queue, limit: int) -> list[uuid.UUID]:
        due = self.model.due(queue)
        taken = self.run(self.lifecycle.take_due(queue, limit))
        assert set(taken) <= due
        assert len(taken) == len(set(taken)) == min(limit, len(due))
        for id_ in taken:
            self.model.lives[id_].published = True
        return taken

    @rule(wanted=some, limit=st.integers(1, 4), noticed=st.booleans())
    def messages_are_lost(self, wanted: list[int], limit: int, noticed: bool) -> None:
        self.their_time_comes(wanted)
        ids = self._publish(Queue.LIVE, limit)
        if noticed:
            self.run(self.lifecycle.unpublish(ids))
        else:
            aged = "UPDATE qa_evaluations SET enqueued_at = enqueued_at - interval '1 hour'"
            self.run(self.world.rows(f"{aged} WHERE id = ANY(%s)", ids))
        for id_ in ids:
            self.model.lives[id_].published = False

    @rule(a=some, b=some)
    def two_workers_claim(self, a: list[int], b: list[int]) -> None:
        ids_of_a, ids_of_b = self.at(a), self.at(b)
        self._claim(ids_of_a, ids_of_b)

    def _claim(self, *wanted: list[uuid.UUID]) -> list[Lease]:
        free = self.model.claimable(id_ for ids in wanted for id_ in ids)
        workers = [VerdictLifecycle(self.world.pool, settings()) for _ in wanted]
        parts = self.run(self._claim_at_once(workers, wanted))
        leases = [lease for part in parts for lease in part]
        assert sorted(lease.id for lease in leases) == sorted(free), "each free row by one"
        for worker, part in zip(workers, parts, strict=True):
            self.model.claim([lease.id for lease in part], worker.worker_id)
        for lease in leases:
            life = self.model.lives[lease.id]
            assert (lease.attempt, lease.tries) == (life.attempt, life.tries)
            self.claims.append(lease)
            self._finds_what_was_paid_for(lease)
        return leases

    async def _claim_at_once(
        self, workers: Sequence[VerdictLifecycle], wanted: Sequence[list[uuid.UUID]]
    ) -> list[list[Lease]]:
        claiming = zip(workers, wanted, strict=True)
        return await asyncio.gather(*(worker.claim(ids) for worker, ids in claiming))

    def _finds_what_was_paid_for(self, lease: Lease) -> None:
        found = self.run(self.lifecycle.load_replies(lease))
        offers = self.model.lives[lease.id].offers()
        assert set(found) == set(offers)
        for request_hash, reply in found.items():
            assert reply.content in offers[request_hash]

    @rule(place=places, request_hash=st.sampled_from(HASHES), useful=st.booleans())
    def a_reply_is_stored(self, place: int, request_hash: str, useful: bool) -> None:
        """By the holder or by a stale attempt, and twice, as after a broken connection."""
        for lease in self.claims_at([place]):
            self._save_reply(lease, request_hash, useful)

    def _save_reply(self, lease: Lease, request_hash: str, useful: bool) -> None:
        replies = self.model.lives[lease.id].replies if lease.id in self.model.lives else []
        content = f"reply {len(replies)}"
        response = ChatResponse(content, "openai", "m", 10, 1, Decimal("0.001"))
        call = StoredCall(
            lease, request_hash, "openai", "m", response, None if useful else "malformed"
        )
        if lease.id not in self.model.lives:
            with pytest.raises(psycopg.errors.ForeignKeyViolation):
                self.run(self.lifecycle.save_replies([call]))
            return
        for _ in range(2):
            self.run(self.lifecycle.save_replies([call]))
        replies.append(Reply(request_hash, content if useful else None, 10))

    @rule(given=st.lists(st.tuples(places, outcomes), min_size=1, max_size=4))
    def outcomes_are_recorded(self, given: list[tuple[int, str]]) -> None:
        """Of holders and of stale attempts, in one statement."""
        leases = self.claims_at([place for place, _ in given])
        kinds = [kind for _, kind in given]
        batch = {(lease.id, lease.attempt): lease for lease in leases}.values()
        self._record(
            [(lease, self.outcome(kind)) for lease, kind in zip(batch, kinds, strict=False)]
        )

    @rule(work=batches)
    def worker_a_judges(self, work: list[tuple[int, str]]) -> None:
        self._judge(work)

    @rule(work=batches)
    def worker_b_judges(self, work: list[tuple[int, str]]) -> None:
        self._judge(work)

    def _judge(self, work: list[tuple[int, str]]) -> None:
        leases = self._claim(self.at([place for place, _ in work]))
        ended = [(lease, end) for lease, (_, end) in zip(leases, work, strict=False)]
        for lease, end in ended:
            if end in ANSWERED:
                self._save_reply(lease, "h1", useful=True)
                self._save_reply(lease, "h2", useful=True)
        self._record([(lease, self.outcome(end)) for lease, end in ended if end in OUTCOMES])
        for lease, end in ended:
            if end == DIES:
                self._time_comes(lease.id)

    def _record(self, batch: list[tuple[Lease, Outcome]]) -> None:
        held = [(lease, outcome) for lease, outcome in batch if self.model.holds(lease)]
        written = self.run(self.lifecycle.record(batch))
        assert written == {lease.id for lease, _ in held}, "stale attempts write nothing"
        self.model.record(held)

    @rule(wanted=some)
    def their_time_comes(self, wanted: list[int]) -> None:
        """Of those that wait; and workers that run them have died."""
        for id_ in set(self.at(wanted)) & set(self.model.lives):
            self._time_comes(id_)

    def _time_comes(self, id_: uuid.UUID) -> None:
        self.run(self.world.expire_lease(id_))
        self.model.lives[id_].due = True

    def _release(self) -> None:
        lost = self.model.expired()
        assert self.run(self.lifecycle.reap()) == len(lost)
        self.model.crash(lost)

    @rule(place=places, times=st.sampled_from([1, ISOLATED_AT, GIVEN_UP_AT]))
    def workers_die_of_a_row(self, place: int, times: int) -> None:
        for _ in range(times):
            for lease in self._claim(self.at([place])):
                self._time_comes(lease.id)
            self._release()
            self.all_is_well()

    @rule(place=places, kind=outcomes, fresh_kind=outcomes)
    def a_worker_given_up_comes_back(self, place: int, kind: str, fresh_kind: str) -> None:
        """While another one has its row."""
        for stale in self._claim(self.at([place])):
            self._time_comes(stale.id)
            self._release()
            fresh = self._claim([stale.id])
            self._record([(stale, self.outcome(kind))])
            both = [(stale, self.outcome(kind))]
            both += [(lease, self.outcome(fresh_kind)) for lease in fresh]
            self._record(both)

    @rule(place=places, kind=outcomes)
    def a_late_record_meets_the_sweep(self, place: int, kind: str) -> None:
        self._release()
        for lease in self.claims_at([place], held=True):
            self._time_comes(lease.id)
            late = (lease, self.outcome(kind))
            written, reaped = self.run(self._record_and_reap(late))
            lost = self.model.expired()
            if written:
                self.model.record([late])
                lost.remove(lease.id)
            assert reaped == len(lost), "one of the two has it"
            self.model.crash(lost)

    async def _record_and_reap(self, late: tuple[Lease, Outcome]) -> tuple[set[uuid.UUID], int]:
        return await asyncio.gather(self.lifecycle.record([late]), self.lifecycle.reap())

    @rule(judge=st.sampled_from(JUDGES), kind=outcomes, probe_ends=outcomes)
    def a_judge_stops_working(self, judge: str, kind: str, probe_ends: str) -> None:
        """A call that began before comes to its end, and one row is tried."""
        for _ in range(2):
            self.an_answer_is_finished(judge, judged=True)
        for lease, end in zip(self._claim(self.ids[-2:]), ("pause", kind), strict=False):
            self._record([(lease, self.outcome(end))])
        self.all_is_well()
        self.a_worker_starts(probe_ends)

    @rule(kind=st.sampled_from([*OUTCOMES, WORKS_ON]))
    def a_worker_starts(self, kind: str) -> None:
        """A restart may have fixed the judge: one row of each is probed at once."""
        self.run(self.lifecycle.probe_soon())
        for rest in self.model.pauses.values():
            rest.probe_is_due = True
        self._probe()
        probes = [id_ for id_, life in self.model.lives.items() if life.reason == "probe"]
        leases = self._claim(probes)
        if kind in OUTCOMES:
            self._record([(lease, self.outcome(kind)) for lease in leases])

    def _probe(self) -> None:
        before = self._versions()
        self.run(self.lifecycle.probe_paused())
        probes = {id_ for id_, version in self._versions().items() if version != before[id_]}
        for judge, rest in self.model.pauses.items():
            waiting = self.model.waiting_for(judge)
            chosen = probes & set(waiting)
            probes -= chosen
            assert len(chosen) == (1 if rest.probe_is_due and waiting else 0)
            order = [(life.queue == "isolated", life.tries) for life in waiting.values()]
            for id_ in chosen:
                life = waiting[id_]
                assert (life.queue == "isolated", life.tries) == min(order), "not one that stumbled"
                life.reason, life.due, life.published = "probe", True, False
            rest.probe_is_due = False
        assert not probes, "nobody else's rows"

    def _versions(self) -> dict[uuid.UUID, str]:
        return {row["id"]: row["version"] for row in self.run(self.world.rows(VERSIONS))}

    @rule(judge=st.sampled_from(JUDGES))
    def resume_judge(self, judge: str) -> None:
        assert self.run(self._resume(judge)) == (judge in self.model.pauses)
        self.model.pauses.pop(judge, None)

    async def _resume(self, judge: str) -> bool:
        async with self.world.sessions.begin() as session:
            return await resume_judge(session, judge)

    @invariant()
    def all_is_well(self) -> None:
        rows = self.run(self.world.rows(LOOK))
        self._agree_with_the_model(rows)
        self._are_sound(rows)
        paused = self.run(self.world.rows("SELECT judge_model FROM judge_pauses"))
        assert {row["judge_model"] for row in paused} == set(self.model.pauses)

    def _agree_with_the_model(self, rows: list[dict[str, Any]]) -> None:
        assert sorted(row["id"] for row in rows) == sorted(self.model.lives), "one per answer"
        for row in rows:
            life = self.model.lives[row["id"]]
            for column in ("status", "reason", "attempt", "tries", "crashes", "queue", "emitted"):
                assert row[column] == getattr(life, column), column
            assert row["correctness"] == life.correctness
            assert row["prompt_tokens"] == life.tokens
            assert row["calls"] == len(life.replies)
            if not life.final:
                assert row["due"] == life.due
                assert row["published"] == life.published

    def _are_sound(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            emitted, status = row["emitted"], row["status"]
            assert emitted[0] in BORN
            assert emitted[-1] == status
            assert set(pairwise(emitted)) <= EDGES
            assert sum(state in FINAL for state in emitted) == (status in FINAL), "emitted once"
            assert (row["finished_at"] is not None) == (status in FINAL)
            assert row["attempt"] == emitted.count("running")
            assert (row["correctness"] is None) == (status != "succeeded")
            assert row["parts"] == (PARTS_OF_A_VERDICT if status == "succeeded" else 0)
            assert (row["crashes"] >= MAX_CRASHES) <= (status == "failed")
            assert status != "failed" or row["error"]
            assert status != "running" or row["lease_until"]

    def teardown(self) -> None:
        # What is broken already need not come to its end.
        if sys.exc_info()[0] is None and self.ids:
            self._all_come_to_their_end()

    def _all_come_to_their_end(self) -> None:
        for _ in range(ROUNDS_TO_THE_END):
            self.run(self._hours_pass())
            self._release()
            self._probe()
            published = [id_ for queue in Queue for id_ in self._publish(queue, 99)]
            leases = self._claim(published)
            self._record([(lease, self.outcome("verdict")) for lease in leases])
            self.all_is_well()
        assert all(life.final for life in self.model.lives.values())

    async def _hours_pass(self) -> None:
        hours = "interval '3 hours'"
        await self.world.rows(
            f"UPDATE qa_evaluations SET run_at = run_at - {hours},"
            f" enqueued_at = enqueued_at - {hours}"
        )
        await self.world.rows(f"UPDATE judge_pauses SET probe_at = probe_at - {hours}")
        self.model.hours_pass()


def test_the_life_of_verdicts_is_as_documented(clean_database_url):
    with asyncio.Runner() as runner:
        opened = open_world(clean_database_url)
        world = runner.run(opened.__aenter__())
        try:
            run_state_machine_as_test(lambda: LifeOfVerdicts(world, runner.run), settings=bounded)
        finally:
            runner.run(opened.__aexit__(None, None, None))


async def test_one_row_is_let_through_whatever_the_planner_knows(world):
    await store_answers(world)
    await world.rows(
        "INSERT INTO judge_pauses (judge_model, reason, probe_at)"
        " SELECT judge_model, 'HTTP 401', now() FROM qa_evaluations"
    )
    # Statistics of a table with one row: it is then read first, and the pauses for each row of it.
    await world.rows("ANALYZE qa_evaluations, judge_pauses")
    await store_answers(world, 5)

    await world.lifecycle.probe_paused()

    assert len(await world.rows("SELECT id FROM qa_evaluations WHERE reason = 'probe'")) == 1
