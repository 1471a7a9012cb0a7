"""The calls that manage webhooks: what they refuse, and what they never show."""

import uuid
from typing import Any

import pytest

from api_client import Api, json_of
from app.integrations.webhooks.service import list_webhooks
from app.workspaces.service import ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE
from cases import for_each
from webhook_world import add_hook

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOOK = {"name": "팀 알림", "url": "https://hooks.example.com/a", "events": ["verdict.succeeded"]}


async def add(api: Api, **changes: object) -> dict[str, Any]:
    return dict(await json_of(api.client.post("/webhooks", json=HOOK | changes), 201))


async def test_a_webhook_is_added_changed_and_deleted(api):
    added = await add(api)
    path = f"/webhooks/{added['id']}"
    filtered = {"confidences": ["low"], "judges": ["openai:gpt-4o-mini"], "name": "b"}
    changed = await api.client.patch(path, json=filtered)
    read = (await api.client.get(path)).json()
    cleared = (await api.client.patch(path, json={"judges": None})).json()

    assert changed.status_code == 200, changed.text
    assert {name: read[name] for name in filtered} == filtered
    assert read["url"] == HOOK["url"]
    assert cleared["judges"] is None
    assert cleared["confidences"] == ["low"]
    assert read["updated_at"] > added["updated_at"]
    assert (await api.client.delete(path)).status_code == 204
    assert (await api.client.get("/webhooks")).json() == {"items": [], "next": None}


async def test_one_that_is_added_meanwhile_does_not_break_the_list(api, monkeypatch):
    shown = await add_hook(api.world, HOOK["url"])
    async with api.world.sessions.begin() as session:
        execute = session.execute

        async def slowly(*arguments: Any, **options: Any) -> Any:
            result = await execute(*arguments, **options)
            await add_hook(api.world, HOOK["url"])
            return result

        workspace_id = await ensure_workspace(session, DEFAULT_WORKSPACE)
        monkeypatch.setattr(session, "execute", slowly)
        listed = await list_webhooks(session, workspace_id, "en")

    assert [each.id for each in listed] == [shown.id]


async def test_what_waits_and_a_former_secret_are_those_of_the_webhook(api):
    busy, idle = await add(api), await add(api)
    for _ in range(2):
        await api.client.post(f"/webhooks/{busy['id']}/test")
    rotated = (await api.client.post(f"/webhooks/{busy['id']}/rotate-secret")).json()
    listed = (await api.client.get("/webhooks")).json()["items"]
    read = (await api.client.get(f"/webhooks/{busy['id']}")).json()

    assert [each["id"] for each in listed] == [idle["id"], busy["id"]]
    assert [each["pending"] for each in listed] == [0, 2]
    assert [each["previous_secret_until"] for each in listed] == [
        None,
        rotated["previous_secret_until"],
    ]
    assert read == listed[1]
    assert (await api.client.get(f"/webhooks/{uuid.uuid4()}")).status_code == 404


async def test_a_secret_is_shown_once_and_the_api_cannot_read_it(api):
    added = await add(api)
    path = f"/webhooks/{added['id']}"
    rotated = (await api.client.post(f"{path}/rotate-secret", json={"overlap_hours": 2})).json()
    replies = [
        (await api.client.get("/webhooks")).text,
        (await api.client.get(path)).text,
        (await api.client.patch(path, json={"name": "c"})).text,
        (await api.client.post(f"{path}/test")).text,
        (await api.client.get(f"{path}/deliveries")).text,
    ]

    assert added["secret"].startswith("whsec_")
    assert rotated["secret"] != added["secret"]
    for reply in replies:
        assert "whsec_" not in reply
    with pytest.raises(Exception, match="permission denied"):
        await api.world.rows(
            "BEGIN; SET LOCAL ROLE searchqa_app; SELECT secret FROM webhook_secrets"
        )


async def test_rotation_leaves_two_secrets_at_most(api):
    added = await add(api)
    path = f"/webhooks/{added['id']}/rotate-secret"
    first = (await api.client.post(path)).json()
    await api.client.post(path)
    valid = "SELECT secret FROM webhook_secrets WHERE expires_at IS NULL OR expires_at > now()"
    assert len(await api.world.rows(valid)) == 2
    ended = (await api.client.post(path, json={"overlap_hours": 0})).json()

    assert first["previous_secret_until"] is not None
    assert ended["previous_secret_until"] is None
    assert [row["secret"] for row in await api.world.rows(valid)] == [ended["secret"]]


async def test_the_address_of_slack_is_a_password(api):
    url = "https://hooks.slack.example/services/T000/B000/verysecret"
    added = await add(api, url=url, format="slack")

    assert added["url"] == "https://hooks.slack.example/…"
    assert "verysecret" not in (await api.client.get("/webhooks")).text


async def test_another_format_does_not_show_the_address_of_slack(api):
    url = "https://hooks.slack.example/services/T000/B000/verysecret"
    path = f"/webhooks/{(await add(api, url=url, format='slack'))['id']}"
    refused = await api.client.patch(path, json={"format": "json"})
    same = await api.client.patch(path, json={"format": "slack", "name": "b"})
    changed = await api.client.patch(path, json={"format": "json", "url": HOOK["url"]})

    assert refused.status_code == 422
    assert "give the url anew" in refused.json()["detail"]
    assert same.json()["url"] == "https://hooks.slack.example/…"
    assert changed.json()["url"] == HOOK["url"]


@for_each(
    ("changes", "says"),
    [
        ({"url": "http://127.0.0.1/x"}, "not a public address"),
        ({"url": "http://[::ffff:10.0.0.1]/x"}, "not a public address"),
        ({"url": "https://user:pw@example.com/"}, "user"),
        ({"url": "ftp://example.com/"}, "whole address"),
        ({"url": "https://"}, "whole address"),
        ({"url": "https://example.com:99999/"}, "whole address"),
        ({"url": "https://exa mple.com/"}, "whole address"),
        ({"events": []}, "events"),
        ({"events": ["verdict.exploded"]}, "events"),
        ({"events": ["threshold.crossed"]}, "at least one threshold"),
        ({"notebook_ids": ["019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"]}, "not one of your notebooks"),
        ({"name": " "}, "name"),
        ({"secret": "mine"}, "secret"),
    ],
)
async def test_unusable_values_are_refused(api, changes, says):
    response = await api.client.post("/webhooks", json=HOOK | changes)

    assert response.status_code == 422
    assert says in response.json()["detail"]
    assert await api.world.rows("SELECT FROM webhooks") == []


async def test_a_workspace_has_a_bounded_number(api):
    for _ in range(20):
        await add(api)
    refused = await api.client.post("/webhooks", json=HOOK)

    assert refused.status_code == 409
    assert "at most 20" in refused.json()["detail"]


async def test_null_is_for_filters_only(api):
    added = await add(api)
    refused = await api.client.patch(f"/webhooks/{added['id']}", json={"name": None})

    assert refused.status_code == 422
    assert "cannot be null" in refused.json()["detail"]
