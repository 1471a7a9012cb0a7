"""The event as one JSON object, for programs."""

from datetime import UTC
from typing import Any

from pydantic_core import to_json

from app.integrations.webhooks.formats.message import Message

# Rises when a field changes its meaning or goes; new fields may come without.
VERSION = 1


class JsonFormat:
    """As Standard Webhooks proposes: type, timestamp and data."""

    def write(self, message: Message) -> bytes:
        data: dict[str, Any] = dict(message.data)
        if message.link is not None:
            data["link"] = message.link
        if message.content is not None:
            data["content"] = message.content
        timestamp = message.at.astimezone(UTC).isoformat(timespec="milliseconds")
        event = {
            "type": message.event,
            "timestamp": timestamp.replace("+00:00", "Z"),
            "version": VERSION,
            "data": data,
        }
        return to_json(event)

    def accepted(self, reply: str) -> bool:
        """A 2xx is all that the protocol asks for."""
        return True
