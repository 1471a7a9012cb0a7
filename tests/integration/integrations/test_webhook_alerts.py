"""Webhook events other than verdicts: judges, backlogs, thresholds; each sent once."""

from typing import Any

import psycopg
import pytest

from app.integrations.webhooks import outbox
from app.integrations.webhooks.outbox import MIN_VERDICTS, raise_alerts
from app.operations.retention import retention_for
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Pause
from app.verdicts.lifecycle.parking import resume_judge
from verdict_world import World, store_answers, verdict
from webhook_world import add_hook, deliver_due, deliveries, hook_receiver, hook_settings

URL = "https://hooks.example/"
NONE_LOW = {"metric": "low_share", "direction": "below", "value": 0.5}


async def sent_events(world: World) -> list[tuple[str, dict[str, Any]]]:
    return [(row["event"], row["data"]) for row in await deliveries(world)]


class TestJudges:
    async def test_a_pause_and_its_end_are_sent(self, world):
        await add_hook(world, URL, events=["judge.paused", "judge.resumed"])
        await add_hook(world, URL, events=["judge.paused"], judges=["openai:other"])
        await add_hook(world, URL, events=["judge.paused"], workspace="other")
        (answer,) = await store_answers(world)
        (lease,) = await world.lifecycle.claim([answer.evaluation_id])
        await world.lifecycle.record([(lease, Pause("invalid_api_key"))])
        async with world.sessions.begin() as session:
            await resume_judge(session, lease.judge_model)

        events = await sent_events(world)
        assert sorted(event for event, _ in events) == [
            *("judge.paused", "judge.paused"),
            "judge.resumed",
        ]
        assert events[0][1]["judge_model"] == lease.judge_model
        assert events[0][1]["code"] == "invalid_api_key"

    async def test_the_api_may_resume_without_a_workspace(self, world):
        """By its own role, which sees no webhook."""
        await add_hook(world, URL, events=["judge.resumed"])
        await world.rows(
            "INSERT INTO judge_pauses (judge_model, reason, probe_at) VALUES ('a:b', 'x', now())"
        )
        await world.rows("BEGIN; SET LOCAL ROLE searchqa_api; DELETE FROM judge_pauses; COMMIT")

        assert [event for event, _ in await sent_events(world)] == ["judge.resumed"]


class TestABacklog:
    async def test_is_sent_once_until_it_has_ended(self, world):
        await add_hook(world, URL, events=["backlog.old"], backlog_minutes=10)
        (answer,) = await store_answers(world)
        assert await raise_alerts(world.pool) == 0
        await world.rows("UPDATE qa_evaluations SET created_at = now() - interval '11 minutes'")
        assert await raise_alerts(world.pool) == 1
        assert await raise_alerts(world.pool) == 0
        ((_, data),) = await sent_events(world)
        assert data["waiting"] == 1
        assert 11 <= data["oldest_minutes"] < 12

        (lease,) = await world.lifecycle.claim([answer.evaluation_id])
        await world.lifecycle.record([(lease, verdict())])
        assert await raise_alerts(world.pool) == 0
        await store_answers(world)
        await world.rows(
            "UPDATE qa_evaluations SET created_at = now() - interval '1 hour'"
            " WHERE status = 'queued'"
        )
        assert await raise_alerts(world.pool) == 1

    @pytest.mark.parametrize("change", ["queue = 'bulk'", "reason = 'budget_spent'"])
    async def test_is_none_of_what_waits_on_purpose(self, world, change):
        await add_hook(world, URL, events=["backlog.old"])
        await store_answers(world)
        await world.rows(
            f"UPDATE qa_evaluations SET created_at = now() - interval '1 hour', {change}"
        )

        assert await raise_alerts(world.pool) == 0

    async def test_is_counted_up_to_a_limit_for_each_workspace(self, world, monkeypatch):
        monkeypatch.setitem(outbox._GIVEN, "max_waiting", 2)
        await add_hook(world, URL, events=["backlog.old"])
        await add_hook(world, URL, events=["backlog.old"], backlog_minutes=20)
        await add_hook(world, URL, events=["backlog.old"], workspace="other")
        await store_answers(world, 3)
        await store_answers(world, workspace="other")
        await world.rows("UPDATE qa_evaluations SET created_at = now() - interval '1 hour'")

        assert await raise_alerts(world.pool) == 3

        assert sorted(data["waiting"] for _, data in await sent_events(world)) == [1, 2, 2]

    async def test_that_cannot_be_read_does_not_hide_a_threshold(self, world):
        await add_hook(world, URL, events=["threshold.crossed"], thresholds=[NONE_LOW])
        await judged(world, MIN_VERDICTS)
        await world.rows("ALTER TABLE webhooks RENAME COLUMN backlog_minutes TO gone")
        try:
            with pytest.raises(psycopg.errors.UndefinedColumn):
                await raise_alerts(world.pool)
        finally:
            await world.rows("ALTER TABLE webhooks RENAME COLUMN gone TO backlog_minutes")

        assert [event for event, _ in await sent_events(world)] == ["threshold.crossed"]


async def judged(world: World, count: int, **changes: object) -> None:
    answers = await store_answers(world, count)
    leases = await world.lifecycle.claim([each.evaluation_id for each in answers])
    await world.lifecycle.record([(lease, verdict(**changes)) for lease in leases])


class TestAThreshold:
    async def test_is_sent_once_a_day(self, world):
        threshold = {"metric": "high_share", "direction": "below", "value": 0.5}
        await add_hook(world, URL, events=["threshold.crossed"], thresholds=[threshold])
        await judged(world, MIN_VERDICTS - 1)
        assert await raise_alerts(world.pool) == 0, "too few to say anything"
        await judged(world, 1)
        assert await raise_alerts(world.pool) == 1
        assert await raise_alerts(world.pool) == 0
        ((event, data),) = await sent_events(world)
        assert event == "threshold.crossed"
        assert (data["actual"], data["verdicts"]) == (0, MIN_VERDICTS)

        # Of the day before; the figures of this day have crossed it again.
        await world.rows("UPDATE webhook_alerts SET key = '2001-01-01' || substr(key, 11)")
        assert await raise_alerts(world.pool) == 1

    async def test_of_yesterday_is_none_of_today(self, world):
        threshold = {"metric": "low_share", "direction": "above", "value": 0}
        await add_hook(world, URL, events=["threshold.crossed"], thresholds=[threshold])
        await judged(world, MIN_VERDICTS)
        await world.rows(
            "UPDATE qa_evaluations SET confidence = 'low',"
            " answered_at = answered_at - interval '2 days'"
        )
        assert await raise_alerts(world.pool) == 0

    @pytest.mark.parametrize("metric", ["low_share", "unsupported_share"])
    async def test_is_not_crossed_by_degraded_verdicts(self, world, metric):
        threshold = {"metric": metric, "direction": "above", "value": 0.1}
        await add_hook(world, URL, events=["threshold.crossed"], thresholds=[threshold])
        await judged(world, 2 * MIN_VERDICTS)
        await world.rows("UPDATE qa_evaluations SET confidence = 'high', claims_unsupported = 0")
        await world.rows(
            "UPDATE qa_evaluations SET confidence = 'low', claims_unsupported = 1, degraded = true"
            " WHERE id IN (SELECT id FROM qa_evaluations LIMIT %s)",
            MIN_VERDICTS,
        )
        assert await raise_alerts(world.pool) == 0
        await world.rows("UPDATE qa_evaluations SET degraded = false")
        assert await raise_alerts(world.pool) == 1

    async def test_of_cost(self, world):
        threshold = {"metric": "cost_usd", "direction": "above", "value": 0.5}
        await add_hook(world, URL, events=["threshold.crossed"], thresholds=[threshold])
        await judged(world, 1)
        assert await raise_alerts(world.pool) == 0
        await world.rows("UPDATE qa_evaluations SET cost_usd = 0.6")
        assert await raise_alerts(world.pool) == 1


class TestRetention:
    async def test_deliveries_are_kept_for_so_many_days(self, world):
        async with hook_receiver() as receiver:
            await add_hook(world, receiver.url)
            await judged(world, 1)
            await deliver_due(world)
            await judged(world, 1)
        settings: Settings = hook_settings(keep_webhook_deliveries_days=30)
        await world.rows("UPDATE webhook_deliveries SET created_at = now() - interval '31 days'")
        retention = retention_for("webhooks", world.pool, settings)
        assert await retention.due() == await retention.delete_batch() == {"webhook_deliveries": 1}

        (left,) = await deliveries(world)
        assert left["status"] == "pending", "what is still to be delivered stays"
        await world.rows("UPDATE webhooks SET enabled = false")
        assert await retention.delete_all() == {"webhook_deliveries": 1}
        assert await deliveries(world) == []
