"""What goes to a batch endpoint and what comes back, the same for every vendor."""

from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from app.ai_router.types import ChatResponse, ProviderRequest
from app.platform.errors import ProviderError

RemoteState = Literal["running", "ended", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One request of a batch. custom_id: 1–64 of a-z, A-Z, 0-9, `_` and `-`, unique in the batch;
    the reply comes back under it."""

    custom_id: str
    request: ProviderRequest


@dataclass(frozen=True, slots=True)
class BatchReply:
    """What a batch says to one line: the same ChatResponse that a call gives, at the price of
    batches, or the error that a call would raise."""

    custom_id: str
    reply: ChatResponse | ProviderError


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """How far a batch is. done, failed, total: its lines by what became of them so far.

    state: one that has `ended`, or was cancelled or expired, may have replies to read, for a part
    of the lines; one that has `failed` was not begun; `unknown` is one that the provider has no
    more, or not yet, right after it was created. error: one sentence on why it is one of the last
    two. later: it failed for a limit that passes, so that the same lines may go in again. warning:
    one sentence on counts that cannot be, which are 0 here.
    """

    state: RemoteState
    done: int = 0
    failed: int = 0
    total: int = 0
    error: str | None = None
    later: bool = False
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most that the provider takes in one batch: lines, and bytes of all lines together."""

    lines: int
    size: int


class BatchEndpoint(Protocol):
    """The batches of one model of one provider. All but `size` ask the server and raise
    ProviderError, among them:

    - BatchesNotSupported: the server has no such endpoint; rows are judged by calls;
    - BatchTooLarge: split the lines and hand them in again, nothing was taken;
    - TransientProviderError: ask again later.
    """

    limits: BatchLimits

    def size(self, line: BatchLine) -> int:
        """Bytes that the line takes of `limits.size`."""
        ...

    async def upload(self, lines: Sequence[BatchLine]) -> str | None:
        """Puts the lines into a file of the provider and returns its id; None where batches are
        created without files. A file alone costs nothing."""
        ...

    async def create(self, key: str, file_id: str | None, lines: Sequence[BatchLine]) -> str:
        """Starts a batch and returns the provider's id for it. From here on the lines cost money:
        after BatchesNotSupported, BatchTooLarge and errors with a status of 4xx there is none, and
        no file any more; after any other error, or when the process ends in it, ask `find` before
        creating again. key: our own id of the batch, ≤ 64 characters."""
        ...

    async def find(
        self, key: str, since: datetime, lines: Sequence[BatchLine], known: Collection[str]
    ) -> str | None:
        """The id of the batch that `create` made when its reply was lost; None: there is none.

        since: before `create` was sent. lines: all or some of those that it was given, of which
        only the ids matter. known: ids of batches that are not it. Where the provider keeps no key
        with a batch (Anthropic), it is known by the custom ids of its results, so while a batch
        that may be it still runs this raises TransientProviderError: ask again later, and create
        nothing until then.
        """
        ...

    async def status(self, batch_id: str) -> BatchStatus: ...

    def replies(self, batch_id: str) -> AsyncGenerator[BatchReply, None]:
        """The replies of a batch that is no longer running, as they are read from the server, in
        any order. Lines that the batch expired or cancelled come as TransientProviderError. There
        may be several for one custom id, none for another, and custom ids that were never handed
        in; what cannot be read is left out, with a warning in the log.

        Raises ProviderError, possibly after some replies. Close it (`contextlib.aclosing`) to hang
        up early.
        """
        ...

    async def cancel(self, batch_id: str) -> None:
        """Asks the provider to stop; the batch stays `running` until it has. Replies it has by then
        can be read and are paid for. Nothing happens to a batch that has ended."""
        ...

    async def delete(self, batch_id: str) -> None:
        """Deletes what the provider keeps of a batch that has ended: its files, or its results.
        What is gone already is no error."""
        ...
