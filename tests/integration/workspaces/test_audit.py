"""The audit log: who changed what, and that nobody changes the log unnoticed."""

import asyncio
import csv
import io
import json
import uuid
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from api_client import Api, import_notes, keep_prompt, served, token_of
from app.api.audit import AuditEventRead
from app.cli import cli
from app.operations.retention import retention_for
from app.platform.db.session import in_workspace
from app.platform.settings import get_settings
from app.workspaces.audit_queries import INSTALLATION, LOCK_VERIFYING, event_page, verify
from cases import for_each
from run_rows import chunk_ids, stored
from verdict_world import World, settings, store_answers

WEBHOOK = {
    "name": "알림",
    "url": "https://hooks.example.com/services/T0/B0/veryhidden",
    "events": ["verdict.succeeded"],
}
FROM_PROBE = "127.0.0.1 PUT /settings/evaluation probe/1"
# Another one like the fifth, wherever that is now.
FORGED = (
    "INSERT INTO audit_events (workspace_id, actor, via, origin, kind, action, row_count, position,"
    " hash) SELECT workspace_id, actor, via, origin, kind, action, row_count, {} FROM"
    " (SELECT * FROM audit_events ORDER BY position DESC LIMIT 1) fifth"
)
REHASHED = (
    "UPDATE audit_events e SET hash = audit_hash(b.hash, e) FROM audit_events b"
    " WHERE e.position = {} AND b.position = e.position - 1"
)
MOVED = "UPDATE audit_events SET position = position {}"
CUT_OFF = (
    "WITH cut AS (DELETE FROM audit_events e USING audit_heads h WHERE e.position = h.position"
    " AND e.workspace_id = h.workspace_id AND e.kind = 'policy' RETURNING e.*)"
    " UPDATE audit_heads h SET position = b.position, hash = b.hash FROM audit_events b, cut"
    " WHERE b.workspace_id = h.workspace_id AND cut.workspace_id = h.workspace_id"
    " AND b.position = cut.position - 1"
)
NO_TRIGGERS = "set_config('session_replication_role', 'replica', true) <> ''"
ANY = dict.fromkeys(("kind", "actor", "since", "until"))


async def workspace(world: World, name: str = "default") -> uuid.UUID:
    return await world.workspace(name)


async def events(
    world: World, id_: uuid.UUID | None = None, **filters: Any
) -> list[dict[str, Any]]:
    """Oldest first."""
    id_ = id_ or await workspace(world)
    async with world.sessions() as session:
        found = await event_page(session, id_, ANY | filters, after=None, limit=10_000)
    return [dict(row) for row in reversed(found)]


async def checked(world: World, id_: uuid.UUID | None = None) -> dict[str, Any]:
    """What does not fit."""
    id_ = id_ or await workspace(world)
    async with in_workspace(world.sessions, id_) as session:
        found = dict(await verify(session, id_))
    return {name: found[name] for name in ("changed", "missing", "head_differs") if found[name]}


async def change(world: World, times: int = 1, name: str = "n") -> None:
    """One transaction each."""
    id_ = await workspace(world)
    for number in range(times):
        async with in_workspace(world.sessions, id_) as session, session.begin():
            await session.execute(
                text(
                    "INSERT INTO eval_datasets (id, workspace_id, name, version, origin)"
                    " VALUES (:id, :workspace, :name, :version, '{}')"
                ),
                {"id": uuid.uuid4(), "workspace": id_, "name": name, "version": number + 1},
            )


async def test_a_change_says_who_when_where_from_before_and_after(api: Api):
    client = await api.as_token(name="김운영", scopes=["read", "write", "admin"])
    client.headers["user-agent"] = "probe/1"
    await client.put("/settings/evaluation", json={"sample_rate": 0.5})
    await client.put("/settings/evaluation", json={"sample_rate": 0.25})

    (row,) = [e for e in await events(api.world, kind="policy") if e["action"] == "update"]

    assert (row["actor"], row["via"], row["origin"]) == ("김운영", "api", FROM_PROBE)
    assert row["before"] == {"version": 1, "sample_rate": 0.5}
    assert row["after"] == {"version": 2, "sample_rate": 0.25}
    (token,) = await api.world.rows("SELECT id FROM api_tokens WHERE name = '김운영'")
    assert row["actor_id"] == token["id"]
    assert await checked(api.world) == {}


async def test_every_kind_is_in_the_log_and_no_secret_is(api: Api):
    client, world = api.client, api.world
    made = (await client.post("/tokens", json={"name": "t", "scopes": ["read"]})).json()
    rotated = (await client.post(f"/tokens/{made['id']}/rotate")).json()
    hook = (await client.post("/webhooks", json=WEBHOOK)).json()
    await client.patch(f"/webhooks/{hook['id']}", json={"url": WEBHOOK["url"] + "2"})
    await client.delete(f"/webhooks/{hook['id']}")
    await keep_prompt(api)
    dataset = await stored(api, await chunk_ids(api))
    await client.get(f"/evaluation/datasets/{dataset['id']}/export")
    await client.delete(f"/evaluation/datasets/{dataset['id']}")
    await import_notes(api)
    (note,) = (await client.get("/notes")).json()["items"][:1]
    await client.delete(f"/notes/{note['id']}")
    (new, kept) = await store_answers(world, 2)
    label = {"label": "wrong", "comment": "사적인 말", "author": "나"}
    await client.put(f"/qa-evaluations/{new.evaluation_id}/feedback", json=label)
    await client.post(f"/qa-evaluations/{new.evaluation_id}/feedback", json=label)
    await client.delete(f"/answers/{new.answer_id}")
    await world.rows("DELETE FROM qa_answers WHERE id = %s", kept.answer_id)  # as retention does
    await world.rows(
        "INSERT INTO judge_pauses (judge_model, reason, probe_at) VALUES ('a:b', 'unknown', now())"
    )
    await client.post("/judges/a:b/resume")

    found = await events(world)
    seen = {(row["kind"], row["action"]) for row in found}
    assert seen >= {
        *(("token", "insert"), ("token", "update"), ("webhook", "insert"), ("webhook", "update")),
        *(("webhook", "delete"), ("webhook_secret", "insert"), ("prompt", "insert")),
        *(("note", "delete"), ("label", "insert"), ("label", "delete"), ("answer", "delete")),
        *(
            ("dataset", "insert"),
            ("test_case", "insert"),
            ("export", "read"),
            ("dataset", "delete"),
        ),
    }
    shown = {"insert": (False, True), "update": (True, True), "delete": (True, False)}
    # Of texts that are deleted the log keeps nothing, of cases their number.
    without = {"note", "notebook", "answer", "test_case", "export", "webhook_secret"}
    sides = [
        (row["kind"], row["action"], (bool(row["before"]), bool(row["after"])))
        for row in found
        if row["kind"] not in without
    ]
    # Nor of addresses.
    unlike = [each for each in sides if each[2] != shown[each[1]]]
    assert unlike == [("webhook", "update", (False, True))]
    # The last is how the test got its token.
    who = {(row["via"], row["actor"]) for row in found}
    assert who == {("api", "test"), ("database", "postgres")}
    routes = [row["origin"].split()[1:3] for row in found if row["via"] == "api"]
    assert {method for method, _ in routes} == {"GET", "POST", "PATCH", "DELETE"}
    assert {path for _, path in routes} >= {
        *("/tokens", "/tokens/{token_id}/rotate", "/webhooks", "/webhooks/{webhook_id}"),
        *("/notes/{note_id}", "/qa-evaluations/{evaluation_id}/feedback", "/answers/{answer_id}"),
        *(
            "/judge-prompts",
            "/evaluation/datasets",
            "/evaluation/datasets/{dataset_id:uuid}/export",
        ),
    }
    assert [row["subject_id"] for row in found if row["kind"] == "answer"] == [str(new.answer_id)]
    pauses = await events(world, INSTALLATION)
    assert [(row["action"], row["via"]) for row in pauses] == [
        ("insert", "database"),
        ("delete", "api"),
    ]
    (secret,) = {made["token"], hook["secret"]} & {hook["secret"]}
    written = json.dumps(found, default=str, ensure_ascii=False)
    for hidden in (made["token"], rotated["token"], secret, "veryhidden", "사적인 말", "hash\\"):
        assert hidden not in written
    (changed,) = [r for r in found if (r["kind"], r["action"]) == ("webhook", "update")]
    assert changed["after"] == {"url": "changed"}
    assert await checked(world) == await checked(world, INSTALLATION) == {}


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        ("UPDATE audit_events SET actor = 'x' WHERE position = 2", {"changed": [2]}),
        ("UPDATE audit_events SET at = at + interval '1 us' WHERE position = 4", {"changed": [4]}),
        ("UPDATE audit_events SET hash = sha256('x') WHERE position = 3", {"changed": [3, 4]}),
        ("DELETE FROM audit_events WHERE position = 1", {"missing": [[1, 1]]}),
        ("DELETE FROM audit_events WHERE position IN (2, 3)", {"missing": [[2, 3]]}),
        ("DELETE FROM audit_events WHERE position > 3", {"missing": [[4, 5]]}),
        ("DELETE FROM audit_events", {"missing": [[1, 5]]}),
        ("DELETE FROM audit_heads", {"head_differs": True}),
        ("UPDATE audit_heads SET hash = sha256('x')", {"head_differs": True}),
        (FORGED.format("6, sha256('x')"), {"changed": [6], "head_differs": True}),
        # With the hash that it should have.
        (FORGED.format("6, NULL") + "; " + REHASHED.format(6), {"head_differs": True}),
        # Between others, which move on.
        (
            "; ".join(
                (
                    MOVED.format("+ 100 WHERE position > 2"),
                    FORGED.format("3, NULL"),
                    REHASHED.format(3),
                    MOVED.format("- 99 WHERE position > 100"),
                )
            ),
            {"changed": [4, 5, 6], "head_differs": True},
        ),
        # Without the trigger that would chain it.
        (FORGED.format("NULL, NULL") + f" WHERE {NO_TRIGGERS}", {"head_differs": True}),
    ],
)
async def test_a_row_changed_removed_or_added_by_the_owners_role_is_found(world, tampering, found):
    await change(world, 5)
    assert await checked(world) == {}

    for statement in tampering.split(";"):
        await world.rows(statement)

    assert await checked(world) == found
    assert all(event["position"] for event in await events(world))


async def test_the_roles_of_processes_only_read_the_log(world):
    await change(world)
    id_ = await workspace(world)
    for role in ("searchqa_app", "searchqa_worker"):
        for statement in (
            "UPDATE audit_events SET actor = 'x'",
            "DELETE FROM audit_events",
            "INSERT INTO audit_events (workspace_id) VALUES (NULL)",
            "UPDATE audit_heads SET position = 0",
            "TRUNCATE audit_events",
            f"SELECT add_audit_event('{id_}', 'policy', 'update', '', '', 1, NULL, NULL)",
            f"SELECT record_audit_event('{INSTALLATION}', 'export', '', NULL)",
        ):
            async with world.sessions() as session:
                await session.execute(text(f"SET LOCAL ROLE {role}"))
                with pytest.raises(Exception, match=r"permission denied|no event of this kind"):
                    await session.execute(text(statement))


async def test_many_writers_at_once_make_one_chain(world):
    """Also of two who hold what the other one wants next."""
    await asyncio.gather(*(change(world, 20, f"writer {number}") for number in range(8)))

    positions = [row["position"] for row in await events(world)]
    assert positions == list(range(1, 161))
    assert await checked(world) == {}


async def test_a_change_that_is_rolled_back_leaves_no_gap(world):
    await change(world)
    id_ = await workspace(world)
    async with in_workspace(world.sessions, id_) as session:
        await session.execute(text("UPDATE eval_datasets SET name = 'other'"))
        await session.rollback()
    await change(world, name="next")
    assert [row["position"] for row in await events(world)] == [1, 2]


async def test_a_thousand_rows_in_a_statement_are_one_event_and_in_a_transaction_are_chained(world):
    await change(world)
    id_ = await workspace(world)
    await world.rows(
        "INSERT INTO eval_test_cases (id, workspace_id, dataset_id, position, question, lang,"
        " ground_truth_chunk_ids) SELECT gen_random_uuid(), workspace_id, id, n, 'q', 'ko', '{}'"
        " FROM eval_datasets, generate_series(1, 1000) n"
    )
    async with in_workspace(world.sessions, id_) as session, session.begin():
        for number in range(1000):
            await session.execute(
                text("UPDATE eval_datasets SET version = :number"), {"number": number + 2}
            )
    found = await events(world)
    assert (found[1]["kind"], found[1]["row_count"]) == ("test_case", 1000)
    assert len(found) == 1002
    assert await checked(world) == {}


async def test_retention_keeps_an_anchor_and_the_newer_events(world):
    await change(world, 3)
    # As if they were older: with the hashes that they would have.
    await world.rows("UPDATE audit_events SET at = at - interval '60 days'")
    await world.rows(
        "WITH RECURSIVE chain AS (SELECT position, audit_hash(NULL, e) AS hash FROM audit_events e"
        " WHERE position = 1 UNION ALL SELECT e.position, audit_hash(c.hash, e) FROM chain c"
        " JOIN audit_events e ON e.position = c.position + 1), u AS (UPDATE audit_events e"
        " SET hash = c.hash FROM chain c WHERE c.position = e.position)"
        " UPDATE audit_heads SET hash = (SELECT hash FROM chain WHERE position = 3)"
    )
    await change(world, 2, "young")
    assert await checked(world) == {}
    retention = retention_for("audit", world.pool, settings(keep_audit_days=30), batch=2)
    assert await retention.due() == {"audit_events": 3}
    assert await retention.delete_all() == {"audit_events": 3}

    assert [row["position"] for row in await events(world)] == [4, 5]
    assert await checked(world) == {}
    await world.rows("DELETE FROM audit_events WHERE position = 4")
    assert await checked(world) == {"missing": [[4, 4]]}


async def test_a_name_without_an_actor_is_the_login(world):
    id_ = await workspace(world)
    async with await psycopg.AsyncConnection.connect(
        world.url, autocommit=True, application_name="psql"
    ) as connection:
        await connection.execute(
            "INSERT INTO evaluation_policies (workspace_id) VALUES (%s)", [id_]
        )
    (row,) = await events(world)
    assert (row["via"], row["origin"].split()[-1]) == ("database", "psql")


async def test_a_command_on_the_server_names_the_account(world, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", world.url)
    monkeypatch.setenv("LOGNAME", "kim")
    get_settings.cache_clear()
    ran = await asyncio.to_thread(CliRunner().invoke, cli, ["token", "create", "보고서"])
    assert ran.exit_code == 0, ran.output

    (row,) = await events(world, kind="token")
    who = (row["actor"], row["via"], row["origin"])
    assert who == ("kim", "cli", "searchqa token create")
    assert row["after"]["scopes"] == ["admin", "read", "write"]
    assert ran.stdout.strip() not in str(row)


async def test_a_command_that_calls_the_api_names_itself_and_the_account(api: Api, monkeypatch):
    async with served(api) as url:
        monkeypatch.setenv("SEARCHQA_URL", url)
        monkeypatch.setenv("SEARCHQA_TOKEN", token_of(api))
        monkeypatch.setenv("LOGNAME", "김")
        get_settings.cache_clear()
        words = ["policy", "set", "sample_rate=0.5"]
        ran = await asyncio.to_thread(CliRunner().invoke, cli, words)
        assert ran.exit_code == 0, ran.output

    (row,) = await events(api.world, kind="policy")
    assert row["origin"] == "127.0.0.1 PUT /settings/evaluation searchqa policy set (?)"
    assert (row["via"], row["after"]["sample_rate"]) == ("api", 0.5)


async def test_the_api_lists_filters_exports_and_verifies(api: Api):
    client = await api.as_token(name="=관리", scopes=["read", "admin"])
    for rate in (0.1, 0.2, 0.3):
        await client.put("/settings/evaluation", json={"sample_rate": rate})
    first = (await client.get("/audit-events?kind=policy&limit=2")).json()
    rest = (await client.get(f"/audit-events?kind=policy&limit=2&after={first['next']}")).json()
    assert [row["after"]["sample_rate"] for row in first["items"] + rest["items"]] == [
        0.3,
        0.2,
        0.1,
    ]
    assert rest["next"] is None
    assert (await client.get("/audit-events?actor=nobody")).json()["items"] == []
    assert (await client.get("/audit-events?until=2001-01-01T00:00Z")).json()["items"] == []

    exported = await client.get("/audit-events/export?format=csv&kind=policy")
    header, *lines = list(csv.reader(io.StringIO(exported.text.lstrip("\ufeff"))))
    assert header == list(AuditEventRead.model_fields)
    assert [line[2] for line in lines] == ["'=관리"] * 3
    lines = (await client.get("/audit-events/export?format=jsonl")).text.splitlines()
    kinds = [(json.loads(line)["kind"], json.loads(line)["subject"]) for line in lines]
    assert kinds[:2] == [("export", "audit"), ("export", "audit")]
    await client.get("/qa-evaluations/export?user_ref=kim&confidence=low")
    (newest,) = (await client.get("/audit-events?limit=1")).json()["items"]
    assert (newest["subject"], newest["after"]) == ("verdicts", {"confidence": "low"})

    found = (await client.get("/audit-events/verification?noted=1")).json()
    assert (found["whole"], found["changed"], found["position"]) == (True, [], newest["position"])
    assert found["hash"] == newest["hash"] != found["noted_hash"]


async def test_a_log_is_verified_once_at_a_time(api: Api):
    """A verification takes a connection of all workspaces for minutes."""
    other = await api.as_token(workspace="other", scopes=["admin"])
    here = (await api.client.get("/whoami")).json()["workspace"]
    (row,) = await api.world.rows("SELECT id FROM workspaces WHERE name = %s", here)
    async with api.world.sessions.begin() as session:
        await session.execute(LOCK_VERIFYING, {"workspace_id": str(row["id"])})
        refused = await api.client.get("/audit-events/verification")
        assert refused.status_code == 409, refused.text
        assert (await other.get("/audit-events/verification")).status_code == 200
    assert (await api.client.get("/audit-events/verification")).status_code == 200


@for_each("path", ["", "/export", "/verification"])
async def test_others_see_nothing_of_the_log(api: Api, path):
    await api.client.put("/settings/evaluation", json={"sample_rate": 0.5})
    writer = await api.as_token(scopes=["read", "write"])
    other = await api.as_token(workspace="other", scopes=["read", "write", "admin"])
    assert (await writer.get(f"/audit-events{path}")).status_code == 403
    assert (await other.get(f"/audit-events{path}?installation=true")).status_code == 403
    assert "sample_rate" not in (await other.get(f"/audit-events{path}")).text
    operator = await api.as_token(scopes=["admin", "operator"])
    assert (await operator.get(f"/audit-events{path}?installation=true")).status_code == 200


async def test_a_noted_entry_proves_that_the_log_was_not_rewritten(api: Api, monkeypatch):
    await api.client.put("/settings/evaluation", json={"sample_rate": 0.5})
    async with served(api) as url:
        monkeypatch.setenv("SEARCHQA_URL", url)
        monkeypatch.setenv("SEARCHQA_TOKEN", token_of(api))
        get_settings.cache_clear()

        async def run(*arguments: str) -> tuple[int, str]:
            ran = await asyncio.to_thread(CliRunner().invoke, cli, ["audit", *arguments])
            return ran.exit_code, ran.output

        _, said = await run("verify")
        noted = said.rsplit(maxsplit=1)[-1]
        assert (await run("verify", "--expect", noted))[0] == 0
        position, _, digest = noted.partition(":")
        assert await run("verify", "--expect", f"{position}:{digest[::-1]}") == (
            1,
            "The log is not intact.\n",
        )
        assert (await run("verify", "--expect", "1"))[0] == 2
        # Cut off, with the head: the chain is whole, and shorter than what was noted.
        await api.client.put("/settings/evaluation", json={"sample_rate": 0.25})
        newest = (await run("verify"))[1].rsplit(maxsplit=1)[-1]
        await api.world.rows(CUT_OFF)
        assert (await run("verify"))[0] == (await run("verify", "--expect", noted))[0] == 0
        assert (await run("verify", "--expect", newest))[0] == 1
        await api.world.rows("DELETE FROM audit_events WHERE position = 1")
        code, said = await run("verify")
        assert (code, said.splitlines()[0]) == (1, "Entries 1 to 1 are missing.")
        code, said = await run("list", "--where", "kind=policy")
        assert (code, "sample_rate" in said) == (0, True)
