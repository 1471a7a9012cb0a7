"""What most routes need: who asks, with which scope, and a session in that workspace.

Sessions end when the route has returned and before its response is sent (`scope="function"`):
what a 2xx promises is committed, and no connection is held while a client reads.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.auth import Admin, CurrentPrincipal, Reader, Writer
from app.api.openapi import Responses
from app.api.services import Services, ServicesDep
from app.platform.db.replica import Source
from app.platform.db.session import in_workspace
from app.workspaces import audit_queries
from app.workspaces.service import Principal

DATA_AGE = "X-Data-Age"
LAGGING_HEADERS = {
    DATA_AGE: {
        "description": "Seconds that the data may be old. Without it they are the primary's.",
        "schema": {"type": "integer", "minimum": 0},
    }
}
# What a route with LaggingReadAccess documents.
LAGGING: Responses = {200: {"headers": LAGGING_HEADERS}}


def age_header(source: Source) -> dict[str, str]:
    """Seconds that the data may be old; none for the primary's."""
    return {} if source.age is None else {DATA_AGE: str(source.age)}


async def _session(
    principal: CurrentPrincipal, services: ServicesDep
) -> AsyncIterator[AsyncSession]:
    session = in_workspace(services.sessions, principal.workspace_id)
    try:
        yield session
    finally:
        # What was read, or committed, stands even if the server has ended the idle connection.
        with suppress(DBAPIError):
            await asyncio.shield(session.close())


async def record_export(
    services: Services, principal: Principal, subject: str, detail: Mapping[str, object]
) -> None:
    """In the audit log, before anything is sent. detail: filters and format, None left out."""
    given = {name: value for name, value in detail.items() if value is not None}
    async with in_workspace(services.sessions, principal.workspace_id) as session, session.begin():
        await audit_queries.record(session, principal.workspace_id, "export", subject, given)


_Session = Annotated[AsyncSession, Depends(_session, scope="function")]


async def _transaction(session: _Session) -> AsyncIterator[AsyncSession]:
    async with session.begin():
        yield session


async def _lagging_session(
    principal: CurrentPrincipal, services: ServicesDep, response: Response
) -> AsyncIterator[tuple[AsyncSession, dict[str, str]]]:
    source = await services.lagging_source()
    headers = age_header(source)
    response.headers.update(headers)
    session = in_workspace(source.sessions, principal.workspace_id)
    try:
        yield session, headers
    finally:
        with suppress(DBAPIError):
            await asyncio.shield(session.close())


_LaggingSession = Annotated[
    tuple[AsyncSession, dict[str, str]], Depends(_lagging_session, scope="function")
]

_Transaction = Annotated[AsyncSession, Depends(_transaction, scope="function")]


@dataclass(frozen=True, slots=True)
class Access:
    principal: Principal
    session: AsyncSession

    @property
    def workspace_id(self) -> uuid.UUID:
        return self.principal.workspace_id

    @property
    def workspace(self) -> tuple[AsyncSession, uuid.UUID]:
        """The session and the id of its workspace: what most functions take first."""
        return self.session, self.workspace_id


async def _read(principal: Reader, session: _Session) -> Access:
    return Access(principal, session)


@dataclass(frozen=True, slots=True)
class LaggingAccess(Access):
    """headers: what a route that makes its own response adds to it."""

    headers: dict[str, str]


async def _read_lagging(principal: Reader, lagging: _LaggingSession) -> LaggingAccess:
    return LaggingAccess(principal, *lagging)


async def _write(principal: Writer, session: _Transaction) -> Access:
    return Access(principal, session)


async def _write_in_steps(principal: Writer, session: _Session) -> Access:
    return Access(principal, session)


async def _administer(principal: Admin, session: _Transaction) -> Access:
    return Access(principal, session)


# A route with long work after its last statement, or a large response, closes the session first.
ReadAccess = Annotated[Access, Depends(_read)]
# Of the replica where one is read; nobody must wait there for what was just written.
LaggingReadAccess = Annotated[LaggingAccess, Depends(_read_lagging)]
# The whole route is one transaction, rolled back when it raises.
WriteAccess = Annotated[Access, Depends(_write)]
AdminAccess = Annotated[Access, Depends(_administer)]
# The route commits by itself, before it waits or between two steps.
StepwiseAccess = Annotated[Access, Depends(_write_in_steps)]
