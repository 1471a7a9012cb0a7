"""Conversations: kept with their answers, seen by their owner alone."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api_client import QUESTION, Api, import_notes, json_of, open_api, parse_events
from app.answering.conversations import ConversationKey, add_answer
from app.platform.db.pool import transaction_in_workspace
from verdict_world import World, store_answers

FIRST, SECOND = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    # Nobody judges what is streamed.
    async with open_api(world, redis_url, stream_wait=0.05) as api:
        await import_notes(api)
        yield api


async def ask(client: httpx.AsyncClient, conversation: str, content: str) -> dict[str, Any]:
    body = QUESTION | {"content": content, "options": {"conversation_id": conversation}}
    return await json_of(client.post("/ai/chat", json=body))


async def listed(client: httpx.AsyncClient, **query: object) -> list[dict[str, Any]]:
    return (await json_of(client.get("/conversations", params=query)))["items"]


async def titles(client: httpx.AsyncClient, **query: object) -> list[str]:
    return [item["title"] for item in await listed(client, **query)]


async def answers(client: httpx.AsyncClient, conversation: str) -> list[dict[str, Any]]:
    return (await client.get(f"/conversations/{conversation}/answers")).json()["items"]


class TestTheList:
    async def test_begins_with_the_one_that_was_last_asked_in(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        await ask(api.client, SECOND, "배양기는?")
        assert await titles(api.client) == ["배양기는?", "PCR 변성은?"]

        await ask(api.client, FIRST, "그리고 시간은?")

        first, second = await listed(api.client)
        assert (first["id"], first["title"], first["answers"]) == (FIRST, "PCR 변성은?", 2)
        assert (second["id"], second["answers"]) == (SECOND, 1)

    async def test_is_read_page_by_page(self, api):
        for number in range(3):
            await ask(api.client, str(uuid.UUID(int=number)), f"질문 {number}")

        page = (await api.client.get("/conversations", params={"limit": 2})).json()
        rest = await titles(api.client, limit=2, after=page["next"])

        assert [item["title"] for item in page["items"]] == ["질문 2", "질문 1"]
        assert rest == ["질문 0"]

    async def test_is_searched_by_title_and_question(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        await ask(api.client, FIRST, "100% 에탄올은?")
        await ask(api.client, SECOND, "배양기는?")
        await api.client.patch(f"/conversations/{SECOND}", json={"title": "Cell culture"})

        assert await titles(api.client, containing="pcr") == ["PCR 변성은?"]
        assert await titles(api.client, containing="100%") == ["PCR 변성은?"]
        assert await titles(api.client, containing="CELL") == ["Cell culture"]
        assert await titles(api.client, containing="_") == []

    async def test_clamps_a_long_first_question(self, api):
        await ask(api.client, FIRST, "가" * 3000)

        assert await titles(api.client) == ["가" * 200]


class TestAConversation:
    async def test_has_its_answers_with_notes_and_verdict(self, api):
        said = await ask(api.client, FIRST, "PCR 변성은 몇 도에서 하나요?")
        body = QUESTION | {"content": "배양기는 몇 도?", "options": {"conversation_id": FIRST}}
        streamed = parse_events((await api.client.post("/ai/stream", json=body)).text)

        newest, oldest = await answers(api.client, FIRST)

        assert newest["id"] == streamed[0].data["answer_id"]
        assert oldest["id"] == said["quality"]["answer_id"]
        assert oldest["evaluation_id"] == said["quality"]["evaluation_id"]
        assert (oldest["question"], oldest["answer"]) == (
            "PCR 변성은 몇 도에서 하나요?",
            said["content"],
        )
        assert oldest["matched_notes"] == said["matched_notes"]
        assert oldest["status"] == "queued"

    async def test_is_named_and_unnamed(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        address = f"/conversations/{FIRST}"

        named = (await api.client.patch(address, json={"title": "  PCR  "})).json()
        unnamed = (await api.client.patch(address, json={"title": None})).json()

        assert (named["title"], named["named"]) == ("PCR", True)
        assert (unnamed["title"], unnamed["named"]) == ("PCR 변성은?", False)
        for wrong in ("", " ", "a" * 201):
            assert (await api.client.patch(address, json={"title": wrong})).status_code == 422

    async def test_may_be_deleted_alone(self, api):
        said = await ask(api.client, FIRST, "PCR 변성은?")

        assert (await api.client.delete(f"/conversations/{FIRST}")).status_code == 204

        assert await listed(api.client) == []
        kept = (await api.client.get("/qa-evaluations")).json()["items"]
        assert [item["id"] for item in kept] == [said["quality"]["evaluation_id"]]
        assert await api.world.rows("SELECT answer_id FROM conversation_answers") == []

    async def test_may_be_deleted_with_its_answers(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        other = await ask(api.client, SECOND, "배양기는?")

        address = f"/conversations/{FIRST}"
        deleted = await api.client.delete(address, params={"with_answers": True})

        assert deleted.status_code == 204
        kept = (await api.client.get("/qa-evaluations")).json()["items"]
        assert [item["answer_id"] for item in kept] == [other["quality"]["answer_id"]]

    async def test_goes_with_its_last_answer(self, api):
        said = [await ask(api.client, FIRST, question) for question in ("가?", "나?")]
        first, second = (each["quality"]["answer_id"] for each in said)
        await api.client.patch(f"/conversations/{FIRST}", json={"title": "비밀"})

        await api.client.delete(f"/answers/{first}")
        assert await titles(api.client) == ["비밀"]
        await api.client.delete(f"/answers/{second}")

        assert (await api.client.get(f"/conversations/{FIRST}")).status_code == 404
        assert await api.world.rows("SELECT id FROM conversations") == []

    async def test_goes_when_its_last_answers_go_at_once(self, api):
        said = [await ask(api.client, FIRST, question) for question in ("가?", "나?")]
        ids = [each["quality"]["answer_id"] for each in said]

        gone = asyncio.gather(*(api.client.delete(f"/answers/{id_}") for id_ in ids))

        assert [response.status_code for response in await gone] == [204, 204]
        assert await api.world.rows("SELECT id FROM conversations") == []

    async def test_goes_with_its_workspace(self, api):
        await ask(api.client, FIRST, "가?")

        await api.world.rows("DELETE FROM workspaces")

        assert await api.world.rows("SELECT id FROM conversations") == []


class TestSomebodyElse:
    async def test_finds_the_same_as_for_no_conversation(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        other = await api.as_token(name="mina")

        for method, path, body in (
            ("GET", "", None),
            ("GET", "/answers", None),
            ("PATCH", "", {"title": "a"}),
            ("DELETE", "", None),
        ):
            found = [
                await other.request(method, f"/conversations/{id_}{path}", json=body)
                for id_ in (FIRST, SECOND)
            ]
            assert [response.status_code for response in found] == [404, 404]
            assert found[0].json() == found[1].json()
        assert await listed(other) == []
        assert await titles(api.client) == ["PCR 변성은?"]

    async def test_begins_an_own_one_under_that_id(self, api):
        await ask(api.client, FIRST, "PCR 변성은?")
        other = await api.as_token(name="mina")

        await ask(other, FIRST, "배양기는?")

        assert await titles(other) == ["배양기는?"]
        assert await titles(api.client) == ["PCR 변성은?"]
        assert len(await answers(api.client, FIRST)) == 1

    async def test_sees_the_same_in_another_browser_of_that_name(self, api):
        found = []
        for name in ("mina", "mina", "jisu"):
            code = await api.login_code(name=name)
            login = await api.anonymous.get("/login", params={"code": code})
            session = httpx.Cookies({"searchqa_session": login.cookies["searchqa_session"]})
            async with api.browser(session) as browser:
                if not found:
                    await ask(browser, FIRST, "PCR 변성은?")
                assert (await browser.get("/whoami")).json()["token"] == name
                found.append(await titles(browser))

        assert found == [["PCR 변성은?"], ["PCR 변성은?"], []]


async def test_first_questions_at_once_make_one_conversation(world):
    made = await store_answers(world, 8)
    (row,) = await world.rows("SELECT DISTINCT workspace_id FROM qa_answers")
    workspace = row["workspace_id"]
    key = ConversationKey(workspace, "mina", uuid.UUID(FIRST))

    async def keep(answer_id: uuid.UUID) -> None:
        async with transaction_in_workspace(world.pool, workspace) as connection:
            await add_answer(connection, key, answer_id)

    await asyncio.gather(*(keep(new.answer_id) for new in made))

    assert len(await world.rows("SELECT id FROM conversations")) == 1
    assert len(await world.rows("SELECT answer_id FROM conversation_answers")) == 8
