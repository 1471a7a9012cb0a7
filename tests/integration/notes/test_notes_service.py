import asyncio
import dataclasses
import unicodedata
import uuid
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import event, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import service
from app.notes.fulltext import search
from app.notes.importers import ImportedNote
from app.notes.keys import Place
from app.notes.models import Note, Notebook, NoteChunk
from app.notes.service import (
    ImportReport,
    get_or_create_notebook,
    import_notes,
    list_notebooks,
    list_notes,
)
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.errors import InvalidRequest
from app.workspaces.models import Workspace
from cases import for_each
from verdict_world import imported_note, make_workspace


@pytest.fixture
async def real_sessions(clean_database_url: str) -> AsyncIterator[Sessions]:
    """Sessions on connections of their own, which commit for real."""
    engine = create_engine(clean_database_url)
    yield create_sessions(engine)
    await engine.dispose()


async def _all_notes(session: AsyncSession, workspace: Workspace) -> list[Note]:
    return list(await list_notes(session, workspace.id, limit=1_000))


async def test_importing_again_touches_only_what_changed(sessions, session, workspace):
    notes = [imported_note(f"본문 {n}", title=f"제목 {n}") for n in range(3)]
    assert await import_notes(sessions, workspace.id, notes, notebook="n") == ImportReport(3, 0, 0)
    before = {note.source_key: note.id for note in await _all_notes(session, workspace)}
    chunks = set(await session.scalars(select(NoteChunk.id)))
    await session.commit()

    changed = [
        *notes[:2],
        dataclasses.replace(notes[2], content_text="새 본문"),
        imported_note("새"),
    ]
    report = await import_notes(sessions, workspace.id, changed, notebook="n")

    assert report == ImportReport(created=1, updated=1, unchanged=2)
    session.expunge_all()
    after = await _all_notes(session, workspace)
    assert {note.source_key: note.id for note in after}.items() >= before.items()
    assert [note.content_text for note in after if note.source_key == "제목 2"] == ["새 본문"]
    assert len(chunks & set(await session.scalars(select(NoteChunk.id)))) == 2
    hits = await search(session, Place(workspace.id), "본문 2")
    assert hits[0].title == "제목 2"


async def test_names_that_macos_takes_apart_are_found_as_people_type_them(
    sessions, session, workspace
):
    def apart(text: str) -> str:
        return unicodedata.normalize("NFD", text)

    older = Notebook(workspace_id=workspace.id, name=apart("업무"))
    session.add(older)
    await session.commit()
    note = dataclasses.replace(
        imported_note("본문", title=apart("환불 규정")),
        category=apart("고객"),
        tags=[apart("환불")],
    )
    for name in ("업무", apart("업무")):
        await import_notes(sessions, workspace.id, [note], notebook=name)
    [found] = await list_notes(session, workspace.id, title=apart("환불"))
    assert found == (await list_notes(session, workspace.id, title="환불"))[0]
    assert (found.title, found.category, found.tags) == ("환불 규정", "고객", ["환불"])
    assert found.notebook_id == older.id
    made = await get_or_create_notebook(session, workspace.id, apart("회의"))
    assert made.name == "회의"


@pytest.mark.parametrize("stored_as", ["NFC", "NFD", "as it is named"])
async def test_a_note_is_the_same_however_its_name_is_encoded(
    sessions, session, workspace, stored_as
):
    """Of a folder that macOS made, of another system, of both; stored before that was so, too."""
    names = {form: unicodedata.normalize(form, "업무/환불") for form in ("NFC", "NFD")}
    names["as it is named"] = f"{names['NFD'][:-3]}불"
    note = imported_note("본문", source_key="업무/환불")
    await import_notes(sessions, workspace.id, [note], notebook="n")
    await session.execute(update(Note).values(source_key=names[stored_as]))
    await session.commit()

    again = dataclasses.replace(note, source_key=names[stored_as])
    report = await import_notes(sessions, workspace.id, [again], notebook="n")
    assert report == ImportReport(0, 0, 1)
    if stored_as != "as it is named":
        for name in names.values():
            again = dataclasses.replace(note, source_key=name)
            report = await import_notes(sessions, workspace.id, [again], notebook="n")
            assert report == ImportReport(0, 0, 1)


async def test_the_key_of_a_new_note_is_composed(sessions, session, workspace):
    names = [unicodedata.normalize(form, "환불.md") for form in ("NFD", "NFC")]
    for name in names:
        note = imported_note("본문", source_key=name)
        await import_notes(sessions, workspace.id, [note], notebook="n")
    [stored] = await _all_notes(session, workspace)
    assert stored.source_key == names[1]
    alike = [imported_note("본문", source_key=name) for name in names]
    with pytest.raises(InvalidRequest, match="have the same id"):
        await import_notes(sessions, workspace.id, alike, notebook="n")


@pytest.mark.parametrize(
    "change",
    [{"title": "다른 제목"}, {"category": "다름"}, {"subcategory": "다름"}, {"tags": ["다름"]}],
)
async def test_any_change_is_stored(sessions, session, workspace, change):
    note = imported_note()
    await import_notes(sessions, workspace.id, [note], notebook="n")
    changed = dataclasses.replace(note, **change)  # type: ignore[arg-type]
    report = await import_notes(sessions, workspace.id, [changed], notebook="n")
    assert report == ImportReport(created=0, updated=1, unchanged=0)
    [stored] = await _all_notes(session, workspace)
    [(name, value)] = change.items()
    assert getattr(stored, name) == value


async def test_notes_go_to_their_own_notebooks(sessions, session, workspace):
    notes = [
        imported_note(title="가"),
        dataclasses.replace(imported_note(title="가"), notebook="실험실"),
    ]
    await import_notes(sessions, workspace.id, notes, notebook="기본")
    assert [(n.name, n.notes) for n in await list_notebooks(session, workspace.id)] == [
        ("기본", 1),
        ("실험실", 1),
    ]


async def test_characters_that_postgresql_refuses_are_removed(sessions, session, workspace):
    note = ImportedNote("k\x00", " 제\x00목\ud800 ", "본\x00문 O'x \\", tags=["t\x00"])
    for expected in (ImportReport(1, 0, 0), ImportReport(0, 0, 1)):
        assert await import_notes(sessions, workspace.id, [note], notebook="n\x00") == expected
    [stored] = await _all_notes(session, workspace)
    assert (stored.source_key, stored.title, stored.content_text) == ("k", "제목?", "본문 O'x \\")
    assert (stored.tags, stored.lang) == (["t"], "ko")


async def test_a_wrong_note_anywhere_stores_nothing(sessions, session, workspace, monkeypatch):
    monkeypatch.setattr(service, "MAX_NOTE_CHARS", 10)
    monkeypatch.setattr(service, "_BATCH", 1)
    with pytest.raises(InvalidRequest, match="'큰' has 11 characters"):
        await import_notes(
            sessions,
            workspace.id,
            [imported_note("짧다", title="작은"), imported_note("가" * 11, title="큰")],
            notebook="n",
        )
    long = imported_note("가" * 11, source_key=101 * "x")
    with pytest.raises(InvalidRequest, match=f"The note '{100 * 'x'}' has"):
        await import_notes(sessions, workspace.id, [long], notebook="n")
    with pytest.raises(InvalidRequest, match="2 notes of the notebook 'n' have the same id 'k'"):
        await import_notes(
            sessions,
            workspace.id,
            [imported_note("가", source_key="k"), imported_note("나", source_key="k")],
            notebook="n",
        )
    assert await session.scalar(select(func.count()).select_from(Note)) == 0


@for_each("name", ["", "  ", "\x00", "가" * 501])
async def test_notebook_names(session, workspace, name):
    with pytest.raises(InvalidRequest, match="1 to 500 characters"):
        await get_or_create_notebook(session, workspace.id, name)


async def test_a_notebook_is_made_once(session, workspace):
    first = await get_or_create_notebook(session, workspace.id, "실험실")
    assert (await get_or_create_notebook(session, workspace.id, " 실험실 ")).id == first.id


async def test_notes_are_listed_in_pages(sessions, session, workspace):
    notes = [imported_note(title=f"{n:02}") for n in range(7)]
    await import_notes(sessions, workspace.id, notes, notebook="a")
    await import_notes(sessions, workspace.id, [imported_note(title="다른")], notebook="b")
    notebook = (await list_notebooks(session, workspace.id))[0]
    titles: list[str] = []
    after: uuid.UUID | None = None
    while page := await list_notes(
        session, workspace.id, notebook_id=notebook.id, after=after, limit=3
    ):
        assert len(page) <= 3
        titles += [note.title for note in page]
        after = page[-1].id
    assert titles == [note.title for note in notes]


async def test_the_same_import_twice_at_once_stores_each_note_once(real_sessions):
    async with real_sessions.begin() as session:
        workspace = await make_workspace(session)
    notes = [imported_note(f"본문 {n}", title=f"{n}") for n in range(50)]
    reports = await asyncio.gather(
        *(
            import_notes(real_sessions, workspace.id, order, notebook="n")
            for order in (notes, notes[::-1])
        )
    )
    assert sum(report.created for report in reports) == 50
    async with real_sessions() as session:
        assert len(await _all_notes(session, workspace)) == 50
        assert await session.scalar(select(func.count()).select_from(NoteChunk)) == 50


async def test_a_thousand_notes_are_imported_by_few_statements(real_sessions):
    async with real_sessions.begin() as session:
        workspace = await make_workspace(session)
    notes = [imported_note(f"note {n} " + "plain words " * 60, title=f"{n}") for n in range(1_000)]
    sent = []

    engine = real_sessions.kw["bind"].sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: sent.append(given))
    report = await import_notes(real_sessions, workspace.id, notes, notebook="n")
    assert report == ImportReport(1_000, 0, 0)
    assert 0 < len(sent) < 100
