"""Anthropic's Messages protocol."""

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from pydantic import BaseModel
from yarl import URL

from app.ai_router.providers.forms import PLAIN, strict_output
from app.ai_router.providers.remote import Refused, RemoteProvider, Shared
from app.ai_router.providers.wire import Completion, IfObject, Reply, Tokens
from app.ai_router.types import ProviderRequest

API_VERSION = "2023-06-01"
# The mark of a block that the vendor is to cache, with all that stands before it.
CACHE_CONTROL = "cache_control"
OUTPUT_CONFIG = "output_config"


class _Block(BaseModel):
    """A block of content, or the change to one; blocks without text are not for readers."""

    text: str | None = None
    stop_reason: str | None = None


class _Usage(BaseModel):
    """input_tokens: without those that the cache has to do with."""

    input_tokens: Tokens = None
    output_tokens: Tokens = None
    cache_read_input_tokens: Tokens = None
    cache_creation_input_tokens: Tokens = None


class _Message(Reply):
    content: list[_Block] | None = None
    stop_reason: str | None = None
    usage: Annotated[_Usage | None, IfObject] = None


class _Event(Reply):
    type: str
    message: _Message | None = None
    delta: _Block | None = None
    usage: Annotated[_Usage | None, IfObject] = None


class AnthropicProvider(RemoteProvider):
    """Any server that takes POST {base_url}/v1/messages."""

    structure = frozenset({OUTPUT_CONFIG, CACHE_CONTROL})

    def __init__(self, base_url: str, api_key: str | None, **shared: Unpack[Shared]) -> None:
        base = URL(base_url)
        path = base.path.rstrip("/").removesuffix("/v1") + "/v1/messages"
        super().__init__(
            "anthropic",
            base.with_path(path, keep_query=True),
            headers={
                "anthropic-version": API_VERSION,
                **({"x-api-key": api_key} if api_key else {}),
            },
            secret=api_key,
            **shared,
        )

    def _body(self, request: ProviderRequest, refused: Refused, *, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [
                {"role": message.role, "content": message.content}
                for message in request.messages
                if message.role != "system"
            ],
        }
        system = "\n\n".join(one.content for one in request.messages if one.role == "system")
        if system and CACHE_CONTROL in refused:
            body["system"] = system
        elif system:
            # What stays the same from one answer to the next. The vendor caches it for five
            # minutes where it is long enough, and passes over the mark where it is not.
            block = {"type": "text", "text": system, CACHE_CONTROL: {"type": "ephemeral"}}
            body["system"] = [block]
        if "temperature" not in refused:
            # This vendor's scale ends at 1.
            body["temperature"] = min(request.temperature, 1.0)
        if request.output and OUTPUT_CONFIG not in refused:
            schema = strict_output(request.output)
            body[OUTPUT_CONFIG] = {"format": {"type": "json_schema", "schema": schema}}
        if stream:
            body["stream"] = True
        return body

    def form(self, model: str) -> str:
        return PLAIN if OUTPUT_CONFIG in self.refused(model) else OUTPUT_CONFIG

    def _refused_part(
        self, body: Mapping[str, Any], refused: Refused, complaint: str
    ) -> str | None:
        marked = isinstance(body.get("system"), list)
        if marked and CACHE_CONTROL in complaint:
            return CACHE_CONTROL
        formats = (OUTPUT_CONFIG, "output_format", "structured output", "schema")
        if OUTPUT_CONFIG in body and any(name in complaint for name in formats):
            return OUTPUT_CONFIG
        if "temperature" in body and "temperature" in complaint:
            return "temperature"
        if marked and "system" in complaint:
            # A server that takes the system prompt as plain text only.
            return CACHE_CONTROL
        return None

    def _read_reply(self, text: str, completion: Completion) -> None:
        message = self._parse(_Message, text)
        completion.pieces.extend(block.text or "" for block in message.content or ())
        _note(message.stop_reason, message.usage, completion)

    def _read_event(self, data: str, completion: Completion) -> str:
        event = self._parse(_Event, data)
        if event.message:
            _note(None, event.message.usage, completion)
        _note(event.delta.stop_reason if event.delta else None, event.usage, completion)
        if event.type == "message_stop":
            completion.finished = completion.finished or "end_turn"
        return event.delta.text or "" if event.delta else ""


def _note(stop_reason: str | None, usage: _Usage | None, completion: Completion) -> None:
    completion.finished = stop_reason or completion.finished
    completion.withheld = completion.finished == "refusal"
    if usage is None:
        return
    if usage.input_tokens is not None:
        completion.cached_tokens = usage.cache_read_input_tokens or completion.cached_tokens
        completion.cache_write_tokens = (
            usage.cache_creation_input_tokens or completion.cache_write_tokens
        )
        completion.prompt_tokens = (
            usage.input_tokens + completion.cached_tokens + completion.cache_write_tokens
        )
    if usage.output_tokens is not None:
        completion.completion_tokens = usage.output_tokens
