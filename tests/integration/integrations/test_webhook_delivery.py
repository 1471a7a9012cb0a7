"""From a verdict to its receiver: what is put into the outbox, how it is signed, and what becomes
of it when the receiver misbehaves."""

import asyncio
import base64
import datetime as dt
import hashlib
import hmac
import logging
from collections.abc import AsyncIterator

import pytest

from app.integrations.webhooks.delivering import DELAYS, MAX_TRIES
from app.integrations.webhooks.outbox import Attempt, Outbox
from app.integrations.webhooks.service import (
    change_webhook,
    replay_delivery,
    rotate_secret,
    send_test,
)
from app.verdicts.answers.attributes import Attributes
from app.verdicts.lifecycle.outcome import Failure
from cases import eventually
from verdict_world import World, store_answers, verdict
from webhook_world import (
    Hook,
    HookReceiver,
    add_hook,
    deliver_due,
    deliveries,
    drip_body,
    drip_head,
    flood,
    hang,
    hook_receiver,
    hook_settings,
    judge,
    make_due,
    reply,
    reset,
    the_hook,
)


@pytest.fixture
async def receiver() -> AsyncIterator[HookReceiver]:
    async with hook_receiver() as receiver:
        yield receiver


def signed_by(hook: Hook, secret: str) -> bool:
    """By the published scheme, computed here without a line of ours."""
    key = base64.b64decode(secret.split("_", 1)[1])
    id_, timestamp = hook.headers["webhook-id"], hook.headers["webhook-timestamp"]
    content = b".".join([id_.encode(), timestamp.encode(), hook.body])
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    given = hook.headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(each, f"v1,{expected}") for each in given)


class TestTheOutbox:
    async def test_a_verdict_is_delivered_signed(self, world, receiver):
        added = await add_hook(world, receiver.url)
        said = Attributes(app_version="1.4.2", user_ref="kim", custom={"tenant": "a"})
        (answer,) = await store_answers(world, attributes=said)
        await judge(world, answer.evaluation_id)
        (row,) = await deliver_due(world)

        (hook,) = receiver.hooks
        assert row["status"] == "delivered"
        assert row["log"][0]["status"] == 200
        assert hook.path == "/hook"
        assert hook.headers["host"] == f"127.0.0.1:{receiver.port}"
        assert signed_by(hook, added.secret)
        assert not signed_by(hook, "whsec_" + base64.b64encode(b"x" * 32).decode())
        assert hook.headers["webhook-id"] == f"msg_{row['id'].hex}"
        at = dt.datetime.fromtimestamp(int(hook.headers["webhook-timestamp"]), dt.UTC)
        assert abs(dt.datetime.now(dt.UTC) - at) < dt.timedelta(minutes=5)
        body = hook.json
        assert body["type"] == "verdict.succeeded"
        assert body["version"] == 1
        assert body["data"]["evaluation_id"] == str(answer.evaluation_id)
        assert body["data"]["correctness"] == 0.9
        assert body["data"]["judged_by"] == "model"
        names = ("app_version", "session_id", "tags", "attributes")
        assert [body["data"][name] for name in names] == ["1.4.2", None, [], {"tenant": "a"}]
        assert body["data"]["user_ref"].startswith("hmac:")
        assert "content" not in body["data"]
        assert "변성 온도는?" not in hook.body.decode()

    async def test_texts_are_sent_where_they_are_asked_for(self, world, receiver):
        await add_hook(world, receiver.url, include_content=True)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)
        await deliver_due(world)

        content = receiver.hooks[0].json["data"]["content"]
        assert content["question"] == "변성 온도는?"
        assert content["answer"].startswith("변성은 95도")

    async def test_rolled_back_events_are_not_delivered(self, world):
        await add_hook(world, "https://hooks.example/")
        (answer,) = await store_answers(world)
        (lease,) = await world.lifecycle.claim([answer.evaluation_id])
        # The record statement fails as a whole after its event was inserted.
        await world.rows(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'refused'; END $$"
        )
        await world.rows(
            "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON webhook_deliveries"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
        with pytest.raises(Exception, match="refused"):
            await world.lifecycle.record([(lease, verdict())])

        assert await deliveries(world) == []
        assert await world.events(answer.evaluation_id) == ["queued", "running"]

    async def test_one_row_for_each_verdict_of_a_batch(self, world):
        await add_hook(world, "https://hooks.example/")
        answers = await store_answers(world, 5)
        leases = await world.lifecycle.claim([each.evaluation_id for each in answers])
        await world.lifecycle.record([(lease, verdict()) for lease in leases])

        rows = await deliveries(world)
        assert {row["evaluation_id"] for row in rows} == {each.evaluation_id for each in answers}
        assert len(rows) == 5

    async def test_a_webhook_that_is_being_deleted_costs_no_verdict(self, world):
        await add_hook(world, "https://hooks.example/", name="deleted")
        await add_hook(world, "https://hooks.example/", name="kept")
        (answer,) = await store_answers(world)
        blocked = (
            "SELECT pid FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        async with world.pool.connection() as connection:
            await connection.set_autocommit(False)
            try:
                await connection.execute("DELETE FROM webhooks WHERE name = 'deleted'")
                judging = asyncio.create_task(judge(world, answer.evaluation_id))
                await eventually(lambda: world.rows(blocked))
                await connection.commit()
            finally:
                await connection.rollback()
                await connection.set_autocommit(True)
        await judging

        assert (await world.row(answer.evaluation_id))["status"] == "succeeded"
        (row,) = await deliveries(world)
        assert row["webhook_id"] == (await the_hook(world))["id"]

    @pytest.mark.parametrize(
        ("filters", "passes"),
        [
            ({}, True),
            ({"confidences": ["medium"]}, True),
            ({"confidences": ["high", "low"]}, False),
            ({"judges": ["offline:rules"]}, True),
            ({"judges": ["openai:gpt-4o-mini"]}, False),
            ({"features": ["search_qa"]}, True),
            ({"features": ["insight"]}, False),
            ({"events": ["verdict.failed"]}, False),
            ({"enabled": False}, False),
            ({"workspace": "other"}, False),
        ],
    )
    async def test_filters(self, world, filters, passes):
        await add_hook(world, "https://hooks.example/", **filters)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)

        assert bool(await deliveries(world)) is passes

    async def test_a_failed_verdict(self, world, receiver):
        await add_hook(world, receiver.url)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id, Failure("permanent: refused"))
        await deliver_due(world)

        body = receiver.hooks[0].json
        assert body["type"] == "verdict.failed"
        assert body["data"]["error"] == "permanent: refused"

    async def test_a_forgotten_answer_is_not_delivered(self, world):
        await add_hook(world, "https://hooks.example/")
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)
        await world.rows("DELETE FROM qa_answers WHERE id = %s", answer.answer_id)

        assert await deliveries(world) == []


class TestAReceiverThat:
    @pytest.fixture(autouse=True)
    async def _one_is_due(self, world: World, receiver: HookReceiver) -> None:
        await add_hook(world, receiver.url)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)

    @pytest.mark.parametrize(
        ("behaviour", "code", "status"),
        [
            (hang, "timed_out", None),
            (drip_head, "timed_out", None),
            (reset, "connection_failed", None),
            (reply(500, b"<b>oops</b>"), "refused", 500),
            (reply(404), "refused", 404),
            (reply(302, location="http://127.0.0.1:1/"), "redirected", 302),
            (reply(307, location="/elsewhere"), "redirected", 307),
        ],
    )
    async def test_fails_is_tried_again(self, world, receiver, behaviour, code, status):
        receiver.script(behaviour)
        (row,) = await deliver_due(world, webhook_timeout=0.4)
        assert row["status"] == "pending"
        assert (row["log"][0]["code"], row["log"][0]["status"]) == (code, status)
        assert len(receiver.hooks) == 1, "a redirect is not followed"
        assert (await the_hook(world))["failing_since"] is not None

        await make_due(world)
        (row,) = await deliver_due(world)
        first, second = receiver.hooks
        assert row["status"] == "delivered"
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert (await the_hook(world))["failing_since"] is None

    @pytest.mark.parametrize(
        ("behaviour", "begins"),
        [(drip_body, ""), (flood, ""), (reply(200, b'{"error": "no"}\x00\xff'), '{"error": "no"}')],
    )
    async def test_says_200_has_taken_it_whatever_follows(self, world, receiver, behaviour, begins):
        receiver.script(behaviour)
        (row,) = await deliver_due(world)

        assert row["status"] == "delivered"
        assert row["log"][0]["reply"].startswith(begins)
        assert 0 < len(row["log"][0]["reply"]) <= 500

    async def test_is_gone_is_switched_off(self, world, receiver):
        await add_hook(world, receiver.url, name="other", events=["webhook.disabled"])
        receiver.script(reply(410))
        rows = await deliver_due(world)

        (off,) = await world.rows("SELECT * FROM webhooks WHERE NOT enabled")
        assert (off["disabled_reason"], off["last_error"]) == ("gone", "gone")
        assert [row["status"] for row in rows] == ["failed", "pending"]
        assert rows[1]["event"] == "webhook.disabled"
        await deliver_due(world)
        assert receiver.hooks[-1].json["data"]["name"] == "hook"

    async def test_asks_for_time_gets_it(self, world, receiver):
        receiver.script(reply(429, retry_after="3600"))
        await deliver_due(world)

        (wait,) = await world.rows(
            "SELECT extract(epoch FROM run_at - now()) AS seconds FROM webhook_deliveries"
        )
        assert 3500 < wait["seconds"] <= 3601

    async def test_has_failed_for_days_is_switched_off(self, world, receiver):
        receiver.default = reply(500)
        await deliver_due(world)
        await make_due(world)
        await deliver_due(world)
        assert (await the_hook(world))["enabled"], "not after two failures"
        await world.rows("UPDATE webhooks SET failing_since = now() - interval '5 days'")
        await make_due(world)
        await deliver_due(world)

        off = await the_hook(world)
        assert not off["enabled"]
        assert off["disabled_reason"] == "failing"
        assert off["disabled_at"] is not None
        sent = len(receiver.hooks)
        await make_due(world)
        await deliver_due(world)
        assert len(receiver.hooks) == sent, "nothing is sent while it is off"

        receiver.default = reply()
        async with world.sessions.begin() as session:
            await change_webhook(
                session, off["workspace_id"], off["id"], {"enabled": True}, hook_settings(), "ko"
            )
        (row,) = await deliver_due(world)
        assert row["status"] == "delivered"
        assert (await the_hook(world))["disabled_reason"] is None

    async def test_never_takes_it_is_given_up_after_a_day(self, world, receiver):
        receiver.default = reply(503)
        waited = []
        for _ in range(MAX_TRIES):
            (row,) = await deliver_due(world)
            if row["status"] == "pending":
                (wait,) = await world.rows(
                    "SELECT extract(epoch FROM run_at - now()) AS s FROM webhook_deliveries"
                )
                waited.append(float(wait["s"]))
                await make_due(world)

        assert row["status"] == "failed"
        assert row["finished_at"] is not None
        assert len(row["log"]) == MAX_TRIES
        for seconds, least in zip(waited, DELAYS, strict=True):
            assert least - 5 <= seconds <= least * 1.2 + 1
        assert 24 * 3600 <= sum(DELAYS) <= 30 * 3600


class TestPeople:
    @pytest.fixture(autouse=True)
    async def _delivered(self, world: World, receiver: HookReceiver) -> None:
        self.added = await add_hook(world, receiver.url)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)
        (row,) = await deliver_due(world)
        self.workspace_id, self.id = row["workspace_id"], row["id"]

    async def test_replay_a_delivery(self, world, receiver):
        async with world.sessions.begin() as session:
            view = await replay_delivery(session, self.workspace_id, self.added.id, self.id, "ko")
        assert view.status == "pending"
        (row,) = await deliver_due(world)

        first, again = receiver.hooks
        assert row["status"] == "delivered"
        assert len(row["log"]) == 2
        assert first.headers["webhook-id"] == again.headers["webhook-id"]
        assert first.body == again.body

    async def test_rotate_the_secret(self, world, receiver):
        async with world.sessions.begin() as session:
            rotated = await rotate_secret(session, self.workspace_id, self.added.id, 24)
            await send_test(session, self.workspace_id, self.added.id)
        await deliver_due(world)
        both = receiver.hooks[-1]
        await world.rows("UPDATE webhook_secrets SET expires_at = now() WHERE expires_at > now()")
        async with world.sessions.begin() as session:
            await send_test(session, self.workspace_id, self.added.id)
        await deliver_due(world)
        later = receiver.hooks[-1]

        assert both.json["type"] == "webhook.test"
        assert len(both.headers["webhook-signature"].split()) == 2
        assert signed_by(both, self.added.secret)
        assert signed_by(both, rotated.secret)
        assert signed_by(later, rotated.secret)
        assert not signed_by(later, self.added.secret)

    async def test_a_failed_test_is_not_repeated_nor_held_against_the_receiver(
        self, world, receiver
    ):
        receiver.script(reply(500))
        async with world.sessions.begin() as session:
            await send_test(session, self.workspace_id, self.added.id)
        rows = await deliver_due(world)

        assert rows[-1]["status"] == "failed"
        assert (await the_hook(world))["failing_since"] is None


async def test_no_log_holds_a_secret_an_address_or_a_text(world, receiver, caplog):
    caplog.set_level(logging.DEBUG)
    added = await add_hook(world, f"{receiver.url}?key=verysecret", include_content=True)
    (answer,) = await store_answers(world)
    await judge(world, answer.evaluation_id)
    receiver.script(reset)
    await deliver_due(world)
    await make_due(world)
    await world.rows("UPDATE webhook_deliveries SET data = data - 'summary'")
    await world.rows("UPDATE webhooks SET format = 'slack'")
    # A format with unexpected input.
    (row,) = await deliver_due(world)

    log = "\n".join(map(logging.Formatter().format, caplog.records))
    assert row["log"][-1]["code"] == "not_written"
    assert row["status"] == "failed"
    assert str(row["id"]) in log
    for private in (added.secret, "verysecret", "변성 온도는?"):
        assert private not in log


class TestTheLease:
    async def test_a_delivery_lost_between_sending_and_recording_is_sent_again(
        self, world, receiver
    ):
        await add_hook(world, receiver.url)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)
        outbox = Outbox(world.pool, hook_settings())
        (held,) = await outbox.claim(10, {})
        assert await outbox.claim(10, {}) == [], "it is held"
        # Its worker has sent it, and dies.
        await make_due(world)
        (row,) = await deliver_due(world)

        assert row["status"] == "delivered"
        assert row["attempt"] == held.attempt + 1

    async def test_a_stale_attempt_writes_nothing(self, world, receiver):
        await add_hook(world, receiver.url)
        (answer,) = await store_answers(world)
        await judge(world, answer.evaluation_id)
        outbox = Outbox(world.pool, hook_settings())
        (held,) = await outbox.claim(10, {})
        await make_due(world)
        receiver.script(reply(500))
        (row,) = await deliver_due(world)

        assert not await outbox.record(held, Attempt(None, None, 200, 1, "ok"))
        assert (await deliveries(world))[0]["status"] == row["status"] == "pending"

    async def test_one_receiver_gets_only_its_share(self, world):
        slow = await add_hook(world, "https://slow.example/")
        answers = await store_answers(world, 8)
        leases = await world.lifecycle.claim([each.evaluation_id for each in answers])
        await world.lifecycle.record([(lease, verdict()) for lease in leases])
        await add_hook(world, "https://quick.example/", name="quick")
        (late,) = await store_answers(world)
        await judge(world, late.evaluation_id)
        outbox = Outbox(world.pool, hook_settings())
        first = await outbox.claim(100, {})
        mine = sum(each.webhook_id == slow.id for each in first)

        assert (mine, len(first)) == (4, 5)
        assert await outbox.claim(100, {slow.id: 4}) == []
        await world.rows("UPDATE webhooks SET failing_since = now()")
        assert len(await outbox.claim(100, {})) == 1, "one at a time while it fails"


async def test_ids_are_in_the_order_of_time(world):
    made = [
        (await world.rows("SELECT webhook_delivery_id() AS id"))[0]["id"]
        for _ in range(3)
        if not await asyncio.sleep(0.002)
    ]
    assert all(each.version == 7 and each.variant.startswith("specified") for each in made)
    assert made == sorted(made)
