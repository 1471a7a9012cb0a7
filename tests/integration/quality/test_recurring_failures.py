"""Doubted answers in groups: what is grouped, who owns a group, what comes back after mending."""

import asyncio
import datetime as dt
import uuid
from typing import Any
from unittest.mock import patch

import pytest

from analytics_rows import put, put_label, put_note, put_verdict
from api_client import Api, json_of
from app.operations.retention import retention_for
from app.quality.failures import job as grouping
from app.quality.failures.job import GROUP_JOB, group_failures, start_grouping
from cases import eventually, for_each
from verdict_world import World, settings
from webhook_world import add_hook, deliveries

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOW = dt.datetime.now(dt.UTC)
NOTHING_HIDDEN = """
SELECT 1 AS there WHERE NOT EXISTS (
    SELECT FROM verdict_events WHERE xid >= pg_snapshot_xmin(pg_current_snapshot()))
"""
HOUR = dt.timedelta(hours=1)
REFUND = "환불 기한은 구매 후 {}일입니다."


async def doubt(
    world: World,
    here: uuid.UUID,
    *statements: str,
    note: uuid.UUID | None = None,
    title: str = "환불 규정",
    verdict: str = "unsupported",
    fault: str | None = None,
    ago: dt.timedelta = HOUR,
    release: str | None = None,
    answer_id: uuid.UUID | None = None,
    understood: str | None = None,
    **values: Any,
) -> uuid.UUID:
    """A verdict whose event is there, of an answer from one note with doubted statements."""
    given = {"confidence": "low", "correctness": 0.2, "claims_unsupported": len(statements)}
    if verdict == "partly":
        given |= {"claims_partly": len(statements), "claims_unsupported": 0}
    evaluation_id = await put_verdict(
        world,
        here,
        answer_id=answer_id,
        at=NOW - ago,
        answer={
            "app_version": release,
            "question": "환불 기한이 언제인가요?",
            "standalone_question": understood,
        },
        **given | {"id": _uuid7(NOW - ago)} | values,
    )
    if answer_id is None:
        (row,) = await world.rows(
            "SELECT answer_id FROM qa_evaluations WHERE id = %s", evaluation_id
        )
        about = {"answer_id": row["answer_id"], "note_index": 1, "content": "…"}
        await put(world, "qa_answer_sources", workspace_id=here, title=title, note_id=note, **about)
    of = {"evaluation_id": evaluation_id, "workspace_id": here, "verdict": verdict, "fault": fault}
    of |= {"note_index": 1}
    for position, claim in enumerate(statements, start=1):
        text = {"claim": claim, "quote": "", "reasoning": "노트는 14일"}
        await put(world, "qa_claims", **of, **text, position=position, source="judge")
    await put(
        *(world, "verdict_events"),
        workspace_id=here,
        evaluation_id=evaluation_id,
        status=values.get("status", "succeeded"),
    )
    return evaluation_id


def _uuid7(at: dt.datetime) -> uuid.UUID:
    return uuid.UUID(f"{int(at.timestamp() * 1000):012x}7{uuid.uuid4().hex[13:]}")


async def group(world: World) -> None:
    """Does the jobs that a dispatcher enqueues, as a worker does, once no transaction of other
    tests hides the newest events."""
    await eventually(lambda: world.rows(NOTHING_HIDDEN))
    await start_grouping(world.pool, world.jobs)
    rows = await world.rows("SELECT id FROM jobs WHERE status = 'queued'")
    for job in await world.jobs.claim([row["id"] for row in rows], [GROUP_JOB], 10):
        await group_failures(job, world.job_context(job, settings(), None))
        await world.jobs.finish(job)


async def listed(api: Api, **query: Any) -> list[dict[str, Any]]:
    response = await api.client.get("/failures", params=query)
    assert response.status_code == 200, response.text
    return response.json()["items"]


async def change(api: Api, failure: dict[str, Any], **body: Any) -> dict[str, Any]:
    return await json_of(api.client.patch(f"/failures/{failure['id']}", json=body))


async def test_nearly_equal_statements_about_one_note_are_one_failure(api, here):
    world = api.world
    note = await put_note(world, here)
    ids = [
        await doubt(world, here, REFUND.format(days), note=note, ago=HOUR * ago, release=release)
        for days, ago, release in ((30, 3, "1.4.1"), (30, 2, "1.4.2"), (60, 1, "1.4.2"))
    ]
    await doubt(world, here, "교환 기한은 구매 후 30일입니다.", note=note)
    await doubt(world, here, REFUND.format(30), note=note, verdict="partly")
    await put_verdict(world, here, at=NOW - HOUR)

    await group(world)
    await group(world)

    (found,) = await listed(api)
    assert (found["name"], found["fault"], found["note_title"]) == (
        *("환불 기한 · 30일", "unsupported"),
        "환불 규정",
    )
    assert (found["note_id"], found["note_deleted"]) == (str(note), False)
    assert (found["answers"], found["share"]) == (3, pytest.approx(3 / 6))
    assert (found["releases"], found["example"]) == (["1.4.1", "1.4.2"], str(ids[-1]))
    assert [found[key] for key in ("state", "owner")] == ["open", None]
    assert len(await listed(api, min_answers=1)) == 3

    detail = (await api.client.get(f"/failures/{found['id']}")).json()
    assert [each["evaluation_id"] for each in detail["examples"]] == [str(id_) for id_ in ids[::-1]]
    assert detail["examples"][0]["claim"] == REFUND.format(60)
    assert [(each["app_version"], each["answers"]) for each in detail["seen_in"]] == [
        *(("1.4.2", 2), ("1.4.1", 1))
    ]
    assert [row["id"] for row in await listed(api, app_version="1.4.1")] == []
    assert (await listed(api, app_version="1.4.1", min_answers=1))[0]["answers"] == 1


async def test_follow_ups_are_grouped_by_what_was_understood(api, here):
    for understood in ("겨울에 매장은 몇 시에 열어요?", "반품 비용은 누가 부담하나요?"):
        for _ in range(2):
            await doubt(api.world, here, understood=understood)

    await group(api.world)

    assert [found["answers"] for found in await listed(api)] == [2, 2]


@for_each(
    "values",
    [
        {"confidence": "medium", "correctness": 0.6, "claims_unsupported": 0},
        {"degraded": True, "provider": "offline", "model": "rules"},
        {"provider": "offline", "model": "rules", "outcome": "undecided"},
        {"provider": "offline", "model": "rules", "outcome": "rightly_refused"},
        {"is_current": False},
    ],
)
async def test_what_is_no_failure(api, here, values):
    for _ in range(2):
        await doubt(api.world, here, REFUND.format(30), **values)

    await group(api.world)

    assert await listed(api, min_answers=0) == []


async def test_an_answer_without_doubted_statements_is_grouped_by_its_question(api, here):
    for _ in range(2):
        await doubt(api.world, here)

    await group(api.world)

    (found,) = await listed(api)
    assert (found["fault"], found["name"]) == ("whole_answer", "환불 기한")
    detail = (await api.client.get(f"/failures/{found['id']}")).json()
    assert detail["examples"][0]["claim"] is None


async def test_each_kind_of_fault_is_a_failure_of_its_own(api, here):
    refused = {"outcome": "falsely_refused", "confidence": "medium"}
    for _ in range(2):
        await doubt(api.world, here, REFUND.format(30), fault="contradicted")
        await doubt(api.world, here, REFUND.format(30), fault="not_in_notes")
        await doubt(api.world, here, **refused)

    await group(api.world)

    found = {row["fault"]: row["answers"] for row in await listed(api)}
    assert found == {"contradicted": 2, "not_in_notes": 2, "falsely_refused": 2}
    assert [row["fault"] for row in await listed(api, fault="contradicted")] == ["contradicted"]


async def test_the_same_statement_about_two_notes_is_two_failures(api, here):
    for note in [await put_note(api.world, here) for _ in range(2)] * 2:
        await doubt(api.world, here, REFUND.format(30), note=note)

    await group(api.world)

    assert [row["answers"] for row in await listed(api)] == [2, 2]


async def test_a_note_that_was_deleted_keeps_its_failure(api, here):
    note = await put_note(api.world, here)
    await doubt(api.world, here, REFUND.format(30), note=note)
    await group(api.world)
    await doubt(api.world, here, REFUND.format(20), note=note)
    await api.world.rows("DELETE FROM notes WHERE id = %s", note)
    await group(api.world)

    (found,) = await listed(api)
    assert (found["answers"], found["note_deleted"]) == (2, True)


async def test_only_current_verdicts_not_labelled_right_count(api, here):
    world = api.world
    kept, right, again, of_claim = [
        await doubt(world, here, REFUND.format(30), "배송은 3일 걸립니다.") for _ in range(4)
    ]
    await group(world)
    await put_label(world, here, right, "right")
    await put_label(world, here, kept, "wrong")
    await put_label(world, here, of_claim, "right", claim_position=1)
    (row,) = await world.rows("SELECT answer_id FROM qa_evaluations WHERE id = %s", again)
    await world.rows("UPDATE qa_evaluations SET is_current = false WHERE id = %s", again)
    rejudged = {"judge_key": "other", "confidence": "high", "correctness": 1}
    await put_verdict(world, here, answer_id=row["answer_id"], **rejudged)

    found = await listed(api, min_answers=1)

    assert {row["name"]: row["answers"] for row in found} == {
        "환불 기한 · 30일": 1,
        "배송 · 3일": 2,
    }
    await world.rows("DELETE FROM qa_feedback")
    assert [row["answers"] for row in await listed(api)] == [3, 3]
    seen = await world.rows("SELECT * FROM analytics.recurring_failures")
    assert {row["evaluation_id"] for row in seen} == {kept, right, of_claim}


async def test_a_failure_goes_with_the_last_of_its_answers(api, here):
    world = api.world
    evaluation_id = await doubt(world, here, REFUND.format(30))
    await group(world)
    (row,) = await world.rows("SELECT answer_id FROM qa_evaluations WHERE id = %s", evaluation_id)

    assert (await api.client.delete(f"/answers/{row['answer_id']}")).status_code == 204
    deleted = await retention_for("failures", world.pool, settings()).delete_batch()

    assert deleted == {"empty_failures": 1}
    assert await world.rows("SELECT * FROM recurring_failures") == []


class TestAfterMending:
    async def mended(self, api: Api, here: uuid.UUID, release: str | None = "1.4.2") -> Any:
        for _ in range(2):
            await doubt(api.world, here, REFUND.format(30), ago=2 * HOUR, release="1.4.1")
        await group(api.world)
        (found,) = await listed(api)
        body = {"state": "mended", "owner": "kim"} | ({"mended_in": release} if release else {})
        found = await change(api, found, **body)
        # As if somebody had said so before the answers that follow.
        await api.world.rows("UPDATE recurring_failures SET mended_at = %s", NOW - HOUR)
        return found

    @for_each(
        ("mended_in", "release", "ago", "state"),
        [
            ("1.4.2", "1.4.2", 0.5, "open"),
            ("1.4.2", "1.4.10", 0.5, "open"),
            ("1.4.2", None, 0.5, "open"),
            (None, "1.4.1", 0.5, "open"),
            ("1.4.2", "1.4.1", 0.5, "mended"),
            ("1.4.2", "1.4.2-rc1", 0.5, "mended"),
            ("1.4.2", "1.4.2", 1.5, "mended"),
            # By their first answers: 1.4.1 was there, blue is new.
            ("green", "1.4.1", 0.5, "mended"),
            ("green", "blue", 0.5, "open"),
        ],
    )
    async def test_a_later_answer_of_no_older_release_opens_it_again(
        self, api, here, mended_in, release, ago, state
    ):
        world = api.world
        await world.rows("TRUNCATE qa_answers, recurring_failures, webhooks CASCADE")
        await add_hook(world, "https://hooks.example/", events=["failure.reopened"])
        found = await self.mended(api, here, mended_in)
        assert await listed(api, state="open") == []

        await doubt(world, here, REFUND.format(30), ago=ago * HOUR, release=release)
        await group(world)

        (now,) = await listed(api, state=state, owner="kim")
        assert (now["id"], now["answers"], now["mended_in"]) == (found["id"], 3, mended_in)
        sent = await deliveries(world)
        if state == "mended":
            assert (now["reopened_at"], sent) == (None, [])
            return
        assert now["reopened_in"] == release
        (delivery,) = sent
        assert delivery["event"] == "failure.reopened"
        data = delivery["data"]
        assert (data["failure_id"], data["name"], data["owner"], data["answers"]) == (
            *(found["id"], "환불 기한 · 30일", "kim"),
            3,
        )
        assert (data["mended_in"], data["reopened_in"]) == (mended_in, release)
        await doubt(world, here, REFUND.format(30), release=release, ago=0.2 * HOUR)
        await group(world)
        await change(api, now, state="mended")
        assert len(await deliveries(world)) == 1

    async def test_opened_by_hand_it_was_never_mended(self, api, here):
        found = await self.mended(api, here)
        now = await change(api, found, state="open")
        assert (now["state"], now["mended_in"], now["mended_at"]) == ("open", None, None)
        assert (await change(api, found, owner=None))["owner"] is None
        ignored = await change(api, found, state="ignored")
        assert (ignored["state"], ignored["owner"]) == ("ignored", None)
        await doubt(api.world, here, REFUND.format(30), ago=HOUR / 2)
        await group(api.world)
        assert (await listed(api))[0]["state"] == "ignored"


async def test_a_frequent_failure_is_reported_once(api, here):
    world = api.world
    await add_hook(world, "https://hooks.example/", events=["failure.opened"])
    await add_hook(world, "https://hooks.example/", events=["failure.reopened"])
    for _ in range(6):
        await doubt(world, here, REFUND.format(30))
    await group(world)
    # What was there when grouping began is no news.
    assert (len(await listed(api)), await deliveries(world)) == (1, [])
    await world.rows("UPDATE recurring_failure_cursors SET began_at = %s", NOW - 2 * HOUR)
    for expected in (1, 1):
        await doubt(world, here, REFUND.format(30))
        await group(world)
        sent = await deliveries(world)
        assert [each["event"] for each in sent] == ["failure.opened"] * expected
    assert sent[0]["data"]["answers"] == 7


async def test_many_distinct_statements_keep_few_groups_and_say_what_was_dropped(api, here):
    """The bound is lower than the product's, and so are the numbers."""
    world = api.world
    await doubt(world, here, "보증 기간은 2년입니다.", ago=20 * HOUR)
    await group(world)
    (owned,) = await listed(api, min_answers=1)
    await change(api, owned, owner="kim")
    for n in range(30):
        words = f"{chr(0xAC00 + 588 * (n % 19))}마{chr(0xAC00 + 28 * n)}노{n}"
        await doubt(world, here, f"alpha{n}beta {words} gamma{n}", ago=(10 - n / 10) * HOUR)
    for _ in range(2):
        await doubt(world, here, REFUND.format(30), ago=15 * HOUR)

    with patch.object(grouping, "MAX_GROUPS", 10), patch.object(grouping, "BATCH", 7):
        await group(world)

    page = (await api.client.get("/failures", params={"min_answers": 1})).json()
    assert len(page["items"]) == 10
    assert page["dropped"] == 33 - 11
    names = {row["name"] for row in page["items"]}
    assert {"환불 기한 · 30일", owned["name"]} <= names


async def test_two_jobs_count_a_verdict_once(api, here):
    world = api.world
    for _ in range(3):
        await doubt(world, here, REFUND.format(30))
    await eventually(lambda: world.rows(NOTHING_HIDDEN))
    await asyncio.gather(*(start_grouping(world.pool, world.jobs) for _ in range(2)))
    (row,) = await world.rows("SELECT count(*) AS jobs FROM jobs")
    assert row["jobs"] == 1
    # No verdict, and yet no event to be read each minute until one follows.
    none = {"status": "skipped", "reason": "sampled_out", "confidence": None, "correctness": None}
    await doubt(world, here, REFUND.format(30), **none)
    await group(world)
    (row,) = await world.rows(
        "SELECT c.event_id, (SELECT max(id) FROM verdict_events) AS newest"
        " FROM recurring_failure_cursors c"
    )
    assert row["event_id"] == row["newest"]
    assert await world.rows("SELECT FROM jobs") == [], "a job a minute would be kept"
    # Of another cluster, out of whose dump the database was made: all is looked at once more.
    await world.rows("UPDATE recurring_failure_cursors SET xid = '9000000000000', event_id = 1")
    await doubt(world, here, REFUND.format(30))
    await group(world)
    assert [row["answers"] for row in await listed(api)] == [4]


async def test_what_the_api_refuses(api, here):
    for _ in range(2):
        await doubt(api.world, here, REFUND.format(30))
    await group(api.world)
    (found,) = await listed(api)
    path = f"/failures/{found['id']}"
    for body in ({"mended_in": "1"}, {"state": None}, {"state": "done"}, {"owner": " "}):
        assert (await api.client.patch(path, json=body)).status_code == 422, body
    stranger = await api.as_token(workspace="other")
    assert (await stranger.get("/failures")).json()["items"] == []
    for response in (await stranger.get(path), await stranger.patch(path, json={"owner": "x"})):
        assert response.status_code == 404
    wrong = await api.client.get("/failures", params={"after": "x"})
    assert wrong.status_code == 422
    first = (await api.client.get("/failures", params={"min_answers": 0, "limit": 1})).json()
    assert (len(first["items"]), first["next"]) == (1, None)
