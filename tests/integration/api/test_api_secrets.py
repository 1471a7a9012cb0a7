"""Keys, tokens and what readers write stay out of logs, problem documents and metrics."""

import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from api_client import Api, open_api
from stub_behaviours import answer, reply_text, reset, status
from stub_server import StubServer
from verdict_world import World

VENDOR_KEY = "sk-test-4f9a1c7be2"
NOTE = "비밀노트문장 9c41"
TITLE = "비밀노트제목 2b7d"
ASKED = "비밀질문 51fe"
ANSWERED = "비밀답변 e03a"
# A vendor that quotes the key and the prompt.
REFUSAL = {"error": {"message": f"Bad key {VENDOR_KEY} for {ASKED} {NOTE}", "code": "bad"}}

IMPORT = {"notebook": TITLE, "notes": [{"title": TITLE, "content": f"PCR 변성 95도. {NOTE}"}]}
QUESTION = {"content": f"PCR 변성은 몇 도? {ASKED}", "options": {"context_notes": [NOTE]}}
EXTERNAL = {"question": ASKED, "answer": ANSWERED, "sources": [{"title": TITLE, "content": NOTE}]}


@pytest.fixture
async def model() -> AsyncIterator[StubServer]:
    async with StubServer(answer(reply_text(f"{ANSWERED} [노트 1]"))) as model:
        yield model


@pytest.fixture
async def api(world: World, redis_url: str, model: StubServer) -> AsyncIterator[Api]:
    async with open_api(
        world,
        redis_url,
        answer_model="openai:gpt-test",
        openai_api_key=VENDOR_KEY,
        openai_base_url=model.base_url,
        stream_wait=0.05,
    ) as api:
        yield api


async def failing(api: Api, model: StubServer) -> list[httpx.Response]:
    """A response for each way to fail, each to a request full of what must not be repeated."""
    model.script(status(401, REFUSAL), status(400, REFUSAL))
    refused = [await api.client.post("/ai/chat", json=QUESTION) for _ in range(2)]
    model.script(reset(), reset(), reset(), reset())
    away = await api.client.post("/ai/chat", json=QUESTION)
    return [
        *refused,
        away,
        await api.client.post("/ai/chat", json=QUESTION | {"content": ASKED * 1_000}),
        await api.client.post("/ai/chat", json=QUESTION | {"feature": ASKED, "lang": NOTE}),
        await api.client.post("/ai/chat", content=f'{{"content": "{ASKED}", '.encode()),
        await api.client.post("/ai/chat", json={"content": [NOTE]}),
        await api.client.post("/qa-evaluations", json=EXTERNAL | {"sources": NOTE}),
        await api.client.get("/qa-evaluations", params={"after": ASKED}),
        await api.client.get(f"/notes/{ASKED}"),
        await api.client.post(
            "/notes/import/file", files={"file": ("a.jsonl", f'{{"title": "{TITLE}"'.encode())}
        ),
        await api.anonymous.get("/notes", headers={"Authorization": "Bearer sqa_wrong-token-77"}),
        await api.anonymous.get("/login", params={"code": "sql_wrong-code-88"}),
    ]


async def broken_database(api: Api) -> list[httpx.Response]:
    """The database refuses rows and quotes them, then is too slow with them."""
    await api.world.rows("ALTER TABLE notes ADD CONSTRAINT none CHECK (title = '') NOT VALID")
    refused = await api.client.post("/notes/import", json=changed("a"))
    await api.world.rows("ALTER TABLE notes DROP CONSTRAINT none")
    await api.world.rows(
        "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE query_canceled; END $$"
    )
    await api.world.rows(
        "CREATE TRIGGER late BEFORE INSERT OR UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION late()"
    )
    late = await api.client.post("/notes/import", json=changed("b"))
    return [refused, late]


def changed(mark: str) -> dict[str, object]:
    return {"notebook": TITLE, "notes": [{"title": TITLE, "content": f"{NOTE} {mark}"}]}


async def test_nothing_private_is_repeated(api, model, caplog):
    caplog.set_level(logging.DEBUG)
    code = await api.login_code()
    login = await api.anonymous.get("/login", params={"code": code})
    cookie = login.cookies["searchqa_session"]
    token = api.client.headers["Authorization"].removeprefix("Bearer ")

    worked = [
        await api.client.post("/notes/import", json=IMPORT),
        await api.client.post("/ai/chat", json=QUESTION),
        await api.client.post("/ai/stream", json=QUESTION | {"feature": "insight"}),
        await api.client.post("/qa-evaluations", json=EXTERNAL),
    ]
    async with api.browser(httpx.Cookies({"searchqa_session": cookie})) as browser:
        worked.append(await browser.post("/logout"))
    failed = [*await failing(api, model), *await broken_database(api)]
    metrics = await api.client.get("/metrics")

    assert [response.status_code for response in worked] == [200, 200, 200, 202, 204]
    assert ANSWERED in worked[1].text, "the answer must have come from the model"
    assert VENDOR_KEY in model.requests[0].headers["authorization"]
    codes = [response.status_code for response in failed]
    assert codes == [502, 502, 503, *[422] * 7, 422, 401, 401, 500, 503]
    log = "\n".join(map(logging.Formatter().format, caplog.records))
    assert "failed" in log
    assert "CheckViolation" in log, "the log must still say what broke"
    assert "PostgreSQL cannot be asked" in log
    assert metrics.status_code == 200
    private = [VENDOR_KEY, NOTE, TITLE, ASKED, ANSWERED, token, cookie, code]
    private += ["sqa_wrong-token-77", "sql_wrong-code-88"]
    places = {"log": log, "metrics": metrics.text}
    places |= {f"problem {n}": response.text for n, response in enumerate(failed)}
    found = [(place, text) for place, said in places.items() for text in private if text in said]
    assert found == []
