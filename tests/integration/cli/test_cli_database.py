"""Commands that work on the database themselves, against a real one."""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.cli import checks, postgres_checks
from app.cli.checks import Finding, State
from app.cli.demo import summaries
from app.cli.stack import in_database
from app.cli.token import login_link
from app.platform.settings import Settings, get_settings
from app.workspaces.service import Principal, authenticate, redeem_login_code
from app.workspaces.tokens import ALL_SCOPES, Scope, short_lived_token


@pytest.fixture
def address(
    clean_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", clean_database_url)
    get_settings.cache_clear()
    yield clean_database_url
    get_settings.cache_clear()


def test_a_rotated_token_opens_beside_the_new_one_for_a_time(address, run_cli):
    old = run_cli("token", "create", "reports", "--scope", "read", "--expires", "30d").out.strip()
    (row,) = json.loads(run_cli("token", "list", "--json").out)

    rotated = run_cli("token", "rotate", row["id"], "--overlap", "2d", "--json")

    made = json.loads(rotated.out)
    for token in (old, made["token"]):
        principal = in_database(address, lambda session, token=token: authenticate(session, token))
        assert (principal.name, principal.scopes) == ("reports", {"read"})
    ends = {
        row["id"]: row["expires_at"] for row in json.loads(run_cli("token", "list", "--json").out)
    }
    assert len(ends) == 2
    for id_, days in ((row["id"], 2), (made["id"], 30)):
        left = dt.datetime.fromisoformat(ends[id_]) - dt.datetime.now(dt.UTC)
        assert dt.timedelta(days=days, hours=-1) < left <= dt.timedelta(days=days)

    short = run_cli("token", "rotate", row["id"], "--overlap", "30m")
    assert short.code != 0
    assert "an hour at least" in short.err
    unknown = run_cli("token", "rotate", made["id"].replace("-7", "-8"))
    assert "There is no such token" in unknown.err


def test_a_token_opens_until_it_is_revoked(address, run_cli):
    made = run_cli("token", "create", "reports", "--scope", "read", "--expires", "30d")
    token = made.out.strip()
    assert made.code == 0
    assert "not shown again" in made.err
    principal = in_database(address, lambda session: authenticate(session, token))
    assert principal.scopes == {"read"}

    (row,) = json.loads(run_cli("token", "list", "--json").out)
    assert (row["name"], row["state"], row["scopes"]) == ("reports", "valid", ["read"])
    lifetime = dt.datetime.fromisoformat(row["expires_at"]) - dt.datetime.now(dt.UTC)
    assert dt.timedelta(days=29, hours=23) < lifetime <= dt.timedelta(days=30)
    assert token not in run_cli("token", "list").out

    assert run_cli("token", "revoke", row["id"]).code == 0
    assert json.loads(run_cli("token", "list", "--json").out)[0]["state"] == "revoked"
    again = run_cli("token", "revoke", row["id"])
    assert again.code == 1
    assert again.err.startswith("searchqa: There is no such token")


def test_a_workspace_that_is_only_asked_about_does_not_come_to_be(address, run_cli):
    assert json.loads(run_cli("token", "list", "--workspace", "typo", "--json").out) == []
    assert run_cli("token", "revoke", "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11").code == 1
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM workspaces").fetchone() == (0,)


def test_a_token_for_scripts_comes_as_json(address, run_cli):
    made = json.loads(run_cli("token", "create", "app", "--workspace", "team", "--json").out)
    assert made["scopes"] == ["admin", "read", "write"]
    assert made["expires_at"] is None
    assert run_cli("token", "list").out.count("app") == 0
    assert "app" in run_cli("token", "list", "--workspace", "team").out


def test_a_bad_lifetime_makes_no_token(address, run_cli):
    assert run_cli("token", "create", "app", "--expires", "soon").code == 1
    assert json.loads(run_cli("token", "list", "--json").out) == []


def test_a_login_link_names_who_logs_in(address, run_cli, monkeypatch):
    monkeypatch.setenv("SEARCHQA_PUBLIC_URL", "https://qa.example")

    def opened(*arguments: str) -> Principal:
        code = run_cli("login", *arguments).out.strip().rpartition("=")[2]
        token = in_database(address, lambda session: redeem_login_code(session, code))
        return in_database(address, lambda session: authenticate(session, token))

    def name_of(*arguments: str) -> str:
        return opened(*arguments).name

    assert name_of() == "browser session"
    assert name_of("--name", " mina ") == "mina"
    assert Scope.OPERATOR not in opened().scopes
    assert Scope.OPERATOR in opened("--operator").scopes
    nameless = run_cli("login", "--name", " ")
    assert nameless.code != 0
    assert "1 to 100 characters" in nameless.err


def test_a_login_link_works_once(address, run_cli, monkeypatch):
    monkeypatch.setenv("SEARCHQA_PUBLIC_URL", "https://qa.example")
    link = run_cli("login").out.strip()
    prefix = "https://qa.example/login?code="
    assert link.startswith(prefix)
    code = link.removeprefix(prefix)
    assert in_database(address, lambda session: redeem_login_code(session, code))
    assert login_link(address, "http://127.0.0.1:1/").startswith("http://127.0.0.1:1/login?code=")


def test_the_token_of_a_command_is_short_lived_and_not_listed(address, run_cli):
    token = short_lived_token(address)
    assert in_database(address, lambda session: authenticate(session, token)).scopes == ALL_SCOPES
    assert json.loads(run_cli("token", "list", "--json").out) == []
    with psycopg.connect(address) as connection:
        (left,) = connection.execute("SELECT expires_at - now() FROM api_tokens").fetchone() or ()
    assert dt.timedelta(minutes=14) < left <= dt.timedelta(minutes=15)


def test_migrating_what_is_migrated_changes_nothing(address, run_cli):
    assert run_cli("migrate").code == 0


def test_the_summaries_of_an_empty_database(address):
    with psycopg.connect(address) as connection:
        for _, statement in summaries():
            connection.execute(statement)


def _found(findings: Iterator[Finding]) -> dict[str, Finding]:
    return {finding.about: finding for finding in findings}


def test_a_healthy_database(address):
    found = _found(postgres_checks.postgres(address, Settings()))
    assert {found[about].state for about in found if about != "Vectors"} == {State.OK}
    assert set(found) == {
        *("PostgreSQL", "Migrations", "Vectors", "Partitions", "Dispatcher", "Queue")
    }


def test_a_schema_that_is_behind_is_broken(address):
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    migrations = _found(postgres_checks.postgres(address, Settings()))["Migrations"]
    assert (migrations.state, migrations.mend) == (State.BROKEN, "searchqa migrate")
    assert "0000" in migrations.detail


def test_a_database_without_tables_is_broken(address):
    with psycopg.connect(address) as connection:
        connection.execute("DROP TABLE alembic_version")
    found = _found(postgres_checks.postgres(address, Settings()))
    assert found["Migrations"].detail.startswith("none applied")


_ONE_VECTOR = """
WITH w AS (INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'w') RETURNING id),
b AS (INSERT INTO notebooks (id, workspace_id, name)
      SELECT gen_random_uuid(), w.id, 'b' FROM w RETURNING id, workspace_id),
n AS (INSERT INTO notes (id, workspace_id, notebook_id, source_key, title, content_text,
                         content_hash, lang, tags)
      SELECT gen_random_uuid(), workspace_id, id, 'n', 'n', '', '', 'ko', '{}' FROM b RETURNING *)
INSERT INTO note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms, length)
SELECT gen_random_uuid(), workspace_id, notebook_id, id, 0, '', '', 0 FROM n;
INSERT INTO note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
SELECT id, workspace_id, notebook_id, 'openai:m', 2, '[1,0]' FROM note_chunks
"""


def test_a_missing_index_of_vectors_is_found_and_made(address, run_cli, monkeypatch):
    without = run_cli("vectors", "list")
    assert (without.code, "SEARCHQA_EMBEDDING_MODEL" in without.err) == (1, True)
    monkeypatch.setenv("SEARCHQA_EMBEDDING_MODEL", "openai:m")
    monkeypatch.setenv("SEARCHQA_VECTOR_INDEX_FROM", "1")
    get_settings.cache_clear()
    with psycopg.connect(address) as connection:
        connection.execute(_ONE_VECTOR)
    lacking = _found(postgres_checks.postgres(address, get_settings()))["Vector indexes"]
    assert (lacking.state, "searchqa vectors index" in lacking.mend) == (State.NOTE, True)
    [row] = json.loads(run_cli("vectors", "list", "--json").out)
    assert (row["dimensions"], row["ready"], row["bytes"]) == (2, False, 0)

    assert "1 indexes made, 0 dropped." in run_cli("vectors", "index").out

    [row] = json.loads(run_cli("vectors", "list", "--json").out)
    assert row["ready"]
    assert "ready" in run_cli("vectors", "list").out
    found = _found(postgres_checks.postgres(address, get_settings()))["Vector indexes"]
    assert found.state is State.OK
    with psycopg.connect(address) as connection:
        connection.execute("DELETE FROM notes")
    assert "0 indexes made, 1 dropped." in run_cli("vectors", "index").out


_OVERDUE = """
WITH w AS (INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'w') RETURNING id),
a AS (INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin)
      SELECT gen_random_uuid(), w.id, 'q', 'a', 'en', 'search_qa', 'chat' FROM w
      RETURNING id, workspace_id)
INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, evaluators, judge_model,
                            status, run_at, enqueued_at)
SELECT gen_random_uuid(), a.workspace_id, a.id, 'k', '{{search_qa}}', 'openai:gpt-4o-mini',
       'queued', now() - interval '1 hour', {enqueued_at} FROM a
"""


@pytest.mark.parametrize(
    ("enqueued_at", "broken"), [("NULL", {"Dispatcher", "Queue"}), ("now()", {"Queue"})]
)
def test_verdicts_that_wait_tell_who_is_away(address, enqueued_at, broken):
    with psycopg.connect(address) as connection:
        connection.execute(_OVERDUE.format(enqueued_at=enqueued_at).encode())
    found = _found(postgres_checks.postgres(address, Settings()))
    assert {f.about for f in found.values() if f.state is State.BROKEN} == broken
    assert "1 verdicts wait" in found["Queue"].detail


def test_a_paused_judge_is_named_with_its_reason_and_its_rows_are_not_overdue(address):
    with psycopg.connect(address) as connection:
        connection.execute(_OVERDUE.format(enqueued_at="NULL").encode())
        connection.execute(
            "INSERT INTO judge_pauses (judge_model, reason, probe_at)"
            " VALUES ('openai:gpt-4o-mini', 'invalid_api_key', now())"
        )
        connection.execute(
            "INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'laboratory')"
        )
        connection.execute(
            "INSERT INTO evaluation_policies (workspace_id, judge_model, version)"
            " SELECT id, 'openai:gpt-4o-mini', 1 FROM workspaces WHERE name = 'laboratory'"
        )
    found = _found(postgres_checks.postgres(address, Settings()))
    assert "OPENAI_API_KEY" in str(found["Judge model of laboratory"].mend)
    assert "refuses the key" in found["Paused judge"].detail
    assert "searchqa api POST /judges/openai%3Agpt-4o-mini/resume" in found["Paused judge"].mend
    assert (found["Dispatcher"].state, found["Queue"].state) == (State.OK, State.OK)


def test_redis_and_workers(redis_url):
    assert checks.redis(redis_url).state is State.OK
    workers = checks.workers(redis_url, Settings())
    assert (workers.state, workers.detail) == (State.BROKEN, "none answers")


def test_doctor_says_what_is_broken_and_hides_the_password(address, run_cli, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://:hidden-secret@127.0.0.1:1/0")
    monkeypatch.setenv("SEARCHQA_JUDGE_MODEL", "openai:gpt-4o-mini")
    ended = run_cli("doctor", "--json")
    assert ended.code == 1
    assert "hidden-secret" not in ended.out + ended.err
    broken = {f["about"]: f for f in json.loads(ended.out) if f["state"] == "broken"}
    assert set(broken) == {"Judge model", "Redis", "Workers"}
    assert "OPENAI_API_KEY" in broken["Judge model"]["mend"]
    assert all(finding["mend"] for finding in broken.values())
    assert "3 to fix" in run_cli("doctor").out


def test_partitions_are_listed_and_added(address, run_cli):
    listed = json.loads(run_cli("partitions", "list", "--json").out)
    assert {"table", "month", "rows", "bytes"} == set(listed[0])
    assert f"{dt.datetime.now(dt.UTC):%Y-%m}" in run_cli("partitions", "list").out
    assert run_cli("partitions", "add").out == "0 partitions added.\n"
    added = run_cli("partitions", "add", "--month", "2025-03")
    assert added.out == f"{len({each['table'] for each in listed})} partitions added.\n"
    assert "2025-03" in {
        each["month"] for each in json.loads(run_cli("partitions", "list", "--json").out)
    }
    wrong = run_cli("partitions", "add", "--month", "2025")
    assert wrong.code == 2
    assert "does not match the format" in wrong.err
