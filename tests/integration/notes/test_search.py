import math

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.fulltext import K1, B, search
from app.notes.hits import SearchHit
from app.notes.importers import ImportedNote
from app.notes.keys import Place
from app.notes.samples import SAMPLE_QUESTIONS, sample_notes
from app.notes.service import import_notes
from app.workspaces.models import Workspace
from cases import for_each
from verdict_world import imported_note


async def _search(
    session: AsyncSession, workspace: Workspace, query: str, limit: int = 5
) -> list[SearchHit]:
    return await search(session, Place(workspace.id), query, limit)


async def _titles(session: AsyncSession, workspace: Workspace, query: str) -> list[str]:
    return [hit.title for hit in await _search(session, workspace, query)]


async def test_every_answerable_sample_question_finds_its_note_first(sessions, session, workspace):
    await import_notes(sessions, workspace.id, sample_notes(), notebook="samples")
    expected = ["PCR", "배양기", "회의록", "출장비", "cDNA", "Autoclave"]
    for (_, question), word in zip(SAMPLE_QUESTIONS, expected, strict=False):
        hits = await _search(session, workspace, question)
        assert word in hits[0].title, question
        assert hits[0].content_text
        assert hits[0].chunk in hits[0].content_text


async def test_scores_are_bm25(sessions, session, workspace):
    notes = [
        imported_note("alpha alpha beta", title="one"),
        imported_note("alpha gamma", title="two"),
        imported_note("gamma gamma gamma delta epsilon", title="three"),
    ]
    await import_notes(sessions, workspace.id, notes, notebook="n")
    hits = await _search(session, workspace, "alpha beta zeta")

    def weight(frequency: int, containing: int, length: int) -> float:
        idf = math.log(1 + (3 - containing + 0.5) / (containing + 0.5))
        norm = K1 * (1 - B + B * length / (13 / 3))
        return idf * frequency * (K1 + 1) / (frequency + norm)

    assert [(hit.title, pytest.approx(hit.score)) for hit in hits] == [
        ("one", weight(2, 2, 4) + weight(1, 1, 4)),
        ("two", weight(1, 2, 3)),
    ]


async def test_title_terms_count(sessions, session, workspace):
    notes = [
        imported_note("온도는 37도이다.", title="배양기"),
        imported_note("온도는 4도이다.", title="냉장고"),
        imported_note("", title="제목만 있는 노트"),
    ]
    await import_notes(sessions, workspace.id, notes, notebook="n")
    assert (await _titles(session, workspace, "냉장고 온도"))[0] == "냉장고"
    assert await _titles(session, workspace, "제목") == ["제목만 있는 노트"]


async def test_a_note_is_found_once_with_its_best_chunk(sessions, session, workspace):
    filler = "\n\n".join("날씨 이야기를 적는다. " * 40 for _ in range(4))
    content = f"{filler}\n\n원심분리기는 3,000 rpm으로 돌린다.\n\n{filler}"
    await import_notes(sessions, workspace.id, [imported_note(content)], notebook="n")
    [hit] = await _search(session, workspace, "원심분리기 3000 rpm")
    assert "원심분리기" in hit.chunk
    assert len(hit.chunk) < len(hit.content_text)


async def test_particles_and_spacing_do_not_matter(sessions, session, workspace):
    await import_notes(
        sessions,
        workspace.id,
        [imported_note("시료를 얼렸다.", title="가"), imported_note("전혀 다른 말", title="나")],
        notebook="n",
    )
    assert await _titles(session, workspace, "얼린 시료는 무엇인가요?") == ["가"]


@for_each(
    "query",
    ["", "   ", "?!…", "그리고", "who is he?", "\x00", "\ud800", "'; DROP TABLE notes; --",
     "a'b\\c & | ! <-> :*", "x" * 20_000, "가" * 5_000],
)  # fmt: skip
async def test_odd_queries_are_harmless(sessions, session, workspace, query):
    await import_notes(sessions, workspace.id, [imported_note("온도")], notebook="n")
    assert await _search(session, workspace, query) == []


async def test_odd_text_can_be_found_again(sessions, session, workspace):
    content = "O'Brien\\C:\\temp it's \x00nul 'quoted' & | ! " + "z" * 3_000
    await import_notes(sessions, workspace.id, [imported_note(content, title="t")], notebook="n")
    for query in ("temp", "nul", "quoted", "O'Brien", "z" * 3_000):
        assert await _titles(session, workspace, query) == ["t"], query


async def test_the_limit_is_kept_and_order_is_stable(sessions, session, workspace):
    notes = [ImportedNote(str(n), f"노트 {n}", "같은 내용") for n in range(150)]
    await import_notes(sessions, workspace.id, notes, notebook="n")
    first = await _search(session, workspace, "내용", limit=3)
    assert len(first) == 3
    assert first == (await _search(session, workspace, "내용", limit=10))[:3]
    assert len(await _search(session, workspace, "내용", limit=1_000)) == 150
