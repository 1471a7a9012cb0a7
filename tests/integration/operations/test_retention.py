"""What is kept long enough is forgotten; what may still be needed is not."""

import asyncio
import json
import uuid
from collections.abc import Callable
from functools import partial
from operator import not_
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from api_client import Api, open_api, parse_events
from app.ai_router.types import ChatResponse
from app.operations.retention import retention_for
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Failure, Lease
from app.verdicts.lifecycle.retention import DELETE_ANSWERS, SQL, VerdictRetention
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually
from run_rows import put
from verdict_world import (
    World,
    finished_answer,
    open_world,
    set_policy,
    settings,
    store_answers,
    verdict,
)
from webhook_world import add_hook
from worker.periodic import SteadyClock, apply_retention, repeat

REPLY = ChatResponse(
    content="{}", provider="openai", model="gpt-4o-mini", raw_body="body", prompt_tokens=10
)
DAYS = {"keep_judge_bodies_days": 30, "keep_events_days": 30, "keep_answers_days": 365}
TABLES = (
    *("qa_answers", "qa_answer_sources", "qa_evaluations", "qa_evaluation_sources"),
    *("qa_evaluation_issues", "qa_scores", "judge_calls", "verdict_events"),
)


def policy(world: World, *, batch: int = 500, **changes: Any) -> VerdictRetention:
    return VerdictRetention(world.pool, settings(**DAYS | changes), batch=batch)


async def called(world: World) -> Lease:
    """A claimed evaluation with one stored reply."""
    (new,) = await store_answers(world)
    (lease,) = await world.lifecycle.claim([new.evaluation_id])
    await world.lifecycle.save_replies([StoredCall(lease, "hash", "openai", "gpt-4o-mini", REPLY)])
    return lease


async def judged(world: World, count: int = 1) -> list[uuid.UUID]:
    leases = [await called(world) for _ in range(count)]
    await world.lifecycle.record([(lease, verdict()) for lease in leases])
    return [lease.id for lease in leases]


async def age(world: World, days: int, *tables: str) -> None:
    for table in tables or ("qa_answers", "judge_calls", "verdict_events"):
        await world.rows(f"UPDATE {table} SET created_at = now() - make_interval(days => %s)", days)


async def count(world: World, table: str, where: str = "true") -> int:
    (row,) = await world.rows(f"SELECT count(*) AS n FROM {table} WHERE {where}")
    return row["n"]


class TestReplies:
    async def test_old_ones_are_emptied_and_their_figures_stay(self, world):
        (old,) = await judged(world)
        await age(world, 31)
        (fresh,) = await judged(world)

        assert (await policy(world).delete_all())["bodies"] == 1

        calls = await world.rows(
            "SELECT evaluation_id, content, body, prompt_tokens FROM judge_calls"
        )
        kept = {call["evaluation_id"]: (call["content"], call["body"]) for call in calls}
        assert kept == {old: (None, None), fresh: ("{}", "body")}
        assert [call["prompt_tokens"] for call in calls] == [10, 10]

    async def test_an_unfinished_verdict_keeps_what_was_paid_for(self, world):
        lease = await called(world)
        await age(world, 3650)

        assert not await policy(world).delete_all()

        assert set(await world.lifecycle.load_replies(lease)) == {"hash"}
        await world.lifecycle.record([(lease, Failure("broken"))])
        assert (await policy(world, keep_answers_days=None).delete_all())["bodies"] == 1


class TestEvents:
    async def test_only_the_last_of_a_verdict_stays(self, world):
        (id_,) = await judged(world)
        assert await world.events(id_) == ["queued", "running", "succeeded"]
        await age(world, 31)

        assert (await policy(world).delete_all())["events"] == 2

        assert await world.events(id_) == ["succeeded"]

    async def test_events_of_an_unfinished_verdict_stay(self, world):
        lease = await called(world)
        await age(world, 31)

        assert (await policy(world).delete_all())["events"] == 0
        assert await world.events(lease.id) == ["queued", "running"]

    async def test_a_late_reader_gets_the_final_event(self, world, redis_url):
        async with open_api(world, redis_url) as api:
            (id_,) = await judged(world)
            (first,) = await world.rows(
                "SELECT xid::text || '-' || id AS cursor FROM verdict_events ORDER BY id LIMIT 1"
            )
            await age(world, 31)
            await policy(world).delete_all()

            shown = await events_of(api, id_, {"Last-Event-ID": first["cursor"]})
            again = await events_of(api, id_, {})

            assert [event.name for event in shown] == ["evaluation", "quality", "qa_evaluation"]
            assert shown[0].data["status"] == "succeeded"
            assert [event.name for event in again] == [event.name for event in shown]
            seen = await api.client.get(
                f"/qa-evaluations/{id_}/events", headers={"Last-Event-ID": shown[-1].id}
            )
            assert seen.status_code == 204, "the final event is sent once"
            polled = await api.client.get(f"/qa-evaluations/{id_}")
            assert polled.json()["status"] == "succeeded"


async def events_of(api: Api, id_: uuid.UUID, headers: dict[str, str]) -> list[Any]:
    return parse_events(
        (await api.client.get(f"/qa-evaluations/{id_}/events", headers=headers)).text
    )


class TestAnswers:
    async def test_old_ones_go_with_all_that_hangs_on_them(self, world):
        await judged(world)
        await age(world, 366)
        (fresh,) = await judged(world)

        assert (await policy(world).delete_all())["answers"] == 1

        (left,) = await world.rows("SELECT id FROM qa_evaluations")
        assert left["id"] == fresh
        await age(world, 366)
        await policy(world).delete_all()
        assert {table: await count(world, table) for table in TABLES} == dict.fromkeys(TABLES, 0)

    async def test_without_a_setting_they_are_kept_for_ever(self, world):
        await judged(world)
        await age(world, 36_000)

        assert (await policy(world, keep_answers_days=None).delete_all())["answers"] == 0

    async def test_an_unfinished_one_stays(self, world):
        await called(world)
        await store_answers(world)
        await age(world, 366)

        assert not await policy(world).delete_all()

    async def test_an_evaluation_added_meanwhile_keeps_its_answer(self, world):
        (id_,) = await judged(world)
        answer_id = (await world.row(id_))["answer_id"]
        await world.rows(
            "UPDATE qa_evaluations SET status = 'queued', correctness = NULL, utility = NULL"
        )

        await world.rows(DELETE_ANSWERS.replace("%(ids)s", "%s"), [answer_id])

        assert await count(world, "qa_answers") == 1


class TestWorkspacesWithAPolicy:
    async def test_one_that_keeps_less_is_emptied_sooner(self, world):
        await judged(world)
        await age(world, 8)
        assert not await policy(world).delete_all()

        kept = {"keep_judge_bodies_days": 7, "keep_events_days": 7, "keep_answers_days": 9}
        await set_policy(world, settings(), **kept)

        assert await policy(world, keep_answers_days=None).due() == {"bodies": 1, "events": 2}
        assert await policy(world).delete_all() == {"bodies": 1, "events": 2}
        await age(world, 10, "qa_answers")
        assert (await policy(world, keep_answers_days=None).delete_all())["answers"] == 1

    async def test_one_that_keeps_more_is_left_alone_beside_one_that_does_not(self, world):
        await judged(world)
        other = await world.workspace("other")
        server = EvaluationPolicy.from_settings(settings())
        new = await finish_answer(world.pool, server, finished_answer(other))
        (lease,) = await world.lifecycle.claim([new.evaluation_id])
        await world.lifecycle.record([(lease, verdict())])
        await age(world, 400)

        kept = {"keep_judge_bodies_days": 500, "keep_events_days": 500, "keep_answers_days": 500}
        await set_policy(world, settings(), **kept)
        await policy(world).delete_all()

        left = await world.rows("SELECT workspace_id FROM qa_answers")
        assert len(left) == 1
        assert left[0]["workspace_id"] != other
        assert await count(world, "judge_calls", "body IS NOT NULL") == 1
        assert await count(world, "verdict_events") == 3


class TestBatches:
    async def test_they_are_bounded_and_go_on_where_they_stopped(self, world):
        await judged(world, 5)
        await age(world, 31)
        small = policy(world, batch=2)

        first = await small.delete_batch()
        rest = await small.delete_all()

        assert first == {"bodies": 2, "events": 2}
        assert first + rest == {"bodies": 5, "events": 10}

    async def test_two_share_the_work(self, world):
        await judged(world, 6)
        await age(world, 366)

        both = await asyncio.gather(*(policy(world, batch=2).delete_all() for _ in range(2)))

        assert both[0]["answers"] + both[1]["answers"] == 6
        assert await count(world, "qa_answers") == 0

    async def test_held_rows_are_left(self, world):
        await judged(world, 2)
        await age(world, 366)
        async with await psycopg.AsyncConnection.connect(world.url) as other:
            held = await (
                await other.execute("SELECT id FROM qa_answers LIMIT 1 FOR UPDATE")
            ).fetchone()

            assert (await policy(world).delete_all())["answers"] == 1

        (left,) = await world.rows("SELECT id FROM qa_answers")
        assert (left["id"],) == held

    async def test_counting_changes_nothing(self, world):
        await judged(world, 2)
        await age(world, 366)

        due = await policy(world).due()

        assert due == {"answers": 2, "bodies": 2, "events": 4}
        assert await policy(world).due() == due

    async def test_nothing_is_searched_for_row_by_row(self, world):
        for statement, index in (
            (SQL("forget_bodies"), "judge_calls_default_created_at_idx"),
            (SQL("delete_events"), "verdict_events_default_created_at_idx"),
            (SQL("lock_answers"), "ix_qa_answers_created_at"),
            (
                "DELETE FROM qa_evaluations WHERE answer_id = %(id)s AND %(days)s + %(limit)s > 0",
                "uq_qa_evaluations_answer_id_workspace_id_judge_key",
            ),
        ):
            async with world.pool.connection() as connection, connection.transaction():
                # The tables hold next to nothing, where every way is as good as another.
                for way in ("seqscan", "sort", "bitmapscan"):
                    await connection.execute(f"SET LOCAL enable_{way} = off".encode())
                parameters = {"days": 30, "least": 30, "limit": 500, "id": uuid.uuid4()}
                plan = await connection.execute(f"EXPLAIN {statement}".encode(), parameters)
                assert index in "\n".join(row[0] for row in await plan.fetchall())


class TestRounds:
    async def test_the_dispatcher_deletes_while_it_runs(self, world):
        await judged(world, 3)
        await age(world, 31)
        stopping = asyncio.Event()
        step = partial(apply_retention, policy(world, batch=2), SteadyClock(world.pool))
        running = asyncio.create_task(repeat(step, stopping, interval=0.01))

        await eventually(lambda: count(world, "judge_calls", "body IS NOT NULL"), when=not_)
        stopping.set()
        await running


@pytest.mark.parametrize("leap", [365 * 86_400.0, -7200.0])
async def test_a_clock_that_leaps_deletes_nothing_for_a_day(world, monkeypatch, leap):
    """The database's, seen from a machine whose own goes on as ever."""
    await judged(world)
    await age(world, 31)
    here = 1000.0
    monkeypatch.setattr("worker.periodic.time.clock_gettime", lambda _: here)
    clock = SteadyClock(world.pool)
    assert await clock.is_steady()
    here -= leap
    assert not await apply_retention(policy(world), clock)
    assert await count(world, "judge_calls", "body IS NOT NULL") == 1

    # A process that starts meanwhile sees it, until a day is over by the database's clock.
    assert not await SteadyClock(world.pool).is_steady()
    await world.rows("UPDATE database_clock SET held_until = now()")
    assert await SteadyClock(world.pool).is_steady()


@pytest.mark.parametrize(("seen", "steady"), [("-2h", False), ("6d", True), ("8d", False)])
async def test_a_clock_that_jumped_without_a_dispatcher(world, seen, steady):
    """After a week without any dispatcher, too."""
    assert await SteadyClock(world.pool).is_steady()
    await world.rows("UPDATE database_clock SET seen_at = now() - %s::interval", seen)
    assert await SteadyClock(world.pool).is_steady() is steady


class TestJobs:
    """With batches and trials, which are made by jobs."""

    async def ended(self, world: World, kind: str, days: int) -> uuid.UUID:
        id_ = await put(world, kind)
        await world.rows(
            "UPDATE jobs SET status = 'succeeded', finished_at = now() - make_interval(days => %s)"
            " WHERE id = %s",
            *(days, id_),
        )
        return id_

    async def test_old_ended_ones_are_deleted(self, world):
        await self.ended(world, "embed", 91)
        kept = {await self.ended(world, *each) for each in (("embed", 89), ("refine", 91))}
        waiting = await put(world, "embed")
        await age(world, 400, "jobs")

        retention = retention_for("jobs", world.pool, settings())
        assert await retention.due() == {"jobs": 1}
        assert await retention.delete_all() == {"jobs": 1}

        rows = await world.rows("SELECT id FROM jobs")
        assert {row["id"] for row in rows} == kept | {waiting}

    async def test_batches_that_ended_long_ago_go_after_their_lines(self, world):
        ids = [new.evaluation_id for new in await store_answers(world, 3)]
        (row,) = await world.rows("SELECT workspace_id FROM qa_answers LIMIT 1")
        for state, days in (("ended", 91), ("ended", 89), ("collecting", 91)):
            await world.rows(
                "WITH made AS (INSERT INTO judge_batches (id, workspace_id, judge_model, state,"
                " deadline_at, created_at, finished_at) SELECT gen_random_uuid(), %s, 'openai:a',"
                " %s, at, at, CASE WHEN %s = 'ended' THEN at END"
                " FROM (SELECT now() - make_interval(days => %s)) given(at) RETURNING *)"
                " INSERT INTO judge_batch_lines"
                " (id, workspace_id, batch_id, evaluation_id, attempt, position)"
                " SELECT gen_random_uuid(), workspace_id, id, unnest(%s::uuid[]), %s, 0 FROM made",
                *(row["workspace_id"], state, state, days, ids, days + len(state)),
            )

        deleted = await retention_for("batches", world.pool, settings()).delete_all()

        assert deleted == {"judge_batch_lines": 3, "judge_batches": 1}
        assert await count(world, "judge_batch_lines") == 6

    async def test_trials_that_were_made_long_ago(self, world):
        (new,) = await store_answers(world)
        await world.rows(
            "INSERT INTO judge_trials (id, workspace_id, evaluation_id, judge_model, prompt, lang,"
            " made_by, created_at) SELECT gen_random_uuid(), workspace_id, id, 'a:b', 'p', 'ko',"
            " 'ann', now() - make_interval(days => days)"
            " FROM qa_evaluations CROSS JOIN unnest(ARRAY[89, 91]) AS made(days) WHERE id = %s",
            new.evaluation_id,
        )

        assert await retention_for("trials", world.pool, settings()).delete_all() == {
            "judge_trials": 1
        }


class TestCommand:
    @pytest.fixture
    async def old(self, clean_database_url: str) -> str:
        async with open_world(clean_database_url) as world:
            await add_hook(world, "https://hooks.example/")
            await judged(world, 2)
            await age(world, 31, "judge_calls", "verdict_events", "webhook_deliveries")
            await world.rows("UPDATE webhook_deliveries SET status = 'failed'")
        return clean_database_url

    @pytest.fixture
    def run(
        self, old: str, run_cli: Callable[..., SimpleNamespace], monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., str]:
        monkeypatch.setenv("DATABASE_URL", old)

        def run(*arguments: str) -> str:
            ended = run_cli("retention", "run", *arguments)
            assert ended.code == 0, ended.err
            return str(ended.out)

        return run

    def test_it_counts_what_it_would_delete_and_then_deletes_it(self, run):
        would = {"partitions": 0, "answers": 0, "bodies": 2, "events": 4}
        would |= {"traces": 0, "alarms": 0, "webhook_deliveries": 2}
        would |= {"jobs": 0, "judge_batches": 0, "judge_batch_lines": 0, "judge_trials": 0}
        would |= {"spans_of_traces": 0, "points": 0, "webhook_secrets": 0}
        would |= {"sessions": 0, "reader_tokens": 0, "empty_failures": 0, "audit_events": 0}
        assert json.loads(run("--dry-run", "--json")) == {"dry_run": True, **would}
        assert json.loads(run("--json")) == {"dry_run": False, **would}
        assert json.loads(run("--json")) == {"dry_run": False, **dict.fromkeys(would, 0)}

    def test_people_read_a_table(self, run, monkeypatch):
        monkeypatch.setenv("SEARCHQA_KEEP_EVENTS_DAYS", "7")

        shown = run("--dry-run")

        assert "would be deleted" in shown
        lines = [line.split() for line in shown.splitlines()]
        assert ["answers", "with", "all", "their", "data", "forever", "0"] in lines
        assert "7 days" in shown
