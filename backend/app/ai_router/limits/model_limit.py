"""What a model's server allows: as the operator sets it, and as the server's replies state it."""

from collections.abc import Mapping

from app.platform.setting_types import ModelLimit

NO_LIMIT = ModelLimit()
# More than any account has. What a server states beyond it, or below 1, is left out.
_MAX_STATED = 1_000_000_000

# OpenAI's names and Anthropic's; servers that speak their protocols send the same. They state what
# a minute holds, except for a few that state requests of a day, which then limit nothing.
_REQUESTS = ("x-ratelimit-limit-requests", "anthropic-ratelimit-requests-limit")
_TOKENS = ("x-ratelimit-limit-tokens", "anthropic-ratelimit-tokens-limit")


def stated_limit(headers: Mapping[str, str]) -> ModelLimit:
    """The limits that a reply states; NO_LIMIT where it states none."""
    return ModelLimit(_stated(headers, _REQUESTS), _stated(headers, _TOKENS))


def lower(a: ModelLimit, b: ModelLimit) -> ModelLimit:
    """Each limit the lower one of the two, where there are two."""
    return ModelLimit(*(_lower(*pair) for pair in zip(a, b, strict=True)))


def share(limit: ModelLimit, workers: int) -> ModelLimit:
    """The part of one of so many workers: at least 1 of each."""
    return ModelLimit(*(None if each is None else max(1, each // workers) for each in limit))


def _stated(headers: Mapping[str, str], names: tuple[str, ...]) -> int | None:
    for name in names:
        written = headers.get(name, "")
        if len(written) <= len(str(_MAX_STATED)) and written.isascii() and written.isdigit():
            number = int(written)
            if 1 <= number <= _MAX_STATED:
                return number
    return None


def _lower(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)
