"""Declarative base with the constraint names that every migration relies on."""

import datetime as dt
import uuid
from typing import Any, ClassVar

from sqlalchemy import DateTime, ForeignKey, MetaData, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedColumn, mapped_column

from app.platform.ids import new_id

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar = {
        dt.datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[dict[str, Any]]: JSONB,
    }


def foreign_key(column: str, *, ondelete: str = "CASCADE", **options: Any) -> MappedColumn[Any]:
    """A column that refers to another table, whose rows take theirs with them. options: those of
    mapped_column."""
    return mapped_column(ForeignKey(column, ondelete=ondelete), **options)


class Keyed:
    """A UUIDv7 primary key and the database's time of insertion."""

    id: Mapped[uuid.UUID] = mapped_column(Uuid, primary_key=True, default=new_id)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class InWorkspace:
    """A row that belongs to one workspace through its parent, named here so that every query
    can filter by it. No foreign key of its own: the parent's is checked already."""

    workspace_id: Mapped[uuid.UUID] = mapped_column(Uuid)


class KeyedRow(Keyed, InWorkspace):
    """A row of a workspace with an id of its own."""


class OwnedByWorkspace(InWorkspace):
    """A root row of a workspace; it goes with the workspace."""

    workspace_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))


class KeyedByWorkspace:
    """A row of a workspace, whose primary key begins with the workspace."""

    workspace_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True
    )


class KeyedInWorkspace(OwnedByWorkspace, KeyedRow):
    """A root row of a workspace with an id of its own."""


class InOrder(InWorkspace):
    """A row that has its place among those of its parent, from 0."""

    position: Mapped[int]
