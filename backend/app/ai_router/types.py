"""What goes to a model and what comes back, the same for every vendor."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Protocol, Self

Role = Literal["system", "user", "assistant"]
Lang = Literal["ko", "en"]

# The provider that needs no network, and its models: one answers, one judges.
OFFLINE = "offline"
EXTRACTIVE = "extractive"
OFFLINE_MODELS = frozenset({EXTRACTIVE, "rules"})


class ModelName(NamedTuple):
    """`provider:model`, as in `openai:gpt-6-luna` or `offline:rules`."""

    provider: str
    model: str

    @classmethod
    def parse(cls, name: str) -> "ModelName":
        """Of a name that was checked before: its server may have been renamed since."""
        provider, _, model = name.strip().partition(":")
        return cls(provider, model)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


class Message(NamedTuple):
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """The question and notes that the messages render, kept apart as data.

    Vendors read the messages; the offline answerer reads this, so that it needs no
    parsing of prompts. Titles and contents have the same length; note 1 is index 0.
    """

    question: str
    note_titles: Sequence[str]
    note_contents: Sequence[str]
    lang: Lang


@dataclass(frozen=True, slots=True, eq=False)
class OutputSchema:
    """The JSON object a structured reply must be. Make each once: what is derived from it is kept
    for as long as the process lives."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a caller asks of a model. temperature 0–2; max_tokens caps the reply; with `output`
    its content should be that JSON object, but a model may still write something else. re_ask: the
    reply to the request before could not be used; not sent."""

    messages: Sequence[Message]
    temperature: float
    max_tokens: int
    output: OutputSchema | None = None
    grounding: Grounding | None = None
    re_ask: bool = False

    @property
    def purpose(self) -> str | None:
        """What a structured reply is for, by the name of its schema."""
        return None if self.output is None else self.output.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderRequest(ChatRequest):
    """The same with what the router adds. The deadline (seconds) is total, from the first byte
    sent to the last byte received."""

    model: str
    deadline: float

    @classmethod
    def from_chat(cls, request: ChatRequest, model: str, deadline: float) -> Self:
        """The request, to that model."""
        return cls(
            request.messages,
            request.temperature,
            request.max_tokens,
            request.output,
            request.grounding,
            model=model,
            deadline=deadline,
        )


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """A complete reply. Tokens and cost (US dollars) are None if unknown. Of the prompt's tokens,
    `cached_tokens` were read from the vendor's cache and `cache_write_tokens` written to it."""

    content: str
    provider: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: Decimal | None = None
    latency_ms: float = 0.0
    raw_body: str = field(default="", repr=False)
    cached_tokens: int = 0
    cache_write_tokens: int = 0


class Provider(Protocol):
    """A client of one vendor, usable from one event loop. `aclose` frees its connections."""

    name: str

    async def chat(self, request: ProviderRequest) -> ChatResponse:
        """The whole reply. Raises ProviderError."""
        ...

    def stream(self, request: ProviderRequest) -> AsyncGenerator[str | ChatResponse, None]:
        """Pieces of text as they arrive, then one ChatResponse with the whole text.

        Raises ProviderError, possibly after some pieces. Closing it hangs up.
        """
        ...

    async def aclose(self) -> None: ...


class EmbeddingProvider(Protocol):
    """Makes vectors: a server, or models in this process. `aclose` frees what it holds."""

    async def embed(
        self, model: str, texts: Sequence[str], *, deadline: float
    ) -> list[list[float]]: ...

    async def aclose(self) -> None: ...


class ChatRouter(Protocol):
    """What an evaluator needs of AIRouter; wrappers (recording, counting) have it too."""

    @property
    def model(self) -> ModelName: ...

    async def chat(self, request: ChatRequest) -> ChatResponse: ...
