"""Rows for tests, with defaults for whatever a test does not care about."""

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.importers import ImportedNote
from app.workspaces.models import Workspace


async def make_workspace(session: AsyncSession, name: str | None = None) -> Workspace:
    workspace = Workspace(name=name or f"workspace-{uuid.uuid4().hex[:12]}")
    session.add(workspace)
    await session.flush()
    return workspace


def imported_note(
    content: str = "PCR 변성은 95도에서 30초 동안 한다.",
    *,
    title: str = "PCR 조건",
    source_key: str | None = None,
    category: str | None = None,
) -> ImportedNote:
    return ImportedNote(
        source_key=source_key or title, title=title, content_text=content, category=category
    )
