"""Evaluations selected in the list: all that match, and what is done with several of them."""

import csv
import io
import json
import uuid

import pytest

from app.quality.review import saved_views
from cases import for_each
from verdict_world import judged, store_answers

pytestmark = pytest.mark.asyncio(loop_scope="module")

IDS, EXPORT = "/qa-evaluations/ids", "/qa-evaluations/export"


class TestAllThatMatch:
    async def test_are_those_of_the_list_in_its_order_and_counted(self, api):
        for correctness in (0.9, 0.2, 0.4):
            await judged(api.world, correctness)
        await store_answers(api.world)
        query = {"status": "succeeded", "order": "worst", "max_correctness": 0.5}

        listed = (await api.client.get("/qa-evaluations", params=query)).json()["items"]
        chosen = (await api.client.get(IDS, params=query)).json()

        assert chosen == {"ids": [row["id"] for row in listed], "matching": 2, "more": False}

    async def test_are_counted_in_all_beyond_the_limit(self, api):
        await store_answers(api.world, 5)

        chosen = (await api.client.get(IDS, params={"limit": 2})).json()

        assert (len(chosen["ids"]), chosen["matching"]) == (2, 5)

    async def test_are_counted_up_to_a_bound(self, api, monkeypatch):
        monkeypatch.setattr(saved_views, "MAX_COUNTED", 3)
        await store_answers(api.world, 3)
        all_counted = (await api.client.get(IDS, params={"limit": 1})).json()
        await store_answers(api.world)

        chosen = (await api.client.get(IDS, params={"limit": 1})).json()

        assert (all_counted["matching"], all_counted["more"]) == (3, False)
        assert (len(chosen["ids"]), chosen["matching"], chosen["more"]) == (1, 3, True)

    async def test_are_none_where_nothing_matches(self, api):
        assert (await api.client.get(IDS)).json() == {"ids": [], "matching": 0, "more": False}


class TestExport:
    async def test_has_only_what_is_selected(self, api):
        new = [await judged(api.world, score) for score in (0.9, 0.2, 0.4)]
        ids = [str(each.evaluation_id) for each in new]

        response = await api.client.post(
            EXPORT, json={"evaluation_ids": [ids[0], ids[2]], "format": "jsonl"}
        )

        lines = [json.loads(line) for line in response.text.splitlines()]
        assert [line["id"] for line in lines] == [ids[2], ids[0]]
        assert response.headers["X-Total-Count"] == "2"
        assert response.headers["Content-Type"] == "application/x-ndjson"
        assert 'filename="evaluations.jsonl"' in response.headers["Content-Disposition"]

    async def test_leaves_out_and_counts_what_is_not_there(self, api):
        new = await judged(api.world, 0.9)
        ids = [str(new.evaluation_id), str(uuid.uuid4())]

        response = await api.client.post(EXPORT, json={"evaluation_ids": ids})

        rows = list(csv.DictReader(io.StringIO(response.text.lstrip("\ufeff"))))
        assert [row["id"] for row in rows] == ids[:1]
        assert response.headers["X-Total-Count"] == "1"

    @for_each("count", [0, 1_001])
    async def test_takes_one_to_a_thousand(self, api, count):
        ids = [str(uuid.uuid4()) for _ in range(count)]

        refused = await api.client.post(EXPORT, json={"evaluation_ids": ids})

        assert refused.status_code == 422
