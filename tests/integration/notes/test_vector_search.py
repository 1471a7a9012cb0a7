"""Notes found by meaning: vectors made by a job, fused with full text, never in the way."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from api_client import Api, open_api
from app.ai_router.router import MAX_TEXTS, Providers
from app.answering.context import Context, search_notes
from app.notes import vectors
from app.notes.embedding import Coverage, coverage, embed_notes
from app.notes.importers import ImportedNote
from app.notes.service import import_notes
from app.notes.vectors import vector_search
from app.platform.db.session import create_engine, create_sessions, in_workspace
from app.platform.errors import ConfigurationError, TransientProviderError
from app.platform.jobs.job import NoLongerHeld
from app.platform.settings import Settings
from app.text.packs.loader import load_pack
from app.workspaces.service import ensure_workspace
from cases import eventually
from stub_server import StubServer, embed, hang, html, status
from verdict_world import World, imported_note, settings
from worker.periodic import repeat, start_embedding

pytestmark = pytest.mark.usefixtures("pgvector")

MODEL = "openai:stub"
WORDS = (("배양기", "인큐베이터"), ("원심분리", "회전"))


def meaning(text: str) -> list[float]:
    """A direction for each group of words, and one for all that has none of them."""
    about = [float(any(word in text for word in group)) for group in WORDS]
    return [*about, float(not any(about))]


INCUBATOR = imported_note("배양기는 37도로 맞춘다.", title="세포 배양")
CENTRIFUGE = imported_note("원심분리 1만 g, 10분.", title="시료 준비")
REPLACED = imported_note("배양기는 39도.", title="세포 배양")
TRAVEL = imported_note("출장비 정산은 월말까지.", title="총무")


@dataclass
class Place:
    """A workspace and an embedding server that the test scripts."""

    world: World
    workspace_id: uuid.UUID
    stub: StubServer
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        given = {"embedding_model": MODEL, "openai_base_url": self.stub.base_url, "max_attempts": 2}
        # On a busy machine a search would go on without vectors.
        return settings(**given | {"embedding_deadline": 30} | self.changes)

    async def import_(self, *notes: ImportedNote) -> None:
        await import_notes(
            self.world.sessions, self.workspace_id, notes, notebook="n", embed_by=MODEL
        )

    async def work(self) -> None:
        """Does the next job as a worker does. Raises what the handler raises."""
        (row,) = await self.jobs("queued", "retrying")
        (job,) = await self.world.jobs.claim([row["id"]], ["embed"], 1)
        async with Providers(self.settings) as providers:
            context = self.world.job_context(job, self.settings, providers)
            try:
                await embed_notes(job, context)
            except TransientProviderError as error:
                await self.world.jobs.retry(job, str(error), 0)
                raise
            except ConfigurationError as error:
                await self.world.jobs.fail(job, str(error))
                raise
            assert await self.world.jobs.finish(job)

    async def embed(self, *notes: ImportedNote) -> None:
        await self.import_(*notes)
        await self.work()

    async def started(self, model: str) -> int:
        """How many jobs the dispatcher's round adds."""
        before = await self.world.rows("SELECT id FROM jobs")
        await start_embedding(self.world.pool, self.world.jobs, model)
        return len(await self.world.rows("SELECT id FROM jobs")) - len(before)

    async def jobs(self, *statuses: str) -> list[dict[str, Any]]:
        return await self.world.rows("SELECT * FROM jobs WHERE status = ANY(%s)", list(statuses))

    async def coverage(self, model: str = MODEL) -> Coverage:
        async with self.world.sessions() as session:
            return await coverage(session, self.workspace_id, model)

    async def ask(self, question: str, **options: Any) -> Context:
        async with Providers(self.settings) as providers:
            return await search_notes(
                self.world.sessions,
                load_pack("generic"),
                self.workspace_id,
                question,
                **options,
                vectors=vector_search(providers, self.settings),
            )


def titles(found: Context) -> list[str]:
    return [source.title for source in found.sources]


def texts(stub: StubServer) -> list[str]:
    return [text for request in stub.requests for text in request.json["input"]]


@pytest.fixture
async def place(world: World) -> AsyncIterator[Place]:
    workspace_id = await world.workspace()
    async with StubServer(embed(meaning)) as stub:
        yield Place(world, workspace_id, stub)


class TestSearching:
    async def test_a_note_is_found_without_any_shared_word(self, place):
        await place.embed(INCUBATOR, CENTRIFUGE, TRAVEL)

        found = await place.ask("인큐베이터?")

        assert titles(found) == ["세포 배양"]
        assert found.method == "contextual"
        assert "vector_search_success" in found.events
        assert found.evidence[0].quoted_text == "배양기는 37도로 맞춘다."
        place.changes = {"embedding_model": None}
        assert titles(await place.ask("인큐베이터?")) == []

    async def test_words_and_meaning_count_together(self, place):
        await place.import_(
            imported_note("월말 회의에서 인큐베이터 청소 당번을 정했다.", title="회의"),
            imported_note("인큐베이터 점검 월말", title="점검"),
            INCUBATOR,
        )
        await place.work()

        found = titles(await place.ask("인큐베이터 회의"))

        assert found == ["회의", "점검", "세포 배양"], "both rankings have the first two"

    async def test_what_is_far_from_the_question_is_not_found(self, place):
        await place.embed(CENTRIFUGE, TRAVEL)

        found = await place.ask("인큐베이터?")

        assert titles(found) == []
        assert "vector_search_no_result" in found.events

    @pytest.mark.parametrize(
        ("trouble", "event"),
        [
            (one, "unavailable")
            for one in (status(500), status(401), hang(), html(), embed(lambda _: []))
        ]
        + [(embed(lambda _: [1.0, 0.0]), "no_result")],
    )
    async def test_no_vector_or_one_of_another_length_leaves_full_text(self, place, trouble, event):
        await place.embed(INCUBATOR)
        place.stub.default = trouble
        place.changes = {"embedding_deadline": 0.5}

        found = await place.ask("배양기는 몇 도?")

        assert titles(found) == ["세포 배양"]
        assert f"vector_search_{event}" in found.events

    async def test_a_database_that_takes_too_long_leaves_full_text(self, place):
        await place.embed(INCUBATOR)
        async with place.world.pool.connection() as holder:
            await holder.execute("BEGIN")
            await holder.execute("LOCK TABLE note_embeddings")
            found = await place.ask("배양기는 몇 도?")
            await holder.execute("ROLLBACK")

        assert titles(found) == ["세포 배양"]
        assert "vector_search_unavailable" in found.events

    async def test_no_transaction_is_open_while_the_model_is_asked(self, place):
        place.stub.default = hang()
        category = {"major_category": "looked up first"}
        asking = asyncio.create_task(place.ask("인큐베이터?", classification=category))
        await place.stub.until_in_flight(1)
        # Words are looked for meanwhile.
        await eventually(partial(no_transaction_is_open, place.world))
        asking.cancel()

    async def test_many_searches_share_few_connections(self, place):
        """None holds a connection while it waits for another one."""
        await place.embed(INCUBATOR)
        engine = create_engine(place.world.url, pool_size=1)
        place.world = replace(place.world, sessions=create_sessions(engine))

        found = await asyncio.gather(*(place.ask("인큐베이터?") for _ in range(8)))
        await engine.dispose()

        assert [titles(each) for each in found] == [["세포 배양"]] * 8

    async def test_another_workspace_is_not_searched(self, place):
        await place.embed(INCUBATOR)
        async with place.world.sessions.begin() as session:
            place.workspace_id = await ensure_workspace(session, "other")

        assert titles(await place.ask("인큐베이터?")) == []


async def no_transaction_is_open(world: World) -> bool:
    return not await world.rows(
        "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
        " AND state = 'idle in transaction'"
    )


def numbered_notes(count: int) -> Sequence[ImportedNote]:
    return [imported_note(f"배양기 {n}", title=f"노트 {n}") for n in range(count)]


class TestTheJob:
    async def test_all_chunks_get_a_vector_and_progress_is_reported(self, place):
        await place.import_(*numbered_notes(MAX_TEXTS + 5))
        assert (await place.coverage()).embedded == 0

        await place.work()

        assert await place.coverage() == Coverage(MODEL, MAX_TEXTS + 5, MAX_TEXTS + 5, 0)
        [job] = await place.jobs("succeeded")
        assert (job["done"], job["total"]) == (MAX_TEXTS + 5, MAX_TEXTS + 5)
        assert [len(request.json["input"]) for request in place.stub.requests] == [MAX_TEXTS, 5]
        assert texts(place.stub)[0] == "노트 0\n배양기 0"

    async def test_an_import_puts_one_in_and_another_adds_none(self, place):
        await place.import_(INCUBATOR)
        await place.import_(TRAVEL)
        await place.import_(TRAVEL)

        assert [job["dedupe_key"] for job in await place.jobs("queued")] == [f"embed:{MODEL}"]

    async def test_only_what_has_changed_is_embedded_again(self, place):
        await place.embed(INCUBATOR, CENTRIFUGE)
        place.stub.requests.clear()

        changed = imported_note("배양기는 39도로 맞춘다.", title="세포 배양")
        await place.embed(changed, CENTRIFUGE)

        assert texts(place.stub) == ["세포 배양\n배양기는 39도로 맞춘다."]
        assert (await place.coverage()).complete

    async def test_after_a_failure_it_goes_on_where_it_was(self, place):
        await place.import_(*numbered_notes(MAX_TEXTS + 5))
        place.stub.script(embed(meaning), status(503))
        with pytest.raises(TransientProviderError):
            await place.work()
        assert (await place.coverage()).embedded == MAX_TEXTS

        await place.work()

        assert (await place.coverage()).complete
        assert place.stub.count == 3

    @pytest.mark.parametrize(("note", "count"), [(TRAVEL, 2), (REPLACED, 1)])
    async def test_notes_imported_or_replaced_meanwhile_are_embedded_too(self, place, note, count):
        await place.import_(INCUBATOR)
        answer = embed(meaning)

        async def import_meanwhile(exchange: Any) -> None:
            await place.import_(note)
            await answer(exchange)

        place.stub.script(import_meanwhile)
        await place.work()

        assert await place.coverage() == Coverage(MODEL, count, count, 0)
        assert texts(place.stub)[-1].endswith(note.content_text)

    async def test_a_cancelled_job_stops_at_the_next_batch(self, place):
        await place.import_(*numbered_notes(MAX_TEXTS + 5))
        answer = embed(meaning)

        async def cancel_meanwhile(exchange: Any) -> None:
            await place.world.rows("UPDATE jobs SET status = 'cancelled', finished_at = now()")
            await answer(exchange)

        place.stub.script(cancel_meanwhile)
        with pytest.raises(NoLongerHeld):
            await place.work()
        assert (await place.coverage()).embedded == 0
        assert place.stub.count == 1

    async def test_a_text_that_the_model_refuses_does_not_hold_the_others_up(self, place):
        await place.import_(*numbered_notes(6), imported_note("너무 긴 글", title="긴"))
        accept = embed(meaning)

        async def refuse_long(exchange: Any) -> None:
            if any("긴" in text for text in exchange.request.json["input"]):
                error = {"error": {"message": "exceeds the maximum context length"}}
                await status(400, error)(exchange)
            else:
                await accept(exchange)

        place.stub.default = refuse_long
        await place.work()

        assert await place.coverage() == Coverage(MODEL, 7, 6, 1)
        assert await place.started(MODEL) == 0, "it is not asked again"

    async def test_a_model_that_is_configured_no_more_costs_nothing(self, place):
        await place.import_(INCUBATOR)
        place.changes = {"embedding_model": "openai:other"}

        await place.work()

        assert place.stub.count == 0


# A note of a thousand chunks that have vectors.
_EMBEDDED = """
WITH chunks AS (
    INSERT INTO note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms,
                             length)
    SELECT gen_random_uuid(), workspace_id, notebook_id, id, n, 'text', '', 1
    FROM (SELECT * FROM notes ORDER BY id LIMIT 1) AS note, generate_series(100, 1099) AS n
    RETURNING *
)
SELECT id FROM chunks
"""
_OF_MODEL = """
INSERT INTO note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
SELECT id, workspace_id, notebook_id, %s, 2, '[1,2]' FROM note_chunks
ON CONFLICT DO NOTHING
"""


class TestTheQueue:
    async def read(self, place: Place) -> int:
        """Pages that the statements read which find and count what lacks, of the dispatcher and of
        the job."""
        given: dict[str, Any] = {"workspace_id": place.workspace_id, "model": MODEL, "limit": 64}
        pages = 0
        explain = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "
        for statement in (vectors.LACKING, vectors.COUNT_LACKING):
            async with in_workspace(place.world.sessions, place.workspace_id) as session:
                [plan] = await session.scalar(text(explain + statement), given)
            pages += plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
        given = {"model": MODEL, "kind": "embed", "dedupe_key": "other"}
        statement = explain + vectors.WORKSPACES_LACKING
        async with place.world.pool.connection() as connection:
            found = await connection.execute(statement.encode(), given)
            [[[plan]]] = await found.fetchall()
        return pages + int(plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"])

    async def test_a_new_note_costs_no_look_at_all_chunks(self, place):
        await place.import_(INCUBATOR)
        await place.world.rows(_EMBEDDED)
        await place.world.rows(_OF_MODEL, MODEL)
        await place.world.rows("VACUUM ANALYZE note_chunks, note_embeddings, unembedded_chunks")
        await place.import_(CENTRIFUGE)

        assert await place.coverage() == Coverage(MODEL, 1_002, 1_001, 0)
        assert await self.read(place) < 60

    async def test_it_holds_what_has_no_vector_of_any_model(self, place):
        await place.import_(INCUBATOR, imported_note("", title=""))
        queued = "SELECT content FROM unembedded_chunks JOIN note_chunks ON id = chunk_id"
        assert await place.world.rows(queued) == [{"content": INCUBATOR.content_text}]

        await place.world.rows(_OF_MODEL, "openai:other")
        assert await place.world.rows(queued) == []
        assert await place.started(MODEL) == 0, "the import has started it"
        assert not (await place.coverage()).complete


class TestTheDispatcher:
    async def test_starts_a_job_when_the_model_was_changed(self, place):
        await place.embed(INCUBATOR, imported_note("", title=""))
        assert await place.started(MODEL) == 0

        assert await place.started("openai:other") == 1
        assert await place.started("openai:other") == 0, "it is under way"
        place.changes = {"embedding_model": "openai:other"}
        await place.work()

        assert (await place.coverage("openai:other")).complete
        assert (await place.coverage(MODEL)).embedded == 0, "the old vectors were replaced"
        assert await place.world.rows("SELECT DISTINCT model FROM note_embeddings") == [
            {"model": "openai:other"}
        ]

    async def test_polls_at_once_and_stops_on_request(self, place):
        await place.embed(INCUBATOR)
        stopping = asyncio.Event()
        step = partial(start_embedding, place.world.pool, place.world.jobs, "openai:other")
        looking = asyncio.create_task(repeat(step, stopping, interval=60))

        await eventually(lambda: place.jobs("queued"))
        stopping.set()
        await looking

    @pytest.mark.parametrize(
        ("end", "error", "minutes"),
        [
            ("failed", "configuration: openai refused the key", 60),
            ("failed", "transient: openai is not able to answer now", 10),
            ("cancelled", None, 60),
        ],
    )
    async def test_waits_after_a_job_that_came_to_nothing(self, place, end, error, minutes):
        await place.import_(INCUBATOR)
        ended = "UPDATE jobs SET status = %s, error = %s, finished_at = now() - %s * interval '1 m'"

        await place.world.rows(ended, end, error, minutes - 1)
        assert await place.started(MODEL) == 0

        await place.world.rows(ended, end, error, minutes + 1)
        assert await place.started(MODEL) == 1

    async def test_a_wrong_key_fails_the_job_at_once(self, place):
        await place.import_(INCUBATOR)
        place.stub.default = status(401)

        with pytest.raises(ConfigurationError):
            await place.work()

        [job] = await place.jobs("failed")
        assert "refused the key" in job["error"]
        assert place.stub.count == 1


class TestTheAPI:
    @pytest.fixture
    async def embedding_api(self, place: Place, redis_url: str) -> AsyncIterator[Api]:
        given = {"embedding_model": MODEL, "openai_base_url": place.stub.base_url}
        async with open_api(place.world, redis_url, **given) as api:
            yield api

    async def test_reports_the_coverage_and_starts_the_job(self, place, embedding_api):
        client = embedding_api.client
        body = {"notebook": "n", "notes": [{"title": "세포 배양", "content": "배양기는 37도"}]}
        assert (await client.post("/notes/import", json=body)).status_code == 200
        [job] = await place.jobs("queued")

        started = await client.post("/embeddings")

        nothing = {"model": MODEL, "chunks": 1, "embedded": 0, "refused": 0}
        assert started.status_code == 202
        assert started.json() == nothing | {"job_id": str(job["id"])}
        await place.work()
        assert (await client.get("/embeddings")).json() == nothing | {"embedded": 1}
        assert (await client.post("/embeddings")).json()["job_id"] is None

    async def test_answers_from_a_note_that_is_found_by_its_meaning(self, place, embedding_api):
        await place.embed(INCUBATOR)

        question = {"feature": "search_qa", "content": "인큐베이터?"}
        assert (await embedding_api.client.post("/ai/chat", json=question)).status_code == 200

        sources = await place.world.rows("SELECT title FROM qa_answer_sources")
        assert [source["title"] for source in sources] == ["세포 배양"]

    async def test_without_a_model_says_so(self, api):
        assert (await api.client.get("/embeddings")).json()["model"] is None
        refused = await api.client.post("/embeddings")
        assert refused.status_code == 409
        assert "SEARCHQA_EMBEDDING_MODEL" in refused.text
