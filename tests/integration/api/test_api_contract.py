"""Calls made up from the OpenAPI document: no answer breaks what the document says.

Schemathesis makes valid and invalid calls of every operation, the same ones at each run, and
sends them over a socket. The stream of a whole workspace is left out: it has no end.
"""

import asyncio
import threading
import uuid
from collections.abc import Callable, Iterator
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
import uvicorn
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CheckFunction
from schemathesis.config import SchemathesisConfig
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

import run_rows
import servers
import verdict_world
from analytics_rows import put_alarm, put_failure
from api_client import QUESTION, Server, put_learning, put_succession, put_trial, stricter
from app.api.app import create_app
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.workspaces.service import create_token, ensure_workspace
from app.workspaces.tokens import Scope
from batch_world import put_batch
from cases import TIMEOUT_SECONDS

# The server's thread may use it while a call is made up.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
]

Call = Callable[[schemathesis.Case, list[CheckFunction]], None]

ENDLESS = "/qa-evaluations/events"
JUDGE = "openai:gpt-4o-mini"
# Of an evaluation that is being improved, the stream goes on.
TO_REFINE = "POST /qa-evaluations/{evaluation_id}/refine"
# Of a dataset that is gone, the other calls would tell nothing.
TO_DELETE = "DELETE /evaluation/datasets/{dataset_id}"
VIEW_TO_DELETE = "DELETE /evaluation-views/{view_id}"
CONVERSATION_TO_DELETE = "DELETE /conversations/{conversation_id}"
WEBHOOK_TO_DELETE = "DELETE /webhooks/{webhook_id}"
UNLIMITED = dict.fromkeys(("rate_limit", "rate_limit_writes", "rate_limit_guesses"), "off")

# What a schema cannot say, by operation.
EXCEPTIONS: dict[str, CheckFunction] = {
    # `after` and Last-Event-ID are what the server gave before.
    "GET /qa-evaluations": positive_data_acceptance,
    "GET /qa-evaluations/review-queue": positive_data_acceptance,
    "GET /conversations": positive_data_acceptance,
    # Days are those of a time zone that there is.
    "GET /qa-evaluations/export": positive_data_acceptance,
    "GET /qa-evaluations/ids": positive_data_acceptance,
    # A label names a claim that is there, and claims are not useful.
    "POST /qa-evaluations/{evaluation_id}/feedback": positive_data_acceptance,
    "GET /qa-evaluations/{evaluation_id}/events": positive_data_acceptance,
    # The name is one that GET /analytics gave, and `since` is not after `until`.
    "GET /analytics/{name}": positive_data_acceptance,
    # The judge was asked in the workspace, and `since` is not after `until`.
    "GET /analytics/true-quality": positive_data_acceptance,
    "GET /analytics/releases": positive_data_acceptance,
    "GET /analytics/what-changed": positive_data_acceptance,
    # The time zone is one that there is.
    "GET /notes/{note_id}/quality": positive_data_acceptance,
    # `after` is what the server gave before.
    "GET /failures": positive_data_acceptance,
    # A release is named where it is mended, and nothing else is null.
    "PATCH /failures/{failure_id}": positive_data_acceptance,
    # As POST /qa-evaluations.
    "POST /ai/gate": positive_data_acceptance,
    # A dataset by its id or by its name.
    "POST /evaluation/datasets/from-answer": positive_data_acceptance,
    # `since` is before `until`, and there are answers to draw.
    "POST /review/samples": positive_data_acceptance,
    # Drawn answers are labelled.
    "POST /settings/evaluation/calibrations": positive_data_acceptance,
    # As PUT /settings/evaluation, whose draft it is: models and prompts are there.
    "POST /settings/evaluation/forecast": positive_data_acceptance,
    "POST /settings/evaluation/learning": positive_data_acceptance,
    "POST /settings/evaluation/learning/estimate": positive_data_acceptance,
    # No more titles than notes, and 200,000 characters of notes together.
    "POST /ai/chat": positive_data_acceptance,
    "POST /ai/stream": positive_data_acceptance,
    # history or conversation_id, not both; keys of attributes have no blank.
    "POST /qa-evaluations": positive_data_acceptance,
    # Judges are models that there are, answers labelled, and each place lies within its answer.
    "POST /evaluation/judge-benches": positive_data_acceptance,
    "POST /evaluation/judge-benches/import": positive_data_acceptance,
    "POST /evaluation/judge-benches/estimate": positive_data_acceptance,
    # The file is one of three formats.
    "POST /notes/import/file": positive_data_acceptance,
    # Which judges and prompts there are, the settings and versions say.
    "POST /evaluation/rejudge": positive_data_acceptance,
    "POST /evaluation/rejudge/estimate": positive_data_acceptance,
    "POST /qa-evaluations/{evaluation_id}/rejudge": positive_data_acceptance,
    # Instructions hold their placeholders, and versions and models are there.
    "POST /judge-prompts": positive_data_acceptance,
    "POST /judge-trials": positive_data_acceptance,
    # Both judges are models that can be asked, and another one than the old judge's.
    "POST /judges/successions": positive_data_acceptance,
    "POST /judges/successions/estimate": positive_data_acceptance,
    # A criterion has the rule of its kind and no other, and no name that is taken.
    "POST /criteria": positive_data_acceptance,
    # Ids of chunks have no blanks, and no case names one twice.
    "POST /evaluation/datasets": positive_data_acceptance,
    "POST /evaluation/datasets/import": positive_data_acceptance,
    # What is corrected or rejected are cases of that version, and some are left.
    "POST /evaluation/datasets/{dataset_id}/review": positive_data_acceptance,
    # Whether there is a search by meaning, the settings say.
    "POST /evaluation/datasets/{dataset_id}/runs": positive_data_acceptance,
    # Models and a prompt go with answers alone.
    "POST /evaluation/datasets/{dataset_id}/estimate": positive_data_acceptance,
    # `fail_under` is a list of means.
    "GET /evaluation/runs/{run_id}/report": positive_data_acceptance,
    # Models, time zones and notebooks that there are, and If-Match as an ETag.
    "PUT /settings/evaluation": positive_data_acceptance,
    # A request of OTLP has more rules than its schema: lists of objects, and protobuf is bytes.
    "POST /v1/traces": positive_data_acceptance,
    # The URL is a public address, notebooks are there, and only filters may be null.
    "POST /webhooks": positive_data_acceptance,
    "PATCH /webhooks/{webhook_id}": positive_data_acceptance,
    # Names of filters are words, and only columns may be null.
    "POST /evaluation-views": positive_data_acceptance,
    "PATCH /evaluation-views/{view_id}": positive_data_acceptance,
    # Who is out already may log out again.
    "POST /logout": ignored_auth,
}

# Bodies that may have 200 notes of 50,000 characters: to work out every way to overstep their
# limits takes longer than all other calls together, and each run of any test would pay for it.
LARGE = [
    "POST /ai/chat",
    "POST /ai/stream",
    "POST /ai/gate",
    "POST /qa-evaluations",
    "POST /notes/import",
    "POST /evaluation/datasets",
    "POST /evaluation/datasets/{dataset_id}/review",
]
CONFIG: dict[str, Any] = {
    "seed": 1,
    "generation": {"database": "none"},
    # The server shares its processors with other tests.
    "request-timeout": 60,
    "operations": [{"include-name": LARGE, "phases": {"coverage": {"enabled": False}}}],
}
contract = schemathesis.pytest.from_fixture("document")
valid_calls = schemathesis.pytest.from_fixture("document_of_valid_calls")
bounded = settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def document(app: FastAPI) -> BaseSchema:
    """Its calls are worked out in the worker that makes them, where others would only collect
    them."""
    return _calls(app, CONFIG)


@pytest.fixture(scope="module")
def document_of_valid_calls(app: FastAPI) -> BaseSchema:
    """An invalid call is refused whether or not what it names is stored."""
    return _calls(app, CONFIG | {"generation": CONFIG["generation"] | {"mode": "positive"}})


def _calls(app: FastAPI, config: dict[str, Any]) -> BaseSchema:
    return schemathesis.openapi.from_dict(
        app.openapi(), config=SchemathesisConfig.from_dict(config)
    )


@pytest.fixture(scope="module")
def database_url(postgres_url: str) -> Iterator[str]:
    with servers.migrated_database(postgres_url) as url:
        yield url


@pytest.fixture(scope="module")
def app(database_url: str, run_folder: Path, worker_id: str) -> Iterator[FastAPI]:
    with servers.redis_server(run_folder / f"contract-{worker_id}") as redis_url:
        yield create_app(
            verdict_world.settings(
                database_url=database_url, redis_url=redis_url, stream_wait=0.01, **UNLIMITED
            )
        )


@pytest.fixture(scope="module")
def url(app: FastAPI) -> Iterator[str]:
    # It must not close the connection just when a call that took long to make up is sent.
    config = uvicorn.Config(app, port=0, log_config=None, ws="none", timeout_keep_alive=3600)
    server = Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "it did not start"
            thread.join(0.01)
        (listening,) = server.servers
        host, port = listening.sockets[0].getsockname()
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def headers(database_url: str) -> dict[str, str]:
    async def token() -> str:
        async with (
            verdict_world.open_world(database_url) as world,
            world.sessions.begin() as session,
        ):
            workspace_id = await ensure_workspace(session)
            made = await create_token(session, workspace_id, name="test", scopes=list(Scope))
            return made[1]

    return {"Authorization": f"Bearer {asyncio.run(token())}"}


@pytest.fixture(scope="module")
def stored(database_url: str, url: str, headers: dict[str, str]) -> dict[str, str]:
    """What there is to be found, by the names of path parameters. The evaluation is final, so
    that its stream ends; the answer and the dataset to delete and the answer to improve are
    others."""

    async def judged() -> dict[str, str]:
        async with verdict_world.open_world(database_url) as world:
            # Calls before may have stored a policy by which nothing is judged.
            await world.rows("DELETE FROM evaluation_policies")
            final, other, poor = await verdict_world.store_answers(world, 3)
            (claim,) = await world.lifecycle.claim([final.evaluation_id])
            await world.lifecycle.record([(claim, verdict_world.verdict())])
            await world.rows(
                "INSERT INTO judge_pauses (judge_model, reason, probe_at)"
                " VALUES (%s, 'HTTP 401', now())",
                JUDGE,
            )
            job_id = await run_rows.put(world)
            # Or its events would have no end.
            await world.rows("UPDATE jobs SET status = 'cancelled' WHERE id = %s", job_id)
            (row,) = await world.rows("SELECT workspace_id FROM jobs WHERE id = %s", job_id)
            alarm_id = await put_alarm(world, row["workspace_id"])
            batch_id = await put_batch(world, row["workspace_id"])
            trial_id = await put_trial(world, final.evaluation_id)
            succession_id = await put_succession(world, row["workspace_id"])
            learning_id = await put_learning(world, row["workspace_id"])
            failure_id = await put_failure(world, final.evaluation_id, "환불")
        return {
            "evaluation_id": str(final.evaluation_id),
            "answer_id": str(other.answer_id),
            "job_id": str(job_id),
            "alarm_id": str(alarm_id),
            "batch_id": str(batch_id),
            "trial_id": trial_id,
            "succession_id": succession_id,
            "learning_id": learning_id,
            "failure_id": str(failure_id),
            TO_REFINE: str(poor.evaluation_id),
        }

    async def completed() -> None:
        async with verdict_world.open_world(database_url) as world:
            # Or their events would have no end.
            await world.rows("UPDATE eval_runs SET status = 'completed'")

    note = {"notebook": "실험실", "notes": [{"title": "PCR", "content": "변성은 95도"}]}
    with httpx.Client(
        base_url=url, headers=headers, trust_env=False, timeout=TIMEOUT_SECONDS
    ) as client:
        client.post("/notes/import", json=note).raise_for_status()
        found = client.get("/notes").json()["items"][0]
        ids = asyncio.run(judged())
        refinement = client.post(f"/qa-evaluations/{ids[TO_REFINE]}/refine").json()
        path = f"/qa-evaluations/{ids['evaluation_id']}/feedback"
        ids["feedback_id"] = client.post(path, json={"label": "wrong"}).json()["id"]
        token = client.post("/tokens", json={"name": "more", "scopes": ["read"]}).json()
        ids["token_id"] = token["id"]
        hook = {"name": "a", "url": "https://hooks.example/", "events": ["verdict.failed"]}
        webhook, gone = (client.post("/webhooks", json=hook).json()["id"] for _ in range(2))
        view, view_gone = (
            client.post("/evaluation-views", json={"name": name}).json()["id"] for name in "ab"
        )
        conversation, ended = (_conversation(client) for _ in range(2))
        prompt = {"name": "mine", "parent": DEFAULT_PROMPT, "texts": {"ko": stricter()}}
        prompt_id = client.post("/judge-prompts", json=prompt).json()["id"]
        criterion = client.post("/criteria", json={"name": "tone", "question": "?"}).json()
        delivery = client.post(f"/webhooks/{webhook}/test").json()["id"]
        labelled = {"passages": ["변성은 95도"], "answer": "95도", "hallucinated": False}
        bench = client.post(
            "/evaluation/judge-benches", json={"judges": ["offline"], "items": [labelled]}
        ).json()
        kept, deleted = (_dataset(client, name) for name in ("kept", "deleted"))
        cases = client.get(f"/evaluation/datasets/{kept}").json()["test_cases"]
        path = f"/evaluation/datasets/{kept}/runs"
        run, other = (client.post(path, json={}).json()["id"] for _ in range(2))
    asyncio.run(completed())
    more = {
        "name": "daily-quality",
        "note_id": found["id"],
        "bench_id": bench["id"],
        "judge_model": JUDGE,
        "refinement_id": refinement["id"],
        "dataset_id": kept,
        "test_case_id": cases[0]["id"],
        TO_DELETE: deleted,
        "run_id": run,
        "other_id": other,
        "webhook_id": webhook,
        "delivery_id": delivery,
        WEBHOOK_TO_DELETE: gone,
        "view_id": view,
        "conversation_id": conversation,
        CONVERSATION_TO_DELETE: ended,
        "prompt_id": prompt_id,
        "criterion_id": criterion["id"],
        VIEW_TO_DELETE: view_gone,
    }
    return ids | more


def _conversation(client: httpx.Client) -> str:
    asked = QUESTION | {"options": {"conversation_id": str(uuid.uuid4())}}
    client.post("/ai/chat", json=asked).raise_for_status()
    return asked["options"]["conversation_id"]


def _dataset(client: httpx.Client, name: str) -> str:
    case = {"question": "변성 온도는?", "ground_truth_chunk_ids": ["c"]}
    made = client.post("/evaluation/datasets", json={"name": name, "test_cases": [case]}).json()
    return str(made["id"])


@schemathesis.serializer("application/x-protobuf")
def protobuf(_: object, value: object) -> bytes:
    """Any bytes: what is in them the schema cannot say."""
    return getattr(value, "data", None) or str(value).encode()


def excluded(case: schemathesis.Case) -> list[CheckFunction]:
    checks = [check for label, check in EXCEPTIONS.items() if label == case.operation.label]
    # Given more than once, a parameter counts as it was given last.
    if any(isinstance(value, list | dict) for value in case.query.values()):
        checks.append(negative_data_rejection)
    return checks


@pytest.fixture(scope="module")
def call(url: str, headers: dict[str, str]) -> Iterator[Call]:
    """Sends a call and checks the answer, over one connection that keeps no cookies."""
    checked: set[str] = set()
    with requests.Session() as session:
        session.trust_env = False
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))

        def call(case: schemathesis.Case, excluded_checks: list[CheckFunction]) -> None:
            # To find out takes two more calls without a token, and the same routes are open to
            # all or to nobody.
            if case.operation.label in checked:
                excluded_checks = [*excluded_checks, ignored_auth]
            response = case.call_and_validate(
                base_url=url, headers=headers, session=session, excluded_checks=excluded_checks
            )
            if response.status_code < 300:
                checked.add(case.operation.label)

        yield call


@pytest.fixture(autouse=True)
def where_schemathesis_looks(request: pytest.FixtureRequest) -> None:
    """For the id of the test, which this pytest keeps elsewhere."""
    request.node._nodeid = request.node.nodeid


# The calls of one function are one test, which has to end within its time where others are busy.
@contract.include(method="GET").exclude(path=ENDLESS).parametrize()
@bounded
def test_every_answer_to_a_get_is_as_the_document_says(case, call):
    call(case, excluded(case))


@contract.include(method="POST").parametrize()
@bounded
def test_so_is_every_answer_to_a_post(case, call):
    call(case, excluded(case))


@contract.exclude(method=["GET", "POST"]).parametrize()
@bounded
def test_so_is_every_answer_to_another_method(case, call):
    call(case, excluded(case))


@valid_calls.exclude(lambda context: "{" not in context.operation.path).parametrize()
@bounded
def test_so_is_every_answer_about_what_is_stored(case, call, stored):
    for name in case.path_parameters:
        case.path_parameters[name] = stored.get(case.operation.label) or stored[name]
    if "wait" in case.query:
        # Without a worker no run ends.
        case.query["wait"] = 0

    # The id that is put in its place may have been all that was wrong with the call.
    call(case, [*excluded(case), negative_data_rejection])
