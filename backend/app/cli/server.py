"""The HTTP API as the commands call it: at SEARCHQA_URL, else of the stack on the data folder; and
`searchqa mcp`, the Model Context Protocol over stdio."""

import asyncio
import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unicodedata import normalize

import httpx
import typer
from searchqa_client import Api, Retry, SearchQA, ServerEvent
from searchqa_client.settings import Bearer

from app.ai_router.types import Lang
from app.cli.language import _, language
from app.cli.stack import database_url, errors_in_words, stack_on_data_dir
from app.platform.db.actor import user_agent
from app.platform.errors import SetupError
from app.platform.jobs.status import JobStatus, RunStatus
from app.platform.settings import get_settings
from app.verdicts.status import FINAL
from app.workspaces.tokens import ALL_SCOPES, Scope, short_lived_token

_POLL_SECONDS = 0.3
_ENDED: Collection[str] = {each for kind in (RunStatus, JobStatus) for each in kind if each.final}
# Final states by the name of the event that reports them.
_FINAL: Mapping[str, Collection[str]] = {"evaluation": FINAL, "progress": _ENDED}
# A stream is silent for no longer than the pause between two of its keep-alive comments.
_TIMEOUT_SECONDS = 90.0
# An event stream that is lost is resumed for about half a minute.
_RECONNECT = Retry(tries=8)


@contextmanager
def connect(*, lang: Lang | None = None, scopes: Collection[Scope] = ALL_SCOPES) -> Iterator[Api]:
    """A client of that server. Raises SetupError as address_and_token."""
    with client_of(*address_and_token(scopes), lang) as client:
        yield client.api


def address_and_token(
    scopes: Collection[Scope] = ALL_SCOPES,
) -> tuple[str, str | Callable[[], str]]:
    """The API at SEARCHQA_URL, else of the stack that runs on the data folder, with SEARCHQA_TOKEN;
    without a token, the latter gets some of fifteen minutes with these scopes. Raises SetupError
    when there is neither server."""
    cli = get_settings().cli
    token = cli.token.get_secret_value() if cli.token else ""
    if cli.url:
        return cli.url, token
    url = stack_on_data_dir("SEARCHQA_URL and SEARCHQA_TOKEN").api_url
    return url, token or (lambda: _session_token(scopes))


def client_of(url: str, token: str | Callable[[], str], lang: Lang | None = None) -> SearchQA:
    """lang: the language of problem documents, by default that of messages."""
    return SearchQA(
        url,
        token,
        timeout=_TIMEOUT_SECONDS,
        lang=lang or language(),
        retry=_RECONNECT,
        on_reply=_note_age,
        user_agent=user_agent(),
    )


def _session_token(scopes: Collection[Scope]) -> str:
    with errors_in_words():
        return short_lived_token(database_url(), scopes=scopes)


def _note_age(response: httpx.Response) -> None:
    """Prints on stderr how old the data is where a replica was read."""
    if age := response.headers.get("X-Data-Age"):
        typer.echo(_("From a replica: the data is up to {age} s old.", age=age), err=True)


def notebook_id(client: Api, name: str) -> str:
    """The id of the notebook with this name or id. Raises SetupError that lists the notebooks."""
    found = client.get("/notebooks")
    notebooks = {normalize("NFC", notebook["name"]): notebook["id"] for notebook in found}
    if name in notebooks.values():
        return name
    name = normalize("NFC", name)
    if name not in notebooks:
        there = ", ".join(sorted(notebooks)) or _("none yet")
        raise SetupError(
            _("There is no notebook {name!r}; there are: {there}.", name=name, there=there)
        )
    return str(notebooks[name])


def is_final(event: ServerEvent) -> bool:
    """Whether this event of a verdict, a run or a job reports its final state."""
    return event.name in _FINAL and json.loads(event.data).get("status") in _FINAL[event.name]


def poll(client: Api, path: str) -> Iterator[dict[str, Any]]:
    """A run or a job again and again, the last time with its final status."""
    while True:
        view: dict[str, Any] = client.get(path)
        yield view
        if view["status"] in _ENDED:
            return
        time.sleep(_POLL_SECONDS)


def mcp() -> None:
    """Serve SearchQA's tools to a coding agent over stdio (Model Context Protocol).

    Agents start it themselves: name this command in their settings. It calls the API at
    SEARCHQA_URL with SEARCHQA_TOKEN, else of the stack on the data folder. What the token may not
    write is refused.

    Examples:

    searchqa mcp

    claude mcp add searchqa -- searchqa mcp
    """
    try:
        from app.integrations.mcp.server import ApiCalls, make_server
    except ImportError:
        raise SetupError(_("Install the extra first: pip install 'searchqa[mcp]'.")) from None
    url, token = address_and_token()

    async def serve() -> None:
        headers = {"User-Agent": user_agent()}
        async with httpx.AsyncClient(
            base_url=url, timeout=90, auth=Bearer(token), headers=headers
        ) as client:
            await make_server(ApiCalls(lambda _: client)).run_stdio_async()

    asyncio.run(serve())
