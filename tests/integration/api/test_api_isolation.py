"""A token of one workspace sees and changes nothing of another, on any route.

The routes come from the OpenAPI document. A new one is tested without a change here, or fails
with the name of the table below that must know it. The API works by a login without rights of
its own: a route that does not enter its workspace fails.
"""

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text

import otlp
from analytics_rows import put_alarm, put_failure
from api_client import Api, keep_prompt, open_api, openapi_paths, put_learning, put_trial
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.quality.rejudging.service import REJUDGE_JOB
from batch_world import put_batch
from cases import TIMEOUT_SECONDS
from run_rows import put, work
from verdict_world import World, verdict

MARK = "비밀표식7f3a"
IMPORT = {
    "notebook": f"실험실 {MARK}",
    "notes": [
        {"title": f"PCR 조건 {MARK}", "content": f"PCR 변성은 95도에서 30초 동안 한다. {MARK}"}
    ],
}
QUESTION = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}
# Two sources, as many as `verdict()` has.
EXTERNAL = {"question": f"{MARK}?", "answer": f"{MARK}.", "sources": [{"content": MARK}] * 2}
TRACED = otlp.answered_trace(bytes(range(16)), question=f"{MARK}?", answer=f"{MARK}.")
KEY = {"Idempotency-Key": "the-same-key"}
SUCCESSION = {"old": "offline:rules", "new": "openai:gpt-6-luna"}
LABELLED = {"passages": [MARK], "answer": MARK, "hallucinated": False}
LABELLED_FILE = {
    "data": {"judges": ["offline"]},
    "files": {"file": ("a.jsonl", b'{"passages": ["a"], "answer": "b", "hallucinated": true}')},
}


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    operation: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    def parameters(self, place: str) -> list[Mapping[str, Any]]:
        return [item for item in self.operation.get("parameters", []) if item["in"] == place]

    @property
    def about_an_object(self) -> bool:
        return any(item["name"] not in NAMES for item in self.parameters("path"))

    @property
    def endless(self) -> bool:
        """Whether it streams what happens in the whole workspace."""
        content = self.operation["responses"].get("200", {}).get("content", {})
        stream = self.method == "get" and "text/event-stream" in content
        return stream and not self.parameters("path")


# These belong to the installation, not to a workspace, and say nothing about its texts.
SHARED = {
    "GET /healthz": "liveness",
    "GET /readyz": "readiness",
    "GET /judge-prompts/shipped": "come with the program",
    "GET /criteria/examples": "come with the program",
    "GET /analytics": "lists queries, not what they find",
    "GET /judges/paused": "judges serve all workspaces; a pause names the judge and the reason",
    "GET /judges/limits": "judges serve all workspaces; a limit is that of their server",
    "POST /judges/{judge_model}/resume": "judges serve all workspaces",
    "GET /system": "takes the scope operator, and holds counts and names of machines alone",
    "GET /system/health": "says whether verdicts are delayed, of the installation as a whole",
    "POST /logout": "ends the session that asks",
}

# A token sees itself here and what it did, and nothing of the first workspace.
OF_ITSELF = {"GET /audit-events", "GET /tokens", "GET /whoami"}
# They repeat the ids that it has asked for, and are tested by test_audit.py too.
ECHOES = {"GET /audit-events", "GET /audit-events/export"}


# Parameters of paths that name no object of anybody.
NAMES = {"name": "verdicts"}


def bodies(objects: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """What a stranger may try to get at the first workspace's objects, by route."""
    about_note = QUESTION | {"options": {"note_id": objects["note_id"]}}
    in_notebook = QUESTION | {"options": {"notebook_id": objects["notebook_id"]}}
    asked = [{"json": body} for body in (QUESTION, about_note, in_notebook)]
    of_notebook = {"filter": {"notebook_id": objects["notebook_id"]}}
    chosen = {"filter": {"evaluation_ids": [objects["evaluation_id"]]}}
    again = [{"everything": True, **about} for about in ({}, of_notebook, chosen)]
    mine = {"json": {"notebook": "내 것", "notes": [{"title": "a", "content": "b"}]}}
    return {
        "POST /ai/chat": asked,
        "POST /ai/stream": asked,
        "POST /ai/gate": [{"json": {"question": "?", "answer": "a"}, "headers": KEY}],
        "POST /qa-evaluations": [{"json": {"question": "?", "answer": "a"}, "headers": KEY}],
        "POST /qa-evaluations/{evaluation_id}/refine": [{}, {"json": {"threshold": 1}}],
        "POST /qa-evaluations/{evaluation_id}/feedback": [
            {"json": {"label": "wrong"}},
            {"json": {"label": "wrong", "claim_position": 1, "author": "test"}},
        ],
        "POST /qa-evaluations/{evaluation_id}/rejudge": [{}, {"json": {}}],
        "POST /qa-evaluations/{evaluation_id}/reader-token": [{}, {"json": {}}],
        "POST /evaluation/rejudge": [{"json": body} for body in again],
        "POST /evaluation/rejudge/estimate": [{"json": body} for body in again],
        "POST /evaluation/datasets": [
            {
                "json": {
                    "name": MARK,
                    "notebook_id": objects["notebook_id"],
                    "test_cases": [{"question": "?", "ground_truth_chunk_ids": ["c"]}],
                }
            }
        ],
        "POST /evaluation/datasets/import": [
            {"data": {"name": MARK}, "files": {"file": ("a.jsonl", b"{}")}}
        ],
        "POST /evaluation/datasets/generate": [
            {"json": {"name": "mine", "notebook_id": objects["notebook_id"]}}
        ],
        "POST /evaluation/datasets/from-answer": [
            {"json": {"evaluation_id": objects["evaluation_id"], "name": "mine"}}
        ],
        "POST /evaluation/datasets/{dataset_id}/runs": [{"json": {}}],
        "POST /evaluation/datasets/{dataset_id}/estimate": [{"json": {}}],
        "POST /evaluation/datasets/{dataset_id}/review": [{"json": {}}],
        "POST /settings/evaluation/calibrations": [{"json": {}}],
        "POST /settings/evaluation/forecast": [{"json": {}}],
        "POST /settings/evaluation/learning": [{"json": {}}],
        "POST /settings/evaluation/learning/estimate": [{"json": {}}],
        "POST /settings/evaluation/cascade": [{"json": {"bench_id": objects["bench_id"]}}],
        "POST /review/samples": [{"json": {"notebook_id": objects["notebook_id"]}}, {"json": {}}],
        "POST /review/reservations": [
            {
                "json": {
                    "holder": str(uuid.uuid4()),
                    "source": source,
                    "held": [objects["answer_id"]],
                    "evaluation_ids": [objects["evaluation_id"]],
                }
            }
            for source in ("drawn", "doubtful", "chosen")
        ],
        "POST /qa-evaluations/export": [{"json": {"evaluation_ids": [objects["evaluation_id"]]}}],
        "POST /evaluation-views": [{"json": {"name": "내 것"}}],
        "PATCH /evaluation-views/{view_id}": [{"json": {"name": "내 것"}}],
        "POST /evaluation/judge-benches": [{"json": {"judges": ["offline"]}}],
        "POST /evaluation/judge-benches/import": [LABELLED_FILE],
        "POST /evaluation/judge-benches/estimate": [{"data": {"judges": ["offline"]}}],
        "POST /judges/successions": [{"json": SUCCESSION}],
        "POST /judges/successions/estimate": [{"json": SUCCESSION}],
        "POST /judges/successions/{succession_id}/switch": [{"json": {"force": True}}],
        "POST /judge-prompts": [
            {"json": {"name": "mine", "parent": DEFAULT_PROMPT, "texts": {}}},
            {"json": {"name": "mine", "parent": "workspace:theirs@1", "texts": {}}},
        ],
        "POST /criteria": [{"json": {"name": "tone", "question": "Mine?"}}],
        "POST /judge-trials": [{"json": {"evaluation_id": objects["evaluation_id"]}}],
        "POST /notebooks": [{"json": {"name": "내 것"}}],
        "POST /webhooks": [
            {"json": {"name": "내 것", "url": "https://a.example", "events": ["verdict.failed"]}},
            {
                "json": {
                    "name": "내 것",
                    "url": "https://a.example",
                    "events": ["verdict.failed"],
                    "notebook_ids": [objects["notebook_id"]],
                }
            },
        ],
        "PATCH /failures/{failure_id}": [{"json": {"owner": MARK, "state": "ignored"}}],
        "PATCH /conversations/{conversation_id}": [{"json": {"title": MARK}}],
        "PATCH /webhooks/{webhook_id}": [{"json": {"enabled": False}}],
        "POST /webhooks/{webhook_id}/rotate-secret": [{}, {"json": {"overlap_hours": 0}}],
        "POST /tokens/{token_id}/rotate": [{}],
        "POST /tokens": [{"json": {"name": "내 것", "scopes": ["read"]}}],
        "POST /notes/import": [mine],
        # The same ids are another trace in another workspace.
        "POST /v1/traces": [{"content": otlp.request(TRACED), "headers": otlp.PROTOBUF}],
        "PUT /settings/evaluation": [
            {"json": {"enabled": False}},
            {"json": {"notebook_ids": [objects["notebook_id"]]}},
        ],
        "POST /sample-notes": [{}],
        "POST /user-deletions": [{"json": {"user_ref": "kim"}}],
        "POST /notes/import/file": [{"files": {"file": ("a.md", b"# a\n\nb")}}],
    }


def routes() -> list[Route]:
    """All routes that touch a workspace, reading ones first and deleting ones last."""
    found = [
        Route(method, path, operation)
        for path, operations in openapi_paths().items()
        for method, operation in operations.items()
    ]
    assert {str(route) for route in found} >= set(SHARED), "SHARED names a route that is gone"
    order = ["get", "post", "put", "patch", "delete"]
    mine = [route for route in found if str(route) not in SHARED]
    return sorted(mine, key=lambda route: order.index(route.method))


def known(objects: Mapping[str, str], name: str, route: Route) -> str:
    if name not in objects:
        pytest.fail(
            f"{route} has the parameter '{name}', which this test does not know. Let `belongings` "
            f"make an object of the first workspace and add its id as '{name}', or add the route "
            "to SHARED and say why it belongs to nobody."
        )
    return objects[name]


def path_of(route: Route, objects: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: known(objects, match[1], route), route.path)


def queries_of(route: Route, objects: Mapping[str, str]) -> list[dict[str, str]]:
    """No query, and each that takes an id with an id of the first workspace."""
    named = [item for item in route.parameters("query") if "uuid" in json.dumps(item["schema"])]
    ids = ({item["name"]: known(objects, item["name"], route)} for item in named)
    return [{}, *ids]


async def belongings(api: Api) -> dict[str, str]:
    """Fills the first workspace; the ids of its objects by the names of parameters."""
    assert (await api.client.post("/notes/import", json=IMPORT)).status_code == 200
    external = await api.client.post("/qa-evaluations", json=EXTERNAL, headers=KEY)
    await api.judge_next(verdict())
    conversation_id = str(uuid.uuid4())
    asked = QUESTION | {"options": {"conversation_id": conversation_id}}
    assert (await api.client.post("/ai/chat", json=asked)).status_code == 200
    refining = await api.client.post(f"/qa-evaluations/{external.json()['id']}/refine")
    # Or the events of the evaluation would have no end.
    await api.client.post(f"/jobs/{refining.json()['id']}/cancel")
    said = await api.client.post(
        f"/qa-evaluations/{external.json()['id']}/feedback",
        json={"label": "partly", "comment": MARK},
    )
    assert (await api.client.post("/review/samples", json={})).status_code == 201
    reserved = {"holder": str(uuid.uuid4()), "again": True, "author": "another"}
    given = await api.client.post("/review/reservations", json=reserved)
    assert len(given.json()["items"]) == 1
    case = {"question": f"{MARK}?", "ground_truth_chunk_ids": ["c"]}
    dataset = await api.client.post(
        "/evaluation/datasets", json={"name": MARK, "test_cases": [case]}
    )
    dataset_id = dataset.json()["id"]
    started = await api.client.post(f"/evaluation/datasets/{dataset_id}/runs", json={})
    run_id = started.json()["id"]
    # Or the run would have no result to read.
    await work(api)
    await api.world.rows("UPDATE eval_runs SET status = 'completed'")
    bench = await api.client.post(
        "/evaluation/judge-benches", json={"judges": ["offline"], "items": [LABELLED]}
    )
    token = await api.client.post("/tokens", json={"name": MARK, "scopes": ["read"]})
    await api.client.post("/v1/traces", content=otlp.request(TRACED), headers=otlp.PROTOBUF)
    (note,) = (await api.client.get("/notes")).json()["items"]
    webhook = await api.client.post(
        "/webhooks",
        json={"name": MARK, "url": "https://hooks.example/a", "events": ["judge.paused"]},
    )
    view = await api.client.post("/evaluation-views", json={"name": MARK})
    delivery = await api.client.post(f"/webhooks/{webhook.json()['id']}/test")
    job_id = await put(api.world, REJUDGE_JOB, note_id=note["id"])
    # Or its events would have no end.
    await api.client.post(f"/jobs/{job_id}/cancel")
    (notebook,) = (await api.client.get("/notebooks")).json()
    (row,) = await api.world.rows("SELECT workspace_id FROM notebooks")
    alarm_id = await put_alarm(api.world, row["workspace_id"], MARK)
    failure_id = await put_failure(api.world, external.json()["id"], MARK)
    batch_id = await put_batch(api.world, row["workspace_id"])
    prompt = await keep_prompt(api, "theirs", note=MARK)
    criterion = {"name": "theirs", "question": MARK, "kind": "length", "max_chars": 9}
    criterion = await api.client.post("/criteria", json=criterion)
    trial_id = await put_trial(api.world, external.json()["id"])
    (succession,) = await api.world.rows(
        "INSERT INTO judge_successions (id, workspace_id, old_model, new_model, seed, made_by)"
        " VALUES (gen_random_uuid(), %s, %s, %s, 0, %s) RETURNING id",
        *(row["workspace_id"], *SUCCESSION.values(), MARK),
    )
    return {
        **NAMES,
        "note_id": note["id"],
        "notebook_id": notebook["id"],
        "evaluation_id": external.json()["id"],
        "answer_id": external.json()["answer_id"],
        "conversation_id": conversation_id,
        "refinement_id": refining.json()["id"],
        "dataset_id": dataset_id,
        "run_id": run_id,
        "test_case_id": dataset.json()["test_cases"][0]["id"],
        "other_id": run_id,
        "batch_id": str(batch_id),
        "bench_id": bench.json()["id"],
        "after": note["id"],
        "feedback_id": said.json()["id"],
        "job_id": str(job_id),
        "token_id": token.json()["id"],
        "webhook_id": webhook.json()["id"],
        "view_id": view.json()["id"],
        "delivery_id": delivery.json()["id"],
        "alarm_id": str(alarm_id),
        "failure_id": str(failure_id),
        "prompt_id": prompt["id"],
        "criterion_id": criterion.json()["id"],
        "trial_id": trial_id,
        "succession_id": str(succession["id"]),
        "learning_id": await put_learning(api.world, row["workspace_id"], MARK),
    }


def assert_says_nothing(where: str, text: str, objects: Mapping[str, str]) -> None:
    for secret in {MARK, json.dumps(MARK)[1:-1], *objects.values()} - set(NAMES.values()):
        assert secret not in text, where


def assert_empty(where: str, response: httpx.Response) -> None:
    assert response.status_code == 200, where
    if response.headers["content-type"] == "application/json":
        body = response.json()
        if isinstance(body, dict) and "items" in body:
            assert body == {"items": [], "next": None} | dict.fromkeys(
                body.keys() & {"dropped"}, 0
            ), where
        elif isinstance(body, dict) and "rows" in body:
            assert body["rows"] == [], where
        elif isinstance(body, dict) and "queue" in body:
            assert body["queue"] == [], where
        elif isinstance(body, list):
            assert body == [], where


async def listen(api: Api, route: Route, token: str, *, until: str) -> str:
    """The events of an endless stream from its beginning up to `until`."""
    heard = bytearray()
    enough = asyncio.Event()
    requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        if request := next(requests, None):
            return request
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        heard.extend(message.get("body", b""))
        if until.encode() in heard:
            enough.set()

    headers = {"host": "test", "authorization": token, "last-event-id": "0-0"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": route.path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("test", 80),
    }
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await api.app(scope, receive, send)
    return heard.decode()


@pytest.fixture
async def limited_url(world: World) -> AsyncIterator[str]:
    """The database by a login like `searchqa_api`, which may do nothing to notes, answers and
    verdicts by itself, only as `searchqa_app`."""
    login = f"login_{uuid.uuid4().hex}"
    await world.rows(f"CREATE ROLE {login}_app NOINHERIT IN ROLE searchqa_app")
    await world.rows(f"CREATE ROLE {login} LOGIN IN ROLE searchqa_api, {login}_app")
    user = psycopg.conninfo.conninfo_to_dict(world.url)["user"]
    url = world.url.replace(f"//{user}:", f"//{login}:", 1)
    assert url != world.url
    yield url
    await world.rows(f"DROP OWNED BY {login}")
    await world.rows(f"DROP ROLE {login}, {login}_app")


@pytest.fixture
async def api(world: World, limited_url: str, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, database_url=limited_url) as api:
        yield api


class TestAnotherWorkspace:
    async def test_reads_nothing(self, api):
        objects = await belongings(api)
        stranger = await api.as_token(workspace="other", scopes=["read", "write", "admin"])
        reading = [route for route in routes() if route.method == "get"]
        assert len(reading) >= 7

        for route in reading:
            path = path_of(route, objects)
            if route.endless:
                continue
            for query in queries_of(route, objects):
                where = f"{route} {query}"
                response = await stranger.get(path, params=query)
                if route.about_an_object:
                    assert response.status_code == 404, where
                elif response.status_code != 404 and str(route) not in OF_ITSELF:
                    assert_empty(where, response)
                unseen = {} if str(route) in ECHOES else objects
                assert_says_nothing(where, response.text, unseen)
            own = await api.client.get(path)
            assert own.status_code == 200, f"{route}: the owner must see it, or nothing was tested"

    async def test_counts_nothing(self, api):
        objects = await belongings(api)
        stranger = await api.as_token(workspace="other")

        found = 0
        for query in (await api.client.get("/analytics")).json()["queries"]:
            path = f"/analytics/{query['name']}"
            own = (await api.client.get(path)).json()
            found += bool(own["rows"])
            for asked in ({}, {"format": "jsonl"}):
                response = await stranger.get(path, params=asked)
                assert_empty(path, response)
                assert_says_nothing(path, response.text, objects)
            # Even by the SQL that was run for the other.
            async with api.world.sessions() as session:
                await session.execute(text("SET LOCAL ROLE searchqa_app"))
                connection = await session.connection()
                await connection.execution_options(no_parameters=True)
                assert (await connection.exec_driver_sql(own["sql"])).all() == []
        assert found >= 10

    async def test_hears_nothing(self, api):
        objects = await belongings(api)
        stranger = await api.as_token(workspace="other")
        asked = (await stranger.post("/ai/chat", json=QUESTION)).json()["quality"]
        tokens = [client.headers["Authorization"] for client in (stranger, api.client)]
        endless = [route for route in routes() if route.endless]
        assert endless

        for route in endless:
            theirs = await listen(api, route, tokens[0], until=asked["evaluation_id"])
            assert_says_nothing(str(route), theirs, objects)
            ours = await listen(api, route, tokens[1], until=objects["evaluation_id"])
            assert asked["evaluation_id"] not in ours, route

    async def test_changes_nothing_and_gets_at_nothing(self, api):
        objects = await belongings(api)
        stranger = await api.as_token(workspace="other", scopes=["read", "write", "admin"])
        tries = bodies(objects)
        changing = [route for route in routes() if route.method != "get"]
        before = await everything(api)

        for route in changing:
            if "requestBody" in route.operation and str(route) not in tries:
                pytest.fail(f"Add to `bodies` what a stranger may send to {route}.")
            for sent in tries.get(str(route), [{}]):
                where = f"{route} {sent}"
                response = await stranger.request(route.method, path_of(route, objects), **sent)
                assert response.status_code < 500, where
                if route.parameters("path") or {"note_id", "notebook_id", "bench_id"} & _named(
                    sent
                ):
                    assert response.status_code == 404, where
                assert_says_nothing(where, response.text, objects)
        assert await everything(api) == before

        for route in changing:
            if route.parameters("path"):
                own = await api.client.request(route.method, path_of(route, objects))
                assert own.status_code != 404, f"{route}: the owner may, or nothing was tested"

    def test_an_unknown_parameter_is_refused(self):
        with pytest.raises(pytest.fail.Exception, match="add its id as 'unheard_id'"):
            path_of(Route("get", "/unheard/{unheard_id}", {}), {})


def _named(sent: Mapping[str, Any]) -> set[str]:
    """The fields of a body and of its options."""
    body: Mapping[str, Any] = sent.get("json", {})
    return {*body, *body.get("options", {})}


async def everything(api: Api) -> dict[str, list[dict[str, Any]]]:
    """All rows of the first workspace; only the last use of its token may differ."""
    tables = await api.world.rows(
        "SELECT table_name FROM information_schema.columns"
        " WHERE column_name = 'workspace_id' AND table_schema = 'public'"
        " AND table_name <> 'api_tokens'"
    )
    assert len(tables) >= 4
    return {
        name: await api.world.rows(
            f"SELECT t.* FROM {name} t JOIN workspaces w ON w.id = t.workspace_id"
            " WHERE w.name = 'default' ORDER BY t.*::text"
        )
        for name in sorted(row["table_name"] for row in tables)
    }
