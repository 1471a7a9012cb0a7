"""The stream of one run's or job's progress, for a principal."""

import uuid
from collections.abc import AsyncIterator
from typing import Any, TypeVar

from fastapi import HTTPException
from fastapi.sse import ServerSentEvent

from app.api.progress import Look, State, progress_event, state_id
from app.api.services import Services
from app.workspaces.service import Principal

SEEN_TO_THE_END: dict[int | str, dict[str, Any]] = {
    204: {"description": "The client has seen the end already."}
}

Seen = TypeVar("Seen", bound=State)


def unseen(state: Seen, last: str | None) -> Seen:
    """Raises HTTPException 204, which tells an EventSource to stop coming back, when `last` is the
    id of this state and nothing comes after it."""
    if state.status.final and last == state_id(state):
        raise HTTPException(204)
    return state


async def follow(
    services: Services, principal: Principal, id_: uuid.UUID, look: Look, last: str | None
) -> AsyncIterator[ServerSentEvent]:
    """The present state unless `last` is its id, then every newer one; ends after the final one,
    when it is forgotten, or with the token that opened the stream."""
    key = (principal.workspace_id, id_)
    async with services.progress.watching(key, look) as reader:
        with services.tokens.watching(principal.token_id, reader.close):
            async for state in reader:
                event = progress_event(state)
                if event.id != last:
                    yield event
                if state.status.final:
                    return
