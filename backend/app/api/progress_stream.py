"""The stream of one run's or job's progress, for the token that asks."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Header, HTTPException
from fastapi.sse import ServerSentEvent
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.auth import Reader
from app.api.openapi import Responses
from app.api.progress import State, progress_event, state_id
from app.api.services import ServicesDep
from app.platform.db.session import in_workspace

SEEN_TO_THE_END: Responses = {204: {"description": "The client has seen the end already."}}

Seen = TypeVar("Seen", bound=State)
# Of (session, workspace_id, id). Raises NotFound when it is gone.
View = Callable[[AsyncSession, uuid.UUID, uuid.UUID], Awaitable[State]]
LastState = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        max_length=100,
        description="The id of the last state that was seen. Only the latest state counts: what"
        " has been passed through meanwhile is not told again.",
    ),
]


@dataclass(frozen=True, slots=True)
class ProgressStream:
    """`last` is the id of the last state that the client has seen."""

    principal: Reader
    services: ServicesDep
    last: LastState = None

    def unseen(self, state: Seen) -> Seen:
        """Raises HTTPException 204, which stops an EventSource from reconnecting, when the
        client has seen this state and nothing comes after it."""
        if state.status.final and self.last == state_id(state):
            raise HTTPException(204)
        return state

    async def follow(self, id_: uuid.UUID, view: View) -> AsyncIterator[ServerSentEvent]:
        """The present state unless the client has seen it, then every newer one; ends after the
        final one, when it is deleted, or with the token that opened the stream."""
        services, workspace_id = self.services, self.principal.workspace_id

        async def look() -> State:
            async with in_workspace(services.sessions, workspace_id) as session:
                return await view(session, workspace_id, id_)

        async with services.progress.watching((workspace_id, id_), look) as reader:
            with services.tokens.watching(self.principal.token_id, reader.close):
                async for state in reader:
                    event = progress_event(state)
                    if event.id != self.last:
                        yield event
                    if state.status.final:
                        return


ProgressDep = Annotated[ProgressStream, Depends()]
