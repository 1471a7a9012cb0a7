"""What the System page, the banner, `searchqa doctor` and /readyz say is wrong."""

import datetime as dt
import uuid
from dataclasses import replace

import pytest

from app.notes.vector_indexes import Obstacle, Unindexed
from app.operations.embedded.parts import MAX_IDLE_SECONDS
from app.operations.system.diagnosis import Condition, Observation, diagnose
from app.operations.system.presence import LISTED_SECONDS, ProcessKind
from app.operations.system.processes import Process
from app.platform.broker import Queue
from app.verdicts.lifecycle.queries import Backlog
from verdict_world import settings

JUDGE = "openai:gpt-4o-mini"
SETTINGS = settings(max_queue_wait=60)


def process(kind: ProcessKind, *queues: Queue, **about: object) -> Process:
    usual = {"seen_seconds": 3.0, "steady_seconds": 600.0}
    return Process(
        *(uuid.uuid4(), kind, "host", 7, "1.0", queues, dt.datetime.now(dt.UTC)), **usual | about
    )


API = process(ProcessKind.API)
DISPATCHER = process(ProcessKind.DISPATCHER, tick_seconds=0.5)
WORKER = process(ProcessKind.WORKER, Queue.LIVE)
CLAIMING = replace(WORKER, claim_seconds={JUDGE: 2.0})
BULK = process(ProcessKind.WORKER, Queue.BULK)
DEAD = {"seen_seconds": 300.0}
ALL = (API, DISPATCHER, WORKER)
LATE = Backlog(Queue.LIVE, JUDGE, 40, 300.0, 0, 0, None)


def conditions(
    *backlog: Backlog, processes: tuple[Process, ...] = ALL, **seen: object
) -> list[Condition]:
    found = diagnose(Observation(backlog, processes, **seen), SETTINGS)
    assert found.condition is (found.problems[0].condition if found.problems else Condition.OK)
    return [problem.condition for problem in found.problems]


def test_all_is_well():
    assert conditions() == []
    assert conditions(replace(LATE, oldest_seconds=59.0)) == []


def test_a_stuck_queue_is_told_from_a_slow_judge():
    assert conditions(LATE) == [Condition.STUCK]
    assert conditions(LATE, processes=(API, DISPATCHER, CLAIMING)) == [Condition.SLOW_JUDGE]
    assert conditions(replace(LATE, running=8)) == [Condition.SLOW_JUDGE]
    assert conditions(LATE, limited=frozenset({JUDGE})) == [Condition.SLOW_JUDGE]


def test_large_workspaces_without_an_index_delay_no_verdict():
    lacking = Unindexed(2, Obstacle.NOT_OWNER)
    found = diagnose(Observation((), ALL, unindexed=lacking), SETTINGS)
    (problem,) = found.problems
    assert (problem.condition, found.delayed) == (Condition.UNINDEXED, False)
    assert (problem.workspaces, problem.obstacle) == (2, "not_owner")
    assert conditions(LATE, unindexed=lacking) == [Condition.STUCK, Condition.UNINDEXED]
    assert conditions(unindexed=Unindexed(0, Obstacle.NOT_OWNER)) == []


def test_what_does_not_show_that_claims_go_on():
    of_another = replace(WORKER, claim_seconds={"offline:rules": 1.0})
    long_ago = replace(WORKER, claim_seconds={JUDGE: 200.0})
    dead = replace(CLAIMING, **DEAD)
    for worker in (of_another, long_ago):
        assert conditions(LATE, processes=(API, DISPATCHER, worker)) == [Condition.STUCK]
    assert conditions(LATE, processes=(*ALL, dead)) == [Condition.STUCK]
    assert conditions(replace(LATE, running=3, expired=3)) == [Condition.STUCK]


def test_what_is_judged_again_may_take_long_but_not_stand_still():
    late = replace(LATE, queue=Queue.BULK)
    judging = replace(BULK, claim_seconds={JUDGE: 1.0})
    assert conditions(late, processes=(*ALL, judging)) == []
    assert conditions(late, processes=(*ALL, BULK)) == [Condition.STUCK]
    assert conditions(late) == [Condition.NO_WORKER]


def test_a_paused_judge_is_not_a_stuck_queue():
    parked = replace(LATE, paused="failing")
    assert conditions(parked, paused=[JUDGE]) == [Condition.JUDGE_PAUSED]
    found = diagnose(Observation([parked], ALL, paused=[JUDGE]), SETTINGS)
    assert (found.problems[0].due, found.delayed) == (40, True)
    # Nothing waits for it: it delays nobody.
    assert not diagnose(Observation([], ALL, paused=[JUDGE]), SETTINGS).delayed


def test_no_worker_lives():
    dead = replace(WORKER, **DEAD)
    for processes in ((API, DISPATCHER), (API, DISPATCHER, dead), (API, DISPATCHER, BULK)):
        assert conditions(processes=processes) == [Condition.NO_WORKER]
        assert conditions(LATE, processes=processes) == [Condition.NO_WORKER]


FROZEN = {"seen_seconds": 7.5}


@pytest.mark.parametrize(
    ("processes", "found"),
    [
        # What reported beside those that still do has stopped, however soon after a start.
        ((DISPATCHER, replace(WORKER, **FROZEN)), [Condition.NO_WORKER]),
        ((WORKER, replace(DISPATCHER, **FROZEN)), [Condition.NO_DISPATCHER]),
        ((DISPATCHER, WORKER, replace(BULK, **FROZEN)), [Condition.NO_WORKER]),
        ((DISPATCHER, WORKER, BULK, replace(BULK, **FROZEN)), []),
        # One that was killed before this start is not: what is held may be of another release.
        ((DISPATCHER, replace(WORKER, seen_seconds=30.0)), []),
    ],
)
def test_a_kind_of_process_that_falls_silent_is_noticed(processes, found):
    api = replace(API, seen_seconds=0.5, steady_seconds=20.0)
    of_start = tuple(
        replace(one, steady_seconds=15.0) if one.seen_seconds <= 7 else one for one in processes
    )
    held = Backlog(Queue.LIVE, JUDGE, 2, 4.0, 3, 0, None)
    seen = Observation((held,), (api, *of_start))
    problems = diagnose(seen, SETTINGS).problems
    assert [problem.condition for problem in problems] == found
    if found == [Condition.NO_WORKER] and problems[0].queue is Queue.LIVE:
        assert (problems[0].due, problems[0].oldest_seconds) == (2, 4.0)


def test_a_worker_that_does_not_report_holds_leases():
    of_another_release = Backlog(Queue.LIVE, JUDGE, 0, None, 5, 0, None)
    assert conditions(of_another_release, processes=(API, DISPATCHER)) == []


@pytest.mark.parametrize("about", [DEAD, {"tick_seconds": 90.0}])
def test_no_dispatcher_works(about):
    processes = (API, WORKER, replace(DISPATCHER, **about))
    assert conditions(processes=processes) == [Condition.NO_DISPATCHER]


def test_a_dispatcher_that_has_just_begun_works():
    begun = replace(DISPATCHER, tick_seconds=None, steady_seconds=1.0)
    assert conditions(processes=(API, WORKER, begun)) == []


def test_without_redis_no_dispatcher_is_blamed():
    late = replace(DISPATCHER, tick_seconds=90.0)
    found = conditions(LATE, processes=(API, late, WORKER), redis=False)
    assert found == [Condition.REDIS_UNREACHABLE, Condition.STUCK]


@pytest.mark.parametrize("processes", [(), (replace(API, steady_seconds=4.0),)])
def test_after_an_outage_of_postgresql_silence_proves_nothing(processes):
    assert set(conditions(LATE, processes=processes)) == {Condition.UNKNOWN}
    assert not diagnose(Observation([LATE], processes), SETTINGS).delayed
    assert Condition.JUDGE_PAUSED in conditions(processes=processes, paused=[JUDGE])


def test_dispatchers_that_cannot_read_what_waits_are_not_all_is_well():
    found = diagnose(Observation(None, ALL), SETTINGS)
    assert (found.condition, found.delayed) == (Condition.UNKNOWN, False)
    assert len(found.problems) == 1
    found = diagnose(Observation(None, (API, WORKER)), SETTINGS)
    assert [problem.condition for problem in found.problems] == [Condition.NO_DISPATCHER]


def test_redis_away_delays_verdicts_where_it_carries_their_messages():
    by_another = SETTINGS.replace(broker_url="redis://messages")
    seen = Observation((), ALL, redis=False)
    assert diagnose(seen, SETTINGS).delayed
    found = diagnose(seen, by_another)
    assert (found.condition, found.delayed) == (Condition.REDIS_UNREACHABLE, False)


def test_the_most_severe_comes_first_with_its_figures():
    slow = replace(LATE, judge_model="anthropic:x", running=9, due=7)
    found = diagnose(Observation([slow, LATE], ALL, paused=["a:b"]), SETTINGS)
    assert found.delayed
    stuck, paused, behind = found.problems
    assert (stuck.condition, stuck.queue, stuck.judge_model) == ("stuck", "live", JUDGE)
    assert (stuck.due, stuck.oldest_seconds) == (40, 300.0)
    assert (paused.judge_model, behind.judge_model) == ("a:b", "anthropic:x")


def test_a_worker_that_sleeps_is_no_problem():
    """Before it does, one that was killed before it is listed no more."""
    assert MAX_IDLE_SECONDS >= LISTED_SECONDS
    assert conditions(processes=(*ALL, BULK)) == []
