"""Notebooks, notes and the chunks that full-text search reads."""

import datetime as dt
import uuid

from sqlalchemy import ARRAY, ForeignKey, Index, String, Text, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, InWorkspace, Keyed, OwnedByWorkspace


class Notebook(Keyed, OwnedByWorkspace, Base):
    __tablename__ = "notebooks"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    name: Mapped[str] = mapped_column(Text)


class Note(Keyed, InWorkspace, Base):
    """One note. `source_key` is its name where it came from; importing it again updates it."""

    __tablename__ = "notes"
    __table_args__ = (UniqueConstraint("notebook_id", "source_key"),)

    notebook_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    source_key: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    content_text: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64))
    lang: Mapped[str] = mapped_column(String(2))
    category: Mapped[str | None] = mapped_column(Text)
    subcategory: Mapped[str | None] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class NoteChunk(Keyed, InWorkspace, Base):
    """A passage of a note. `terms` holds its morphemes with positions, `length` their number."""

    __tablename__ = "note_chunks"
    __table_args__ = (
        UniqueConstraint("note_id", "position"),
        # With the pending list of fastupdate, searches scan the table after every import.
        Index(None, "terms", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
        Index(None, "workspace_id", "notebook_id", postgresql_include=["length"]),
    )

    note_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("notes.id", ondelete="CASCADE"))
    notebook_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    position: Mapped[int]
    content: Mapped[str] = mapped_column(Text)
    terms: Mapped[str] = mapped_column(TSVECTOR)
    length: Mapped[int]
