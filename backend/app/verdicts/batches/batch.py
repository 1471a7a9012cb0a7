"""A batch as its job works on it."""

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic_core import to_json
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.jobs import ModelJobContext
from app.ai_router.router import parse_model_name
from app.ai_router.types import ModelName
from app.platform.db.session import in_workspace
from app.platform.errors import ProviderError
from app.platform.jobs.job import Job
from app.verdicts.batches import queries
from app.verdicts.batches.states import BatchState
from app.verdicts.lifecycle.parking import Held, put_back, release_parked
from app.verdicts.policy.queries import DROP_HOLDS

logger = logging.getLogger(__name__)

# A batch that was just created may not be known yet wherever its provider is asked for it. In poll
# intervals.
SETTLING_POLLS = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """A request of a batch; `request_hash` and `purpose` once it is rendered."""

    id: uuid.UUID
    evaluation_id: uuid.UUID
    attempt: int
    position: int
    request_hash: str | None
    purpose: str | None

    @property
    def custom_id(self) -> str:
        """What the provider knows it by."""
        return f"{self.evaluation_id.hex}-{self.attempt}-{self.position}"


@dataclass(slots=True)
class BatchAtWork:
    """A batch of which this process holds the job; every write is one of that attempt.

    `row` is as it was last read: see queries.GET.
    """

    id: uuid.UUID
    job: Job
    context: ModelJobContext
    row: Mapping[str, Any]

    @classmethod
    async def of(cls, job: Job, context: ModelJobContext) -> "BatchAtWork | None":
        """None when it has ended, or is there no more."""
        batch = cls(uuid.UUID(job.payload["batch_id"]), job, context, {})
        return batch if await batch.reload() else None

    async def reload(self) -> bool:
        async with in_workspace(self.context.sessions, self.job.workspace_id) as session:
            found = (await session.execute(queries.GET, self.key)).mappings().one_or_none()
        self.row = dict(found or {})
        return found is not None and not self.state.final

    @property
    def key(self) -> dict[str, object]:
        return {"workspace_id": self.job.workspace_id, "id": self.id}

    @property
    def state(self) -> BatchState:
        return BatchState(self.row["state"])

    @property
    def model(self) -> ModelName:
        return parse_model_name(self.row["judge_model"])

    @property
    def endpoint(self) -> BatchEndpoint:
        """Raises ConfigurationError and BatchesNotSupported."""
        return self.context.providers.batch_endpoint(self.row["judge_model"])

    @property
    def unwanted(self) -> str | None:
        """Why it is to be cancelled, in words."""
        if self.row["cancel_requested_at"]:
            return "it was cancelled"
        if self.row["overdue"]:
            return "its answers cannot wait any longer"
        return None if self.row["wanted"] else "none of its answers waits for it any more"

    @property
    def settles_in(self) -> float:
        """Seconds until the provider is sure to know it, if it has created it; of one that it was
        asked to create."""
        since: float = self.row["since_created"]
        return max(0.0, SETTLING_POLLS * self.context.settings.batches.poll_seconds - since)

    def held(self, lines: Iterable[Line]) -> list[Held]:
        """The rows of the lines."""
        workspace_id = self.job.workspace_id
        rows = {line.evaluation_id: line.attempt for line in lines}
        return [Held(id_, workspace_id, attempt) for id_, attempt in rows.items()]

    async def unread_lines(self) -> list[Line]:
        async with in_workspace(self.context.sessions, self.job.workspace_id) as session:
            return [Line(*row) for row in await session.execute(queries.UNREAD_LINES, self.key)]

    async def set_lines(self, session: AsyncSession, lines: Sequence[Line]) -> None:
        rows = to_json([asdict(line) for line in lines]).decode()
        await session.execute(queries.CLEAR_LINES, self.key)
        await session.execute(queries.SET_LINES, self.key | {"rows": rows})

    async def drop(self, session: AsyncSession, rows: Sequence[Held]) -> None:
        """Takes rows out of it; what becomes of them is up to the caller, who commits."""
        given = {"evaluations": [row.id for row in rows]}
        await session.execute(queries.DROP_LINES, self.key | given)

    async def finish(
        self, state: BatchState, error: str | None = None, *, retry_in: float | None = None
    ) -> None:
        """Ends it. What has no reply is judged by calls, or waits for another batch where one may
        be handed in after `retry_in` seconds."""
        lines = await self.unread_lines()
        async with self.context.writing() as session:
            if retry_in is None:
                await release_parked(session, self.held(lines))
            else:
                await put_back(session, self.held(lines))
            held = {"workspace_id": self.job.workspace_id, "work_id": self.id}
            await session.execute(DROP_HOLDS, held)
            values = {"state": state.value, "error": error, "retry_in": retry_in}
            await session.execute(queries.FINISH, self.key | values)

    async def delete_at_provider(self, endpoint: BatchEndpoint) -> None:
        """Once it has ended there. What cannot be deleted is left, with a warning in the log."""
        try:
            await endpoint.delete(self.row["provider_batch"])
        except ProviderError as error:
            logger.warning("Batch %s could not be deleted at its provider (%s)", self.id, error)
