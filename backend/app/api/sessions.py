"""Sessions of PostgreSQL for one request, confined to the workspace of its token.

Both end when the route has returned and before its response is sent (`scope="function"`): what a
2xx promises is committed, and no connection is held while a client reads.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.auth import CurrentPrincipal
from app.api.services import ServicesDep
from app.db.session import in_workspace


async def _session(
    principal: CurrentPrincipal, services: ServicesDep
) -> AsyncIterator[AsyncSession]:
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        yield session


# For reading; a route that goes on with long work closes it first.
SessionDep = Annotated[AsyncSession, Depends(_session, scope="function")]


async def _transaction(session: SessionDep) -> AsyncIterator[AsyncSession]:
    async with session.begin():
        yield session


# Rolled back when the route raises.
TransactionDep = Annotated[AsyncSession, Depends(_transaction, scope="function")]
