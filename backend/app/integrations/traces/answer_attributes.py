"""What spans and baggage say of their answer: OpenTelemetry's attributes of resources, users and
sessions, those of OpenInference, Langfuse and OpenLLMetry, and our own."""

from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from app.integrations.traces.spans import Value
from app.integrations.traces.texts import parsed
from app.verdicts.answers.attributes import Attributes

# The first that is there counts. langfuse_…: keys of Langfuse's baggage.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "app_version": (
        *("searchqa.app_version", "langfuse.release", "langfuse.version", "service.version"),
    ),
    "environment": (
        *("searchqa.environment", "langfuse.environment"),
        *("deployment.environment.name", "deployment.environment"),
    ),
    "user_ref": (
        *("searchqa.user_ref", "user.id", "langfuse.user.id", "enduser.id", "langfuse_user_id"),
        "traceloop.association.properties.user_id",
    ),
    "session_id": (
        *("searchqa.session_id", "session.id", "langfuse.session.id", "gen_ai.conversation.id"),
        *("langfuse_session_id", "traceloop.association.properties.session_id"),
    ),
}
_TAGS = ("searchqa.tags", "tag.tags", "langfuse.trace.tags")
_OWN = ("metadata", "langfuse.trace.metadata")
_OWN_PREFIXES = (
    *("searchqa.attributes.", "langfuse.trace.metadata.", "traceloop.association.properties."),
)
_USED = {key for keys in _TEXTS.values() for key in keys}
# Prefixes of what is read here.
WANTED = (*_USED, *_TAGS, *_OWN, *_OWN_PREFIXES)

_MAX_BAGGAGE_CHARS = 8_192


def attributes_of(given: Mapping[str, Value]) -> Attributes:
    """Of one span with its resource. Never raises."""
    texts = {
        name: next((given[key] for key in keys if given.get(key) not in (None, "")), None)
        for name, keys in _TEXTS.items()
    }
    return Attributes.fitted(texts, _tags(given), dict(_own(given)))


def _tags(given: Mapping[str, Value]) -> Iterator[Value]:
    for key in _TAGS:
        tags = parsed(given.get(key))
        if isinstance(tags, list):
            yield from tags
        elif isinstance(tags, str):
            yield from tags.split(",")


def _own(given: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    for key in _OWN:
        found = parsed(given.get(key))
        if isinstance(found, Mapping):
            yield from found.items()
    for key, value in given.items():
        for prefix in _OWN_PREFIXES:
            if key.startswith(prefix) and key not in _USED:
                yield key.removeprefix(prefix), value


def baggage_attributes(header: str) -> Attributes:
    """Of a request, by W3C Baggage. Never raises: proxies and instrumentations write it."""
    found: dict[str, Value] = {}
    for member in header[:_MAX_BAGGAGE_CHARS].split(","):
        name, equals, value = member.partition(";")[0].partition("=")
        if equals:
            found[unquote(name.strip())] = unquote(value.strip())
    return attributes_of(found)
