"""Saved views of the list of evaluations: kept for everybody in the workspace."""

from typing import Any

import pytest

from api_client import Api, json_of
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

VIEWS = "/evaluation-views"
POOR: dict[str, Any] = {
    "name": "낮은 점수",
    "filters": {"confidence": "low", "since": "2026-06-01"},
    "order": "worst",
    "columns": ["status", "correctness"],
}


async def saved(api: Api, **changes: Any) -> dict[str, Any]:
    return await json_of(api.client.post(VIEWS, json=POOR | changes), 201)


async def test_a_view_is_kept_with_who_made_it_and_listed_by_name(api):
    view = await saved(api)
    await saved(api, name="가나다")
    reader = await api.as_token(scopes=["read"])

    listed = (await reader.get(VIEWS)).json()

    assert [each["name"] for each in listed["items"]] == ["가나다", "낮은 점수"]
    assert (await reader.get(f"{VIEWS}/{view['id']}")).json() == view
    assert {name: view[name] for name in POOR} == POOR
    assert view["author"] == "test", "the name of the token"
    assert (await saved(api, name="c", author="mina"))["author"] == "mina"


async def test_without_filters_order_and_columns_it_shows_the_usual_list(api):
    view = (await api.client.post(VIEWS, json={"name": "모두"})).json()

    assert (view["filters"], view["order"], view["columns"]) == ({}, "newest", None)


async def test_a_change_keeps_what_it_does_not_name(api):
    view = await saved(api)
    path = f"{VIEWS}/{view['id']}"

    renamed = (await api.client.patch(path, json={"name": "  점수가 낮은 것 "})).json()
    replaced = (await api.client.patch(path, json={"filters": {}, "columns": None})).json()

    assert renamed == view | {"name": "점수가 낮은 것", "updated_at": renamed["updated_at"]}
    assert renamed["updated_at"] > view["updated_at"]
    assert (replaced["filters"], replaced["columns"]) == ({}, None)
    assert (replaced["name"], replaced["order"]) == ("점수가 낮은 것", "worst")


async def test_a_name_is_taken_once(api):
    await saved(api)
    other = await saved(api, name="other")

    again = await api.client.post(VIEWS, json=POOR)
    renamed = await api.client.patch(f"{VIEWS}/{other['id']}", json={"name": POOR["name"]})
    elsewhere = await api.as_token(workspace="other", scopes=["write"])

    for refused in (again, renamed):
        assert refused.status_code == 409
        assert refused.json()["type"].endswith("name-taken")
        assert POOR["name"] in refused.json()["detail"]
    assert (await elsewhere.post(VIEWS, json=POOR)).status_code == 201


async def test_deleted_views_are_gone(api):
    view = await saved(api)
    path = f"{VIEWS}/{view['id']}"

    assert (await api.client.delete(path)).status_code == 204
    for method in ("GET", "DELETE"):
        assert (await api.client.request(method, path)).status_code == 404
    assert (await api.client.patch(path, json={"name": "a"})).status_code == 404


async def test_there_is_a_bound(api):
    view = await saved(api)
    await api.world.rows(
        "INSERT INTO saved_views (id, workspace_id, name, filters, list_order, author)"
        " SELECT gen_random_uuid(), workspace_id, 'view ' || n, '{}', 'newest', 'a'"
        " FROM saved_views, generate_series(2, 100) n"
    )

    refused = await api.client.post(VIEWS, json={"name": "one more"})

    assert refused.status_code == 409
    assert refused.json()["type"].endswith("too-many-views")
    path = f"{VIEWS}/{view['id']}"
    assert (await api.client.patch(path, json={"name": "still"})).status_code == 200


@for_each(
    "body",
    [
        {"name": " "},
        {"name": "a" * 101},
        {"name": "a", "filters": {"Bad name": "1"}},
        {"name": "a", "filters": {"status": ""}},
        {"name": "a", "filters": {"status": 1}},
        {"name": "a", "order": "best"},
        {"name": "a", "columns": ["<b>"]},
        {"name": "a", "author": ""},
    ],
)
async def test_an_invalid_view_is_refused(api, body):
    assert (await api.client.post(VIEWS, json=body)).status_code == 422
    assert (await api.client.get(VIEWS)).json()["items"] == []
