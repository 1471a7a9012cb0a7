"""Personal data: redacted before it is stored, and all of a user deleted. What is stored is read
from every table of the database."""

import re
import uuid
from collections.abc import Sequence
from typing import Any

import pytest

import otlp
from analytics_rows import put_failure
from api_client import Api, import_notes
from app.experiments.benches.request import BenchRequest
from app.experiments.benches.service import create_bench, labelled_feedback
from app.integrations.traces.settling import Settling
from app.operations import user_deletion
from app.platform.db.session import in_workspace
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually
from run_rows import started, work
from verdict_world import World, settings
from workers import judge_once

ADDRESS, NUMBER, RESIDENT, EMPLOYEE = (
    *("hong.gildong@corp.example.com", "010-9876-5432", "900101-1234568", "EMP-778899"),
)
PRIVATE = (ADDRESS, NUMBER, RESIDENT, RESIDENT.replace("-", ""), EMPLOYEE)
ALL = " ".join(PRIVATE)
POLICY = {"redact": True, "redact_pattern": r"EMP-\d{6}"}
ANSWER = {
    "question": f"{RESIDENT}인 {EMPLOYEE}의 연락처는?",
    "answer": f"담당자는 홍길동(전화 {NUMBER})입니다. 메일은 {ADDRESS}로 보냅니다. [노트 1]",
    "sources": [
        {
            "title": f"담당자 {EMPLOYEE}",
            "content": f"담당자는 홍길동(전화 {NUMBER})입니다. 메일은 {ADDRESS}로 보냅니다.",
        }
    ],
    "profile": ALL,
    "history": [{"question": ALL, "answer": ALL}],
    "tags": [NUMBER],
    "attributes": {"who": ADDRESS, "n": 1, NUMBER: int(RESIDENT.replace("-", ""))},
    "user_ref": ADDRESS,
}
MARKS = re.compile(r"\[[a-z ]+ \d{5}\]")


async def stored_with(world: World, words: Sequence[str]) -> dict[str, list[str]]:
    """The rows of all tables in which one of the words stands, by table."""
    tables = await world.rows(
        "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n"
        " ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')"
        " AND n.nspname NOT IN ('pg_catalog', 'information_schema')"
    )
    found = {}
    for (name,) in (table.values() for table in tables):
        rows = await world.rows(f"SELECT t::text AS row FROM {name} t")
        if hits := [row["row"] for row in rows if any(word in row["row"] for word in words)]:
            found[name] = hits
    return found


async def stored_note(api: Api, evaluation_id: str) -> str:
    (row,) = await api.world.rows(
        "SELECT content FROM qa_answer_sources s JOIN qa_evaluations e USING (answer_id)"
        f" WHERE e.id = '{evaluation_id}'"
    )
    return str(row["content"])


async def answers_number(api: Api, expected: int) -> bool:
    return len(await api.world.rows("SELECT id FROM qa_answers")) == expected


async def submit(api: Api, body: dict[str, Any] = ANSWER, path: str = "/qa-evaluations") -> Any:
    response = await api.client.post(path, json=body)
    assert response.status_code in {200, 202}, response.text
    return response.json()


async def switch_on(api: Api) -> None:
    response = await api.client.put("/settings/evaluation", json=POLICY)
    assert response.status_code == 200, response.text


async def test_answers_are_stored_as_sent_unless_the_policy_says_otherwise(api):
    id_ = (await submit(api))["id"]

    view = (await api.client.get(f"/qa-evaluations/{id_}")).json()

    assert view["answer"] == ANSWER["answer"]
    assert set(await stored_with(api.world, [NUMBER])) >= {"qa_answers", "qa_answer_sources"}


async def test_quotes_and_claims_are_of_the_redacted_texts(api):
    await switch_on(api)
    id_ = (await submit(api))["id"]
    await judge_once(api.world, id_, settings())

    view = (await api.client.get(f"/qa-evaluations/{id_}")).json()

    assert await stored_with(api.world, PRIVATE) == {}
    assert len(MARKS.findall(view["answer"])) == 2
    note = await stored_note(api, id_)
    assert note == view["answer"].removesuffix(" [노트 1]"), "one value has one mark"
    assert view["qa_evaluation"]["outcome"] != "mismatch"
    claims = view["feedback"]["groundedness"]["claims"]
    assert len(claims) == 2
    for claim in claims:
        assert view["answer"][claim["start"] : claim["end"]] == claim["claim"]
        assert claim["quote"] in note
        assert MARKS.search(claim["claim"])


async def test_a_swapped_address_is_a_mismatch(api):
    await switch_on(api)
    answer = ANSWER["answer"].replace(ADDRESS, "park@other.example.org")
    id_ = (await submit(api, ANSWER | {"answer": answer}))["id"]

    await judge_once(api.world, id_, settings())

    assert (await api.client.get(f"/qa-evaluations/{id_}")).json()["qa_evaluation"][
        "outcome"
    ] == "mismatch"


async def test_no_door_stores_what_is_redacted(api):
    await switch_on(api)
    id_ = (await submit(api))["id"]
    await api.client.post(
        f"/qa-evaluations/{id_}/feedback", json={"label": "wrong", "comment": f"아님: {ALL}"}
    )
    gate = {name: ANSWER[name] for name in ("question", "answer", "sources")}
    await submit(api, gate, "/ai/gate")
    await import_notes(api)
    notes = {"context_notes": [f"전화는 {NUMBER}이다."], "note_titles": [EMPLOYEE]}
    await submit(api, {"content": f"{ADDRESS}의 전화는?", "options": notes}, "/ai/chat")
    chain, *inner = otlp.answered_trace()
    chain.attributes.add(key="input.value").value.string_value = ALL
    sent = otlp.request([*inner, chain])
    traced = await api.client.post("/v1/traces", content=sent, headers=otlp.PROTOBUF)
    assert traced.status_code == 200, traced.text

    # The gate's answer is stored behind its reply.
    await eventually(lambda: answers_number(api, 3))
    assert await stored_with(api.world, PRIVATE) == {}, "what waits for its trace included"
    await settle(api)
    assert await stored_with(api.world, PRIVATE) == {}
    origins = await api.world.rows("SELECT origin FROM qa_answers ORDER BY origin")
    assert [row["origin"] for row in origins] == ["chat", "external", "external", "otlp"]


async def test_each_workspace_has_marks_of_its_own(api):
    await switch_on(api)
    other = await api.as_token(workspace="other", scopes=["read", "write", "admin"])
    await other.put("/settings/evaluation", json=POLICY)
    theirs = (await other.post("/qa-evaluations", json=ANSWER)).json()["id"]
    ids = [(await submit(api))["id"] for _ in range(2)]

    mine = [(await api.client.get(f"/qa-evaluations/{id_}")).json()["answer"] for id_ in ids]

    assert mine[0] == mine[1]
    assert (await other.get(f"/qa-evaluations/{theirs}")).json()["answer"] != mine[0]


@pytest.mark.parametrize("text", ["[email 12345]", "1" * 50_000, f"{ADDRESS}" * 400])
async def test_odd_texts_are_stored(api, text):
    await switch_on(api)
    id_ = (await submit(api, ANSWER | {"answer": text}))["id"]

    view = (await api.client.get(f"/qa-evaluations/{id_}")).json()

    assert view["answer"] == text or ADDRESS not in view["answer"]


WORDS = ("고래밥상", "whalebone", "kim@users.example.com")
USER = WORDS[2]
OF_USER = {
    "question": "고래밥상은 언제 여나요?",
    "answer": "고래밥상은 whalebone 시각에 엽니다. [노트 1]",
    "sources": [{"title": "고래밥상", "content": "고래밥상은 9시에 연다. whalebone"}],
    "user_ref": USER,
    "session_id": "s-1",
    "attributes": {"dish": "고래밥상"},
}


async def user_rows(api: Api) -> list[str]:
    """What a user leaves: verdicts, labels, cases, benches, a list, traces that wait. Returns the
    ids of the evaluations."""
    hook = {"name": "hook", "url": "https://hooks.example.com/x", "events": ["verdict.succeeded"]}
    assert (await api.client.post("/webhooks", json=hook)).is_success
    ids = []
    for _ in range(3):
        id_ = (await submit(api, OF_USER))["id"]
        await judge_once(api.world, id_, settings())
        label = {"label": "wrong", "comment": "고래밥상은 9시"}
        await api.client.post(f"/qa-evaluations/{id_}/feedback", json=label)
        ids.append(id_)
    await put_failure(api.world, ids[1], "고래밥상 · 9시")
    case = {"evaluation_id": ids[0], "name": "회귀"}
    assert (await api.client.post("/evaluation/datasets/from-answer", json=case)).is_success
    bench = await api.client.post(
        "/evaluation/judge-benches", json={"judges": ["stored", "offline"]}
    )
    assert bench.status_code == 202, bench.text
    options = {
        "user_ref": OF_USER["user_ref"],
        "context_notes": ["고래밥상은 9시에 연다."],
        "conversation_id": str(uuid.uuid4()),
    }
    await submit(api, {"content": "고래밥상은?", "options": options}, "/ai/chat")
    view = {"name": "Kim", "filters": {"user_ref": OF_USER["user_ref"]}, "order": "newest"}
    assert (await api.client.post("/evaluation-views", json=view)).is_success
    for has_settled in (True, False):
        chain, *inner = otlp.answered_trace()
        for key, value in (("user.id", OF_USER["user_ref"]), ("input.value", "고래밥상?")):
            chain.attributes.add(key=key).value.string_value = value
        sent = otlp.request([*inner, chain])
        await api.client.post("/v1/traces", content=sent, headers=otlp.PROTOBUF)
        if has_settled:
            await settle(api)
    return ids


async def settle(api: Api) -> None:
    await api.world.rows("UPDATE traces SET settle_at = now() WHERE settle_at IS NOT NULL")
    await Settling(api.world.pool, EvaluationPolicy.from_settings(settings())).settle_due()


@pytest.mark.parametrize("how", ["as sent", "by its hash", "stored plain"])
async def test_nothing_of_a_user_stays(api, how, monkeypatch):
    monkeypatch.setattr(user_deletion, "BATCH", 2)
    user = USER
    if how == "stored plain":
        # An id that is no address is stored as it is.
        user = "고래밥상-17"
        monkeypatch.setitem(OF_USER, "user_ref", user)
        await api.client.put("/settings/evaluation", json={"user_refs": "plain"})
    ids = await user_rows(api)
    other = await submit(api, OF_USER | ANSWER | {"user_ref": "lee"})
    shown = (await api.client.get(f"/qa-evaluations/{ids[0]}")).json()["user_ref"]
    before = await stored_with(api.world, WORDS)

    receipt = await submit(
        api, {"user_ref": shown if how == "by its hash" else user}, "/user-deletions"
    )

    assert await stored_with(api.world, WORDS) == {}
    assert set(before) >= {
        *("qa_answers", "qa_answer_sources", "qa_feedback", "qa_claims", "eval_test_cases"),
        *("judge_bench_items", "trace_spans", "saved_views", "recurring_failures"),
    }
    assert receipt["complete"]
    assert receipt["deleted"]["webhook_deliveries"] >= 3
    assert receipt["deleted_by"] == "test"
    assert re.fullmatch("hmac:[0-9a-f]{32}", receipt["user_ref"])
    assert receipt["user_ref"] == shown or how == "stored plain"
    assert receipt["deleted"]["qa_answers"] == 5
    assert (await api.client.get(f"/qa-evaluations/{other['id']}")).status_code == 200
    entries = (await api.client.get("/audit-events", params={"kind": "user"})).json()["items"]
    assert {entry["subject_id"] for entry in entries} == {receipt["user_ref"]}
    assert sum(entry["row_count"] for entry in entries) == receipt["deleted"]["qa_answers"]
    of_each = (await api.client.get("/audit-events", params={"kind": "answer"})).json()["items"]
    assert of_each == []
    assert not (await api.client.get("/audit-events/verification")).json()["changed"]


async def test_answers_and_lists_from_before_another_policy_of_users_go_too(api):
    body = OF_USER | {"user_ref": "고래밥상-17"}
    ids = [(await submit(api, body))["id"]]
    shown = (await api.client.get(f"/qa-evaluations/{ids[0]}")).json()["user_ref"]
    view = {"name": "고래밥상", "filters": {"user_ref": shown}, "order": "newest"}
    assert (await api.client.post("/evaluation-views", json=view)).is_success
    await api.client.put("/settings/evaluation", json={"user_refs": "plain"})
    await submit(api, body)

    receipt = await submit(api, {"user_ref": "고래밥상-17"}, "/user-deletions")

    assert (receipt["user_ref"], receipt["deleted"]["qa_answers"]) == (shown, 2)
    assert await stored_with(api.world, WORDS) == {}


async def test_results_that_have_outlived_their_case_keep_no_text(api):
    id_ = (await submit(api, OF_USER))["id"]
    await judge_once(api.world, id_, settings())
    case = {"evaluation_id": id_, "name": "회귀"}
    added = (await api.client.post("/evaluation/datasets/from-answer", json=case)).json()
    dataset = f"/evaluation/datasets/{added['dataset_id']}"
    await started(api, added["dataset_id"], evaluation_type="full_rag")
    scored = '{"reasoning": "고래밥상의 노트에 있음", "score": 0.9}'
    assert await work(api, "고래밥상은 9시에 엽니다. [노트 1]", scored, scored) == 0
    assert (await api.client.delete(dataset)).status_code == 204
    assert "eval_results" in await stored_with(api.world, WORDS)

    receipt = await submit(api, {"user_ref": USER}, "/user-deletions")

    assert await stored_with(api.world, WORDS) == {}
    assert receipt["deleted"]["eval_results"] == 1


async def test_a_bench_has_no_answer_that_was_deleted_while_it_was_made(api):
    ids = [(await submit(api, body))["id"] for body in (OF_USER, OF_USER | {"user_ref": "lee"})]
    for id_ in ids:
        await judge_once(api.world, id_, settings())
        await api.client.post(f"/qa-evaluations/{id_}/feedback", json={"label": "wrong"})
    (workspace,) = await api.world.rows("SELECT id FROM workspaces WHERE name = 'default'")
    request = BenchRequest("b", ("offline",)).checked(settings(), from_feedback=True)
    async with in_workspace(api.world.sessions, workspace["id"]) as session:
        labelled = await labelled_feedback(session, workspace["id"], request)
        await session.rollback()
        await submit(api, {"user_ref": USER}, "/user-deletions")
        async with session.begin():
            await create_bench(session, workspace["id"], request, labelled, source="feedback")

    assert len(labelled.items) == 2
    kept = await api.world.rows("SELECT ref FROM judge_bench_items")
    assert kept == await api.world.rows("SELECT id::text AS ref FROM qa_answers")


async def test_who_is_unknown_gets_a_receipt_of_nothing(api):
    other = await api.as_token(workspace="other", scopes=["read", "write", "admin"])
    id_ = (await submit(api, OF_USER))["id"]

    receipt = (await other.post("/user-deletions", json={"user_ref": USER})).json()

    assert (receipt["deleted"], receipt["complete"]) == ({}, True)
    assert (await api.client.get(f"/qa-evaluations/{id_}")).status_code == 200


async def test_receipts_count_every_table_that_hangs_on_an_answer(world):
    found = await world.rows(
        "SELECT c.relname AS name, a.attname AS column FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE a.attname IN ('answer_id', 'evaluation_id') AND c.relkind IN ('r', 'p')"
        " AND n.nspname = 'public' AND c.relname NOT IN"
        # Tokens of readers go with their verdict; figures of a day hold ids until they are renewed.
        " ('api_tokens', 'qa_daily_slowest')"
    )
    counted = {*user_deletion.OF_ANSWER, *user_deletion.OF_EVALUATION}
    assert {row["name"] for row in found} == counted
