"""Providers on the network: made of the settings, or refused with what is missing there.

Their modules are imported as one is made: who only asks whether it could be, such as `searchqa up`,
is spared 16 MB of HTTP.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pydantic import SecretStr
from yarl import URL

from app.ai_router.providers.forms import RefusedParts
from app.ai_router.types import Provider
from app.platform.errors import ConfigurationError
from app.platform.settings import Settings

if TYPE_CHECKING:
    from app.ai_router.providers.http import OnReply, OpenSession
    from app.ai_router.providers.openai import OpenAIEmbeddings
    from app.ai_router.providers.remote import Shared


def provider_maker(
    name: str,
    settings: Settings,
    open_session: "OpenSession | None",
    on_reply: "OnReply | None",
    refused: RefusedParts,
) -> Callable[[], Provider]:
    """Makes the client of openai, anthropic, ollama or a named server. Raises
    ConfigurationError."""

    def shared() -> "Shared":
        from app.ai_router.providers import http

        return {
            "open_session": open_session or http.open_session,
            "prices": settings.models.prices,
            "on_reply": on_reply,
            "refused": refused,
        }

    if name == "anthropic":
        url = _checked_url("ANTHROPIC_BASE_URL", settings.models.anthropic_base_url)
        key = _checked_key("ANTHROPIC_API_KEY", settings.models.anthropic_api_key)
        if key is None and url.host == "api.anthropic.com":
            raise _missing("anthropic", "ANTHROPIC_API_KEY")

        def make_anthropic() -> Provider:
            from app.ai_router.providers.anthropic import AnthropicProvider

            return AnthropicProvider(str(url), key, **shared())

        return make_anthropic
    address, key = _openai_server(name, settings)

    def make() -> Provider:
        from app.ai_router.providers.openai import OpenAIProvider

        return OpenAIProvider(address, key, name=name, **shared())

    return make


def embeddings_maker(
    name: str, settings: Settings, open_session: "OpenSession | None"
) -> "Callable[[], OpenAIEmbeddings]":
    """The same for vectors, of all but anthropic."""
    address, key = _openai_server(name, settings)

    def make() -> "OpenAIEmbeddings":
        from app.ai_router.providers import http
        from app.ai_router.providers.openai import OpenAIEmbeddings

        session = open_session or http.open_session
        return OpenAIEmbeddings(address, key, name=name, open_session=session)

    return make


def _openai_server(provider: str, settings: Settings) -> tuple[str, str | None]:
    """Address and key of a server that speaks OpenAI's protocol."""
    if address := settings.models.servers.get(provider):
        url = _checked_url(f"SEARCHQA_SERVERS ({provider})", address)
        key = _checked_key("SEARCHQA_SERVER_KEYS", settings.models.server_keys.get(provider))
        return str(url), key
    if provider == "ollama":
        return str(_checked_url("OLLAMA_BASE_URL", settings.models.ollama_base_url)), None
    if provider != "openai":
        raise ConfigurationError(f"{provider} is no server of SEARCHQA_SERVERS; name it there.")
    url = _checked_url("OPENAI_BASE_URL", settings.models.openai_base_url)
    key = _checked_key("OPENAI_API_KEY", settings.models.openai_api_key)
    if key is None and url.host == "api.openai.com":
        raise _missing("openai", "OPENAI_API_KEY")
    return str(url), key


def _missing(provider: str, variable: str) -> ConfigurationError:
    return ConfigurationError(
        f"{provider} models need a key; set {variable}, or use offline:extractive for answers"
        " and offline:rules for verdicts."
    )


def _checked_key(variable: str, secret: SecretStr | None) -> str | None:
    key = secret.get_secret_value().strip() if secret else ""
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(f"{variable} has characters that no key has; set it again.")
    return key or None


def _checked_url(variable: str, value: str) -> URL:
    try:
        url = URL(value.strip() if value.strip().isprintable() else "")
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError(
            f"{variable} is not a web address; write it as in https://api.openai.com/v1."
        )
    if url.user is not None or url.password is not None:
        raise ConfigurationError(
            f"{variable} holds a user or password, which logs would show; use the key's variable."
        )
    return url
