"""OpenAI's protocol for embeddings, which Ollama, vLLM and others speak too."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from app.ai_router.providers.http import Deadline, Endpoint, OpenSession, append_path, open_session
from app.ai_router.providers.wire import Reply, parse
from app.platform.errors import MalformedOutput

# A number takes about 20 bytes of JSON, so 64 vectors of 3,072 numbers make 4 MB.
REPLY_CAP = 16 * 1024 * 1024
# What a vector of pgvector may have.
MAX_DIMENSIONS = 16_000
_FLOAT4_MAX = 3.4e38

# Neither NaN nor infinite, and within PostgreSQL's float4.
_Number = Annotated[float, Field(ge=-_FLOAT4_MAX, le=_FLOAT4_MAX)]


class _Embedding(BaseModel):
    index: int
    embedding: Annotated[list[_Number], Field(min_length=1, max_length=MAX_DIMENSIONS)]


class _EmbeddingsReply(Reply):
    data: list[_Embedding] | None = None


class OpenAIEmbeddings:
    """Any server that takes POST {base_url}/embeddings. Without a key, none is sent."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        name: str = "openai",
        open_session: OpenSession = open_session,
    ) -> None:
        self.name = name
        self._endpoint = Endpoint(
            name,
            append_path(base_url, "/embeddings"),
            {"authorization": f"Bearer {api_key}"} if api_key else {},
            api_key,
            open_session,
        )

    async def embed(
        self, model: str, texts: Sequence[str], *, deadline: float
    ) -> list[list[float]]:
        """A vector for each text, in order, all with the same number of dimensions. The deadline
        (seconds) is total. Raises ProviderError."""
        limit = Deadline(self.name, deadline)
        body = {"model": model, "input": list(texts)}
        async with limit:
            text = await self._endpoint.ask(body, cap=REPLY_CAP)
        reply = parse(_EmbeddingsReply, text, self._endpoint)
        found = {each.index: each.embedding for each in reply.data or ()}
        if len(found) != len(reply.data or ()) or set(found) != set(range(len(texts))):
            raise self._malformed(f"vectors that do not fit {len(texts)} texts", text)
        vectors = [found[index] for index in range(len(texts))]
        if len({len(vector) for vector in vectors}) > 1:
            raise self._malformed("vectors of different lengths", text)
        return vectors

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    def _malformed(self, what: str, text: str) -> MalformedOutput:
        return MalformedOutput(
            f"{self.name} sent {what}.", status=200, body_excerpt=self._endpoint.redact(text)
        )
