"""How long each part of an answer took, as its caller reads it."""

import asyncio
from collections.abc import Mapping

import httpx
import pytest

from api_client import QUESTION, import_notes, open_api, parse_events
from cases import for_each
from stub_server import Exchange, StubServer, answer, reply_text
from verdict_world import World
from workers import TableLock

ORIGIN = "https://notes.example"


def timing(response: httpx.Response) -> Mapping[str, float]:
    """The parts of the header, as a browser reads them."""
    parts = [part.partition(";dur=") for part in response.headers["Server-Timing"].split(", ")]
    return {name: float(milliseconds) for name, _, milliseconds in parts}


async def latency(world: World, answer_id: str) -> float:
    rows = await world.rows("SELECT latency_ms FROM qa_answers WHERE id = %s", answer_id)
    return float(rows[0]["latency_ms"])


class TestHeader:
    async def test_names_the_parts_and_the_whole(self, api):
        await import_notes(api)

        response = await api.client.post("/ai/chat", json=QUESTION)

        found = timing(response)
        assert list(found) == ["search", "generate", "store", "total"]
        assert all(milliseconds > 0 for milliseconds in found.values())
        # Each is rounded to a tenth.
        assert found["search"] + found["generate"] + found["store"] <= found["total"] + 0.2
        stored = await latency(api.world, response.json()["quality"]["answer_id"])
        assert found["generate"] == pytest.approx(stored, abs=0.06)

    async def test_of_a_stream_has_what_is_known_then(self, world, redis_url):
        async with open_api(world, redis_url, stream_wait=0.05) as api:
            await import_notes(api)

            response = await api.client.post("/ai/stream", json=QUESTION)

        events = parse_events(response.text)
        first, *later = [event.data for event in events if event.name == "evaluation"]
        found = first["timing_ms"]
        assert list(found) == ["search", "first_chunk", "generate", "store", "total"]
        assert timing(response) == {"search": found["search"]}
        assert found["first_chunk"] <= found["generate"]
        assert found["search"] + found["generate"] <= found["total"] + 0.2
        assert later
        assert all("timing_ms" not in data for data in later)
        assert found["generate"] == pytest.approx(
            await latency(world, first["answer_id"]), abs=0.06
        )

    async def test_is_not_on_refusals(self, api):
        refused = await api.client.post("/ai/chat", json={})

        assert refused.status_code == 422
        assert "Server-Timing" not in refused.headers

    async def test_has_the_time_of_storing_that_failed(self, api):
        await import_notes(api)

        async with TableLock(api.world, "qa_answers") as absence:
            asking = asyncio.create_task(api.client.post("/ai/chat", json=QUESTION))
            await absence.terminate_blocked()
            response = await asking

        assert response.json()["quality"]["status"] == "not_stored"
        assert timing(response)["store"] > 0

    async def test_is_that_of_its_own_answer(self, world, redis_url):
        """A question waits for the model from before the others are asked until they are
        answered."""
        held = asyncio.Event()

        async def hold(exchange: Exchange) -> None:
            await held.wait()
            await answer(reply_text("95도입니다. [노트 1]"))(exchange)

        async with StubServer(answer(reply_text("95도입니다. [노트 1]"))) as model:
            given = {"answer_model": "openai:stub", "openai_base_url": model.base_url}
            async with open_api(world, redis_url, **given) as api:
                await import_notes(api)
                model.script(hold)
                waiting = asyncio.create_task(api.client.post("/ai/chat", json=QUESTION))
                await model.until_in_flight(1)
                asking = (api.client.post("/ai/chat", json=QUESTION) for _ in range(5))
                others = [timing(one) for one in await asyncio.gather(*asking)]
                held.set()
                whole = timing(await waiting)

        assert len({*(other["generate"] for other in others)}) > 1
        for part in ("generate", "total"):
            assert whole[part] > max(other[part] for other in others)


class TestOtherOrigins:
    @for_each(("origin", "allowed"), [(ORIGIN, ORIGIN), ("https://evil.test", None)])
    async def test_may_read_it_if_they_are_named(self, world, redis_url, origin, allowed):
        asked = {"Access-Control-Request-Headers": "traceparent, tracestate"}
        method = {"Access-Control-Request-Method": "POST"}
        async with open_api(world, redis_url, cors_origins=ORIGIN) as api:
            headers = {"Origin": origin}
            preflight = await api.anonymous.options("/ai/chat", headers=headers | asked | method)
            response = await api.client.post("/ai/chat", json=QUESTION, headers=headers)

        assert preflight.is_success == bool(allowed)
        assert response.headers.get("Timing-Allow-Origin") == allowed
        assert response.headers.get("Access-Control-Allow-Origin") == allowed
        assert "Server-Timing" in response.headers["Access-Control-Expose-Headers"]
