"""Each version of PostgreSQL that is installed: the embedded one, Debian's, and that of
TEST_POSTGRES_BIN."""

from pathlib import Path

import psycopg
import pytest

from api_client import NOTES, QUESTION, open_api
from app.notes.vectors import NO_PGVECTOR
from app.platform.db.address import is_newest
from app.platform.db.backup import back_up, read_backup
from app.platform.db.migrate import migrate
from app.platform.db.restore import restore
from app.platform.errors import SetupError
from postgres_server import PostgresServer, installed, new_server
from servers import database_url, redis_server
from verdict_world import open_world, verdict


@pytest.mark.parametrize("programs", installed(), ids=lambda path: str(path).strip("/"))
async def test_an_answer_is_judged_and_every_named_query_runs(programs, new_folder):
    with (
        new_server(programs, new_folder) as server,
        redis_server(new_folder.with_name(f"{new_folder.name}-redis")) as redis_url,
    ):
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE searchqa")
            vectors = connection.execute(
                "SELECT FROM pg_available_extensions WHERE name = 'vector'"
            ).rowcount
        url = database_url(server.url, "searchqa")
        migrate(url)
        assert is_newest(url)

        async with open_world(url) as world:
            async with open_api(world, redis_url) as api:
                imported = await api.client.post("/notes/import", json=NOTES)
                assert imported.status_code == 200, imported.text
                asked = (await api.client.post("/ai/chat", json=QUESTION)).json()
                await api.judge_next(verdict())
                path = f"/qa-evaluations/{asked['quality']['evaluation_id']}"
                assert (await api.client.get(path)).json()["status"] == "succeeded"
                for query in (await api.client.get("/analytics")).json()["queries"]:
                    found = await api.client.get(f"/analytics/{query['name']}")
                    assert found.status_code == 200, found.text
            if not vectors:
                with pytest.raises(SetupError, match=NO_PGVECTOR.split()[0]):
                    async with open_api(world, redis_url, embedding_model="ollama:bge-m3"):
                        pass
        check_a_restored_backup(server, url, new_folder.with_name(f"{new_folder.name}.dump"))


def check_a_restored_backup(server: PostgresServer, url: str, file: Path) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    restored = database_url(server.url, "restored")
    back_up(url, file)
    restore(restored, read_backup(file), lambda _: None)
    with psycopg.connect(restored) as connection:
        statuses = connection.execute("SELECT status FROM qa_evaluations").fetchall()
    assert statuses == [("succeeded",)]
