"""Search among so many chunks that samples and thresholds decide which of them are scored."""

import math
import random
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import keys, queries
from app.notes.candidates import find_candidates
from app.notes.evidence_search import EvidenceSearch, SearchRAGInput
from app.notes.fulltext import K1, B, chunks_with, search
from app.notes.keys import Place
from app.notes.models import Note, Notebook, NoteChunk
from app.notes.service import delete_note, get_or_create_notebook, import_notes
from app.text.packs.loader import load_pack
from app.workspaces.models import Workspace
from verdict_world import imported_note

pytestmark = pytest.mark.slow

CHUNKS = 6_000
WORDS = [f"w{number}" for number in range(3_000)]
# Half of all chunks have the first word; frequencies fall as those of words do.
WEIGHTS = [1 / (rank + 1) for rank in range(len(WORDS))]


@dataclass(frozen=True)
class Filled:
    """A workspace of `CHUNKS` chunks in one note, by their ids."""

    place: Place
    terms: dict[str, list[str]]

    def exact(self, asked: Sequence[str], limit: int) -> list[str]:
        """The ids of the best chunks when each is scored."""
        counted = {id_: Counter(terms) for id_, terms in self.terms.items()}
        mean = sum(map(len, self.terms.values())) / len(self.terms)
        holding = {term: sum(term in terms for terms in counted.values()) for term in asked}

        def score(id_: str) -> float:
            norm = K1 * (1 - B + B * len(self.terms[id_]) / mean)
            return sum(
                math.log(1 + (CHUNKS - holding[term] + 0.5) / (holding[term] + 0.5))
                * (counted[id_][term] * (K1 + 1) / (counted[id_][term] + norm))
                for term in asked
            )

        return sorted(self.terms, key=lambda id_: (-score(id_), id_))[:limit]


@pytest.fixture
async def filled(session: AsyncSession, workspace: Workspace) -> Filled:
    source = random.Random(7)
    texts = [source.choices(WORDS, WEIGHTS, k=source.randint(10, 40)) for _ in range(CHUNKS)]
    return await fill(session, workspace, texts)


async def fill(
    session: AsyncSession, workspace: Workspace, texts: Sequence[Sequence[str]]
) -> Filled:
    """Ids are the same in each run, for samples are drawn by them."""
    source = random.Random(8)
    notebook = Notebook(workspace_id=workspace.id, name="large")
    session.add(notebook)
    await session.flush()
    where = {"workspace_id": workspace.id, "notebook_id": notebook.id}
    note = Note(
        **where, source_key="k", title="t", content_text="", content_hash="", lang="en", tags=[]
    )
    session.add(note)
    await session.flush()
    ids = [uuid.UUID(int=source.getrandbits(128)) for _ in texts]
    rows = [
        {
            **where,
            "id": id_,
            "note_id": note.id,
            "position": position,
            "content": " ".join(terms),
            "terms": keys.tsvector(terms),
            "length": len(terms),
        }
        for position, (id_, terms) in enumerate(zip(ids, texts, strict=True))
    ]
    await session.execute(insert(NoteChunk), rows)
    await session.commit()
    by_id = {str(id_): list(terms) for id_, terms in zip(ids, texts, strict=True)}
    return Filled(Place(workspace.id, None), by_id)


async def test_the_best_are_those_of_scoring_every_chunk(session, filled):
    source = random.Random(9)
    agreeing = 0
    for _ in range(20):
        asked = sorted(set(source.choices(WORDS, WEIGHTS, k=6)))
        hits = await chunks_with(session, filled.place, asked, 10)
        agreeing += len({hit.chunk_id for hit in hits} & set(filled.exact(asked, 10)))

    assert agreeing >= 0.95 * 20 * 10


async def test_keys_in_samples_count_as_an_intersection_does(session, filled):
    notebook = await session.scalar(text("SELECT id FROM notebooks"))
    for place in (filled.place, Place(filled.place.workspace_id, notebook)):
        keys_ = [place.term(word) for word in WORDS[:40]]
        counted = await queries.term_sample(session, place, keys_, are_terms=True)

        assert counted == await queries.term_sample(session, place, keys_)
        assert any(counted.common)
        assert counted.chunks


async def test_of_chunks_alike_those_with_a_word_often_come_first(session, workspace):
    texts = [["same", "other"]] * (CHUNKS - 3) + [["same", "same", "same", "other"]] * 3
    filled = await fill(session, workspace, texts)

    hits = await chunks_with(session, filled.place, ["same"], 5)

    assert [hit.content for hit in hits] == ["same same same other"] * 3 + ["same other"] * 2
    words = ["same", "un", "known", "words", "beside"]
    beside, alone = [await find_candidates(session, filled.place, w, 5) for w in (words, words[:1])]
    assert beside == alone, "not all of them"


async def test_what_a_rare_word_leaves_room_for_is_found_by_a_common_one(session, workspace):
    filled = await fill(session, workspace, [["common"]] * 1_000 + [["rare"]] * 2)

    hits = await chunks_with(session, filled.place, ["common", "rare"], 5)

    assert [hit.content for hit in hits] == ["rare"] * 2 + ["common"] * 3


async def test_what_is_stored_and_deleted_is_right_at_once(sessions, session, workspace, filled):
    place = filled.place
    key = place.term("w0")
    before = await queries.term_sample(session, place, [key, place.term("zebra")])
    await import_notes(sessions, workspace.id, [imported_note("a zebra w0")], notebook="small")

    [hit] = await search(session, Place(workspace.id), "zebra")
    found = await queries.term_sample(session, place, [key, place.term("zebra")])
    assert (before.frequencies[1], found.frequencies[1]) == (0, 1)

    await delete_note(session, workspace.id, hit.note_id)
    assert await search(session, Place(workspace.id), "zebra") == []


async def test_a_small_notebook_of_a_large_workspace_is_searched_whole(
    sessions, session, workspace, filled
):
    await import_notes(sessions, workspace.id, [imported_note("w0 w1")], notebook="small")
    small = await get_or_create_notebook(session, workspace.id, "small")

    hits = await search(session, Place(workspace.id, small.id), "w0")

    assert [hit.content_text for hit in hits] == ["w0 w1"]


async def test_a_word_is_found_at_the_beginning_of_another(sessions, session, workspace, filled):
    await import_notes(sessions, workspace.id, [imported_note("cartonage")], notebook="small")

    hits = await queries.notes_with_word(session, filled.place, "Carton", 5)

    assert [hit.content_text for hit in hits] == ["cartonage"]
    assert await queries.notes_with_word(session, filled.place, "zebra", 5) == []


async def test_notes_of_a_large_category_are_looked_up(sessions, session, workspace, monkeypatch):
    monkeypatch.setattr(queries, "_MAX_SCANNED_NOTES", 3)
    texts = ["one", "two", "one two three", "four", "five"]
    notes = [imported_note(each, title=each, category="c") for each in texts]
    await import_notes(sessions, workspace.id, notes, notebook="n")
    search = EvidenceSearch(sessions, load_pack("generic"))

    async def titles(message: str) -> list[str]:
        given = SearchRAGInput(message, workspace.id, classification_result={"major_category": "c"})
        return [note.title for note in (await search.search(given)).notes]

    assert await titles("three two one") == ["one two three", "one", "two"]
    assert await titles("six") == []
    assert await titles("?") == []


async def test_notes_of_a_small_notebook_are_all_read(sessions, session, workspace, monkeypatch):
    monkeypatch.setattr(queries, "_MAX_SCANNED_NOTES", 3)
    large = [imported_note("one", title=str(n), category="c") for n in range(4)]
    small = large[:1]
    places = [Place(workspace.id, None)]
    for name, notes in (("large", large), ("small", small)):
        await import_notes(sessions, workspace.id, notes, notebook=name)
        notebook = await get_or_create_notebook(session, workspace.id, name)
        places.append(Place(workspace.id, notebook.id))

    category = queries.Category("c", None)
    found = [await queries.is_large(session, place, category) for place in places]
    assert found == [True, True, False]


async def test_processes_of_the_release_before_find_the_same(session, filled):
    rows = await session.execute(
        text("SELECT term, id, length FROM note_postings(:workspace, NULL, :terms, :queries)"),
        {
            "workspace": filled.place.workspace_id,
            "terms": ["w2000", "w17"],
            "queries": [keys.quoted("w2000"), keys.quoted("w17")],
        },
    )

    assert {(row.term, str(row.id), row.length) for row in rows} == {
        (term, id_, len(terms))
        for id_, terms in filled.terms.items()
        for term in ("w2000", "w17")
        if term in terms
    }


async def test_the_apis_role_reads_no_other_workspace(session, filled):
    key = filled.place.term("w0")
    given = {"workspace": filled.place.workspace_id, "keys": [key], "key": key}
    await session.execute(text("SET LOCAL ROLE searchqa_app"))
    await session.execute(
        text("SELECT set_config('app.workspace_id', :id, true)"), {"id": str(uuid.uuid4())}
    )
    for statement in (
        "SELECT id FROM note_matches(:workspace, NULL, :keys)",
        "SELECT id FROM note_candidates(:workspace, NULL, :key, '{}', '{}', 1, 1, 1, 10)",
        "SELECT size FROM note_collection(:workspace, NULL) WHERE size > 0",
    ):
        assert (await session.execute(text(statement), given)).all() == []
