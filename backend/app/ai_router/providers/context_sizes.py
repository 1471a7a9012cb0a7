"""How many tokens the context of a model holds, as its server says: in its list of models (vLLM,
SGLang, llama.cpp, OpenRouter, Groq, Mistral), elsewhere (llama.cpp, Ollama, LM Studio), or when it
refuses a request that is too long (llama-cpp-python and all others)."""

import asyncio
import re
from collections.abc import Iterator
from time import monotonic
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field
from yarl import URL

from app.ai_router.providers.failures import TOO_LONG
from app.ai_router.providers.http import Deadline, Endpoint, append_path, encode
from app.ai_router.providers.wire import IfObject, Reply, Tokens, Wire, parse
from app.platform.errors import ProviderError

# A server may be started with another context, and load a model with less than its file allows.
KNOWN_SECONDS, UNKNOWN_SECONDS = 3600.0, 60.0
# For all questions together: a judge waits for them.
_DEADLINE_SECONDS = 3.0
_REFUSED = re.compile(
    r"""context\s(?:length|size|window)\s(?:is\s|of\s)?\(?(\d{3,8})|"n_ctx"\s?:\s?(\d{3,8})"""
)
_NUM_CTX = re.compile(r"\bnum_ctx\s{1,40}(\d{3,8})")


class _Meta(BaseModel):
    n_ctx: Tokens = None
    n_ctx_train: Tokens = None


_Settings = Annotated[_Meta | None, IfObject]


class _Listed(BaseModel):
    """A model in a list. Named by `id`, by Ollama `name`."""

    id: str = ""
    name: str = ""
    loaded_context_length: Tokens = None
    max_model_len: Tokens = None
    context_length: Tokens = None
    context_window: Tokens = None
    max_context_length: Tokens = None
    meta: _Settings = None

    @property
    def context(self) -> int | None:
        """What it has now before what it may have."""
        return (
            self.loaded_context_length
            or self.max_model_len
            or (self.meta.n_ctx if self.meta else None)
            or self.context_length
            or self.context_window
            or self.max_context_length
        )


class _List(Reply):
    data: list[_Listed] = Field(default_factory=list)

    def find(self, model: str) -> _Listed:
        """llama.cpp answers to any name by the one model that it has."""
        named = [one for one in self.data if model in (one.id, one.name)]
        return (named or (self.data if len(self.data) == 1 else []) or [_Listed()])[0]


class _Loaded(Reply):
    """Ollama's; the field is required, so that no other server's reply matches."""

    models: list[_Listed]


class _Shown(Reply):
    parameters: str = ""
    model_info: dict[str, object] = Field(default_factory=dict)


class _Props(Reply):
    default_generation_settings: _Settings = None


class _Known(NamedTuple):
    """until: of `monotonic`."""

    tokens: int | None
    until: float


class ContextSizes:
    """Of the models of one server, for one event loop. base_url: as OpenAIProvider has it."""

    def __init__(self, endpoint: Endpoint, base_url: str) -> None:
        self._endpoint = endpoint
        self._base = base_url
        base = URL(base_url)
        root = base.path.rstrip("/").removesuffix("/v1")
        self._root = str(base.with_path(root, keep_query=True))
        self._known: dict[str, _Known] = {}
        self._asking = asyncio.Lock()
        self._failed = False

    async def get(self, model: str) -> int | None:
        """None if unknown. Asks at most once in KNOWN_SECONDS, in UNKNOWN_SECONDS where the
        server failed or has not loaded the model; raises nothing."""
        known = self._fresh(model)
        if known is None:
            async with self._asking:
                known = self._fresh(model) or await self._ask(model)
        return known.tokens

    def read_refusal(self, model: str, error: ProviderError) -> None:
        """Keeps the context that a request was too long for, where the refusal names it."""
        found = error.cause == TOO_LONG and _REFUSED.search(error.body_excerpt.lower())
        if found:
            self._keep(model, int(found[1] or found[2]))

    def _fresh(self, model: str) -> _Known | None:
        known = self._known.get(model)
        return known if known and known.until > monotonic() else None

    def _keep(self, model: str, tokens: int | None, *, lasts: bool = True) -> _Known:
        seconds = KNOWN_SECONDS if lasts else UNKNOWN_SECONDS
        self._known[model] = found = _Known(tokens, monotonic() + seconds)
        return found

    async def _ask(self, model: str) -> _Known:
        self._failed = False
        try:
            async with Deadline(self._endpoint.vendor, _DEADLINE_SECONDS):
                tokens, lasts = await self._look_up(model)
        except ProviderError:
            return self._keep(model, None, lasts=False)
        return self._keep(model, tokens, lasts=lasts if tokens else not self._failed)

    async def _look_up(self, model: str) -> tuple[int | None, bool]:
        """With whether it is what the model has, not what it was trained with, which may be more
        than it is loaded with."""
        listed = (await self._get(_List, self._base, "/models") or _List()).find(model)
        if listed.context:
            return listed.context, True
        props = await self._get(_Props, self._root, "/props")
        if props and props.default_generation_settings:
            return props.default_generation_settings.n_ctx, True
        if loaded := await self._get(_Loaded, self._root, "/api/ps"):
            return await self._ask_ollama(model, loaded)
        more = (await self._get(_List, self._root, "/api/v0/models") or _List()).find(model)
        trained = listed.meta.n_ctx_train if listed.meta else None
        return more.context or trained, more.loaded_context_length is not None

    async def _ask_ollama(self, model: str, loaded: _Loaded) -> tuple[int | None, bool]:
        for one in loaded.models:
            if model in (one.name, one.name.removesuffix(":latest")) and one.context_length:
                return one.context_length, True
        shown = await self._get(_Shown, self._root, "/api/show", {"model": model}) or _Shown()
        if own := _NUM_CTX.search(shown.parameters):
            return int(own[1]), True
        return next(_trained(shown.model_info), None), False

    async def _get(
        self, shape: type[Wire], base_url: str, path: str, body: dict[str, str] | None = None
    ) -> Wire | None:
        """None where the server has no such address, or says something else there."""
        method, url = "POST" if body else "GET", str(append_path(base_url, path))
        data = encode(body) if body else None
        try:
            async with self._endpoint.request(method, url, data) as reply:
                return parse(shape, await self._endpoint.read(reply), self._endpoint)
        except ProviderError as error:
            self._failed |= (error.status or 500) >= 500
            return None


def _trained(model_info: dict[str, object]) -> Iterator[int]:
    for name, value in model_info.items():
        if name.endswith(".context_length") and type(value) is int:
            yield value
