"""The chat protocol of OpenAI, which most model servers speak, Ollama's among them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import BaseModel, Field

from app.ai_router.providers.context_sizes import ContextSizes
from app.ai_router.providers.forms import BOUNDS, STRUCTURE, first_form, form_fields, refused_form
from app.ai_router.providers.http import Deadline, Endpoint, OpenSession, append_path, open_session
from app.ai_router.providers.remote import Refused, RemoteProvider, Shared
from app.ai_router.providers.wire import Completion, IfObject, Reply, Tokens, parse
from app.ai_router.types import ChatResponse, ProviderRequest
from app.platform.errors import MalformedOutput, PermanentProviderError

# Models that want max_completion_tokens count their reasoning in it, which a caller's limit
# on the reply does not foresee.
REASONING_ALLOWANCE = 4096


class _Part(BaseModel):
    text: str | None = None


class _Text(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None

    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text or "" for part in self.content)
        return self.content or ""


class _Choice(BaseModel):
    message: _Text | None = None
    delta: _Text | None = None
    finish_reason: str | None = None


class _PromptDetails(BaseModel):
    cached_tokens: Tokens = None


class _Usage(BaseModel):
    prompt_tokens: Tokens = None
    completion_tokens: Tokens = None
    prompt_tokens_details: Annotated[_PromptDetails | None, IfObject] = None


class _ChatReply(Reply):
    choices: list[_Choice] | None = None
    usage: Annotated[_Usage | None, IfObject] = None


# Servers that are known to refuse bounds in a strict schema. Their contexts hold any prompt, and
# they do not say how much.
_UNBOUNDED_HOSTS = (".openai.com", ".openai.azure.com")


class OpenAIProvider(RemoteProvider):
    """Any server that takes POST {base_url}/chat/completions. Without a key, none is sent."""

    structure = STRUCTURE

    def __init__(
        self, base_url: str, api_key: str | None, *, name: str = "openai", **shared: Unpack[Shared]
    ) -> None:
        url = append_path(base_url, "/chat/completions")
        unbounded = (url.host or "").endswith(_UNBOUNDED_HOSTS)
        super().__init__(
            name,
            url,
            headers={"authorization": f"Bearer {api_key}"} if api_key else {},
            secret=api_key,
            without=frozenset({BOUNDS}) if unbounded else frozenset(),
            **shared,
        )
        self.contexts = None if unbounded else ContextSizes(self.endpoint, base_url)

    async def chat(self, request: ProviderRequest) -> ChatResponse:
        try:
            return await super().chat(request)
        except PermanentProviderError as error:
            if self.contexts:
                self.contexts.read_refusal(request.model, error)
            raise

    def _body(self, request: ProviderRequest, refused: Refused, *, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        }
        if "max_tokens" in refused:
            body["max_completion_tokens"] = request.max_tokens + REASONING_ALLOWANCE
        else:
            body["max_tokens"] = request.max_tokens
        if "temperature" not in refused:
            body["temperature"] = request.temperature
        if request.output:
            body |= form_fields(request.output, refused)
        if stream:
            body["stream"] = True
            if "stream_options" not in refused:
                body["stream_options"] = {"include_usage": True}
        return body

    def form(self, model: str) -> str:
        return first_form(self.refused(model))

    def _refused_part(
        self, body: Mapping[str, Any], refused: Refused, complaint: str
    ) -> str | None:
        if form := refused_form(body, refused, complaint):
            return form
        unsupported = "unsupported" in complaint or "not supported" in complaint
        if "max_tokens" in body and (
            "max_completion_tokens" in complaint or ("max_tokens" in complaint and unsupported)
        ):
            return "max_tokens"
        if "temperature" in body and "temperature" in complaint:
            return "temperature"
        usage = ("stream_options", "include_usage")
        if "stream_options" in body and any(name in complaint for name in usage):
            return "stream_options"
        return None

    def _read_reply(self, text: str, completion: Completion) -> None:
        reply = self._parse(_ChatReply, text)
        if not reply.choices or reply.choices[0].message is None:
            raise MalformedOutput(
                f"{self.name} sent a reply without an answer in it.",
                status=200,
                body_excerpt=self.endpoint.redact(text),
            )
        completion.pieces.append(reply.choices[0].message.text())
        _note(reply, completion)

    def _read_event(self, data: str, completion: Completion) -> str:
        if data == "[DONE]":
            completion.finished = completion.finished or "stop"
            return ""
        reply = self._parse(_ChatReply, data)
        _note(reply, completion)
        if not reply.choices or reply.choices[0].delta is None:
            return ""
        return reply.choices[0].delta.text()


def _note(reply: _ChatReply, completion: Completion) -> None:
    """Keeps everything but the text."""
    for choice in (reply.choices or [])[:1]:
        said = choice.message or choice.delta
        completion.finished = choice.finish_reason or completion.finished
        if choice.finish_reason == "content_filter" or (said and said.refusal):
            completion.withheld = True
    if usage := reply.usage:
        completion.prompt_tokens = usage.prompt_tokens
        completion.completion_tokens = usage.completion_tokens
        if usage.prompt_tokens_details:
            completion.cached_tokens = usage.prompt_tokens_details.cached_tokens or 0


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
