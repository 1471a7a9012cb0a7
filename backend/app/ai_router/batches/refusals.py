"""What a batch says about the optional parts of requests."""

from app.ai_router.batches.protocol import BatchReply
from app.ai_router.providers.remote import RemoteProvider
from app.platform.errors import ProviderError, TransientProviderError


class Refusals:
    """Optional parts of requests that a model refuses, which a call would have been sent again
    without. As notes may name a part in an error about something else, a part is left out from now
    on only if no line of the batch was answered."""

    def __init__(self, client: RemoteProvider, model: str) -> None:
        self._client = client
        self._model = model
        self._parts: set[str] = set()
        self._answered = False

    def seen(self, read: BatchReply) -> BatchReply:
        if not isinstance(read.reply, ProviderError):
            self._answered = True
            return read
        part = self._client.refused_part(self._model, read.reply)
        if part is None:
            return read
        self._parts.add(part)
        error = TransientProviderError(
            f"{self._client.name} refuses the part {part} of this request, which calls leave out.",
            status=read.reply.status,
            body_excerpt=read.reply.body_excerpt,
        )
        return BatchReply(read.custom_id, error)

    def learn(self) -> None:
        if not self._answered:
            for part in self._parts:
                self._client.leave_out(self._model, part)
