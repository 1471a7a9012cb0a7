"""Notebooks, notes, the chunks that full-text search reads, and their vectors."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, Index, String, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from app.platform.db.base import Base, InWorkspace, KeyedInWorkspace, KeyedRow, foreign_key


class Vector(UserDefinedType[str]):
    """A vector of any length; its text `[0.1,0.2]` goes in and comes out."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        return "vector"


def vector_text(numbers: list[float]) -> str:
    """A vector as PostgreSQL reads it."""
    return f"[{','.join(map(repr, numbers))}]"


class Notebook(KeyedInWorkspace, Base):
    __tablename__ = "notebooks"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    name: Mapped[str] = mapped_column(Text)


class Note(KeyedRow, Base):
    """One note. `source_key` is its name where it came from; importing it again updates it."""

    __tablename__ = "notes"
    __table_args__ = (
        UniqueConstraint("notebook_id", "source_key"),
        # Not of a text that is longer than an index holds: nobody looks for such a category.
        Index(
            "ix_notes_workspace_id_category",
            *("workspace_id", "category"),
            postgresql_where=text("octet_length(category) <= 1000"),
        ),
    )

    notebook_id: Mapped[uuid.UUID] = foreign_key("notebooks.id")
    source_key: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    content_text: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64))
    lang: Mapped[str] = mapped_column(String(2))
    category: Mapped[str | None] = mapped_column(Text)
    subcategory: Mapped[str | None] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class NoteChunk(KeyedRow, Base):
    """A passage of a note. `terms` holds its morphemes with positions, `length` their number."""

    __tablename__ = "note_chunks"
    __table_args__ = (
        UniqueConstraint("note_id", "position"),
        # With the pending list of fastupdate, searches scan the table after every import.
        Index(
            "ix_note_chunks_keys",
            text("note_keys(workspace_id, notebook_id, id, terms)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        Index(None, "workspace_id", "notebook_id", postgresql_include=["length"]),
        # One chunk in 256: their number and lengths say what a large workspace has.
        Index(
            "ix_note_chunks_counted",
            *("workspace_id", "notebook_id"),
            postgresql_include=["length"],
            postgresql_where=text("(uuid_hash_extended(id, 0) & 255) = 0"),
        ),
    )

    note_id: Mapped[uuid.UUID] = foreign_key("notes.id")
    notebook_id: Mapped[uuid.UUID] = foreign_key("notebooks.id")
    position: Mapped[int]
    content: Mapped[str] = mapped_column(Text)
    terms: Mapped[str] = mapped_column(TSVECTOR)
    length: Mapped[int]


class NoteEmbedding(InWorkspace, Base):
    """The vector of a chunk by `model`; one of another model takes its place. Both `embedding`
    and `dimensions` are NULL for a chunk that the model refused, so that it is not asked again.

    dimensions: reading it from the vector would fetch each twice from where PostgreSQL keeps
    what is too long for a row.
    """

    __tablename__ = "note_embeddings"
    __table_args__ = (
        Index(None, "workspace_id", "notebook_id"),
        Index(None, "workspace_id", "model", postgresql_include=["dimensions"]),
        CheckConstraint("(embedding IS NULL) = (dimensions IS NULL)", name="has_dimensions"),
    )

    chunk_id: Mapped[uuid.UUID] = foreign_key("note_chunks.id", primary_key=True)
    notebook_id: Mapped[uuid.UUID]
    model: Mapped[str] = mapped_column(Text)
    dimensions: Mapped[int | None]
    embedding: Mapped[str | None] = mapped_column(Vector)


class UnembeddedChunk(InWorkspace, Base):
    """A chunk that no model has been asked for a vector of. Triggers of `note_chunks` and
    `note_embeddings` keep the rows."""

    __tablename__ = "unembedded_chunks"
    __table_args__ = (Index(None, "workspace_id"),)

    chunk_id: Mapped[uuid.UUID] = foreign_key("note_chunks.id", primary_key=True)
