"""Webhooks on the whole stack, by commands: from an answer to the receiver."""

import pytest

from cases import eventually
from judge_replies import CORRECTNESS
from webhook_world import hook_receiver, reply

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


async def test_a_verdict_reaches_its_receiver(user, judge):
    ann = await user()
    async with hook_receiver() as receiver:
        fields = ("name=알림", f"url={receiver.url}", 'events=["verdict.succeeded"]')
        added = await ann.api("POST", "/webhooks", *fields)
        path = f"/webhooks/{added['id']}"
        await ann.api("POST", f"{path}/test")
        await receiver.until_count(1)
        assert receiver.hooks[0].json["type"] == "webhook.test"

        receiver.script(reply(503, retry_after="3600"))
        body = {"question": "변성 온도는?", "answer": "95도", "sources": [{"content": "95도"}]}
        async with ann.stack.client(ann.token) as client:
            asked = await client.post("/qa-evaluations", json=body, headers={"traceparent": TRACE})
        await receiver.until_count(2)
        failed = receiver.hooks[1]

        async def listed() -> bool:
            (delivery, _) = (await ann.api("GET", f"{path}/deliveries"))["items"]
            return bool(delivery["attempts"]) and delivery["status"] == "pending"

        await eventually(listed)
        (delivery, _) = (await ann.api("GET", f"{path}/deliveries"))["items"]
        await ann.api("POST", f"{path}/deliveries/{delivery['id']}/replay")
        await receiver.until_count(3)
        again = receiver.hooks[2]

    assert failed.json["type"] == "verdict.succeeded"
    assert failed.json["data"]["evaluation_id"] == asked.json()["id"]
    assert failed.json["data"]["correctness"] == CORRECTNESS
    assert failed.headers["traceparent"].split("-")[1] == TRACE.split("-")[1]
    assert again.body == failed.body
    assert again.headers["webhook-id"] == failed.headers["webhook-id"]
    assert delivery["attempts"][0]["status"] == 503
