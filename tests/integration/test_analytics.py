"""Named queries against rows put in by hand, over HTTP as everybody reads them."""

import datetime as dt
import uuid
from typing import Any

import pytest

from analytics_rows import put_verdict
from api_client import Api
from app.workspaces.service import ensure_workspace

MARCH = {"since": "2026-03-01", "until": "2026-03-31"}
DAY = dt.timedelta(days=1)


@pytest.fixture
async def here(api: Api) -> uuid.UUID:
    async with api.world.sessions.begin() as session:
        return await ensure_workspace(session)


async def rows(api: Api, name: str, **query: Any) -> list[dict[str, Any]]:
    response = await api.client.get(f"/analytics/{name}", params=MARCH | query)
    assert response.status_code == 200, response.text
    return response.json()["rows"]


class TestEveryQuery:
    async def test_runs_and_gives_the_columns_it_names(self, api: Api, here: uuid.UUID) -> None:
        await put_verdict(api.world, here)
        catalog = (await api.client.get("/analytics")).json()["queries"]
        assert len(catalog) >= 20
        for query in catalog:
            response = await api.client.get(f"/analytics/{query['name']}", params=MARCH)
            assert response.status_code == 200, response.text
            body = response.json()
            assert body["columns"] == query["columns"]
            for row in body["rows"]:
                assert list(row) == [column["name"] for column in body["columns"]]
