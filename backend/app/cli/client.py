"""The HTTP API as the commands use it, and where its server is."""

import contextlib
import datetime as dt
import locale
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from typing import IO, Any, Self

import httpx
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.cli.database import database_url, in_database
from app.cli.sse import Event, read_events
from app.embedded.data_dir import running_stack
from app.embedded.ports import is_loopback
from app.errors import RequestError, SetupError
from app.jobs.parts import RunStatus
from app.jobs.status import JobStatus
from app.settings import get_settings
from app.verdicts.status import FINAL
from app.workspaces.models import Scope, TokenKind
from app.workspaces.service import (
    ALL_SCOPES,
    DEFAULT_WORKSPACE,
    create_token,
    ensure_workspace,
)

# The longest silence of a stream is that between two of its keep-alive comments.
_TIMEOUT = httpx.Timeout(90, connect=5)
# As many as a page may hold.
_PAGE = 200
# What the last event of a stream says of its verdict, or of its run or job.
_ENDS: Mapping[str, Collection[str]] = {
    "evaluation": FINAL,
    "progress": {each for kind in (RunStatus, JobStatus) for each in kind if each.final},
}
_TOKEN_LIFETIME = dt.timedelta(minutes=15)
# How long a dropped event stream is tried again; the sum is a little over half a minute.
_RECONNECT_SECONDS = (0.2, 0.5, 1, 2, 4, 8, 16)


class ApiProblem(RequestError):
    """The API said no. The text is its problem document's."""

    def __init__(self, status: int, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        # The detail names the first error already.
        more = "".join(f"\n  {error.get('at')}: {error.get('message')}" for error in errors[1:])
        super().__init__(f"{detail}{more}")
        self.status = status


class _Bearer(httpx.Auth):
    """Sends the token that `make` gives, and asks for another when it has expired."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make
        self._token: str | None = None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        fresh = self._token is None
        response = yield self._signed(request)
        if response.status_code == httpx.codes.UNAUTHORIZED and not fresh:
            self._token = None
            yield self._signed(request)

    def _signed(self, request: httpx.Request) -> httpx.Request:
        self._token = self._token or self._make()
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Client:
    """The API at `url`. Raises ApiProblem, and SetupError when no server answers.

    token: gives a bearer token; called again when the one before has expired.
    lang: which language problems are told in, `ko` or `en`.
    """

    def __init__(
        self,
        url: str,
        token: Callable[[], str] | None = None,
        *,
        lang: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.lang: Lang = "ko" if (lang or _system_language()) == "ko" else "en"
        with self._told_in_a_sentence():
            local = is_loopback(httpx.URL(self.url).host)
            self._http = httpx.Client(
                base_url=self.url,
                headers={"Accept-Language": self.lang},
                auth=_Bearer(token) if token else None,
                timeout=_TIMEOUT,
                transport=transport,
                trust_env=not local,  # a proxy knows nothing of this machine's own ports
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **query: object) -> Any:
        """The JSON of the reply. Parameters that are None are left out."""
        given = {name: str(value) for name, value in query.items() if value is not None}
        return self._request("GET", path, params=given)

    def newest(self, path: str, limit: int, **query: object) -> list[dict[str, Any]]:
        """The first `limit` items of a list, over as many of its pages as that takes."""
        found: list[dict[str, Any]] = []
        after: str | None = None
        while len(found) < limit:
            size = min(_PAGE, limit - len(found))
            page = self.get(path, **query, limit=size, after=after)
            found += page["items"]
            after = page["next"]
            if after is None:
                break
        return found

    def post(self, path: str, body: object = None) -> Any:
        return self._request("POST", path, json=body)

    def delete(self, path: str) -> None:
        self._send("DELETE", path)

    def put(self, path: str, body: object, *, if_match: str | None = None) -> Any:
        """if_match: the ETag of what is replaced."""
        headers = {"If-Match": if_match} if if_match else {}
        return self._request("PUT", path, json=body, headers=headers)

    def upload(self, path: str, name: str, file: IO[bytes], fields: Mapping[str, str]) -> Any:
        return self._request("POST", path, files={"file": (name, file)}, data=dict(fields))

    def send_form(self, path: str, fields: Mapping[str, Any], file: IO[bytes] | None = None) -> Any:
        """As `upload`, for fields with several values and where the file may be left out."""
        # A list is one field for each of its items; truth values are written as JSON writes them.
        told = {k: str(v).lower() if isinstance(v, bool) else v for k, v in fields.items()}
        files = {"file": ("file", file)} if file else None
        return self._request("POST", path, data=told, files=files)

    @contextlib.contextmanager
    def stream(
        self, method: str, path: str, body: object = None, last_event_id: str | None = None
    ) -> Iterator[Iterator[Event]]:
        """The events of one connection, until the server closes it."""
        headers = {"Accept": "text/event-stream"}
        if last_event_id:
            headers["Last-Event-ID"] = last_event_id
        with (
            self._told_in_a_sentence(),
            self._http.stream(method, path, json=body, headers=headers) as response,
        ):
            if not response.is_success:
                response.read()
                raise _problem(response)
            yield read_events(response.iter_bytes())

    def follow(self, path: str, *, until_final: bool = False) -> Iterator[Event]:
        """Events over as many connections as it takes: after a drop it goes on where it was.

        until_final: end with the stream that told a final state to its end. Raises SetupError
        when the server stays away for half a minute.
        """
        last_id: str | None = None
        failures = 0
        final = False
        while True:
            try:
                with self.stream("GET", path, last_event_id=last_id) as events:
                    for event in events:
                        failures, last_id = 0, event.id or last_id
                        final = final or _is_final(event)
                        yield event
                if final and until_final:
                    return
            except SetupError:
                if failures == len(_RECONNECT_SECONDS):
                    raise
            time.sleep(_RECONNECT_SECONDS[min(failures, len(_RECONNECT_SECONDS) - 1)])
            failures += 1

    def follow_to_end(self, path: str) -> Iterator[Event]:
        """The states of a run or a job, the last of them final."""
        return self.follow(path, until_final=True)

    def download(self, path: str, **query: str) -> bytes:
        """The reply as it is."""
        return self._send("GET", path, params=query).content

    def chunks(self, path: str, **query: object) -> Iterator[bytes]:
        """The reply as it comes, however large. One that is cut off raises SetupError."""
        with (
            self._told_in_a_sentence(),
            self._http.stream("GET", path, params={k: str(v) for k, v in query.items()}) as reply,
        ):
            if not reply.is_success:
                reply.read()
                raise _problem(reply)
            yield from reply.iter_bytes()

    def _request(self, method: str, path: str, **how: Any) -> Any:
        response = self._send(method, path, **how)
        return response.json() if response.content else None

    def _send(self, method: str, path: str, **how: Any) -> httpx.Response:
        with self._told_in_a_sentence():
            response = self._http.request(method, path, **how)
        if not response.is_success:
            raise _problem(response)
        return response

    @contextlib.contextmanager
    def _told_in_a_sentence(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException:
            raise SetupError(
                f"{self.url} did not answer in time; `searchqa doctor` says more."
            ) from None
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            raise SetupError(
                f"{self.url} cannot be reached ({reason}); start it with `searchqa up`, or"
                " set SEARCHQA_URL to where it runs."
            ) from None
        except (httpx.InvalidURL, UnicodeError):
            raise SetupError(
                f"{self.url} is not an address; write SEARCHQA_URL as http://host:port."
            ) from None


def _is_final(event: Event) -> bool:
    return event.event in _ENDS and event.json().get("status") in _ENDS[event.event]


def _problem(response: httpx.Response) -> ApiProblem:
    try:
        document = response.json()
        return ApiProblem(response.status_code, document["detail"], document.get("errors", ()))
    except (ValueError, KeyError, TypeError):
        return ApiProblem(
            response.status_code,
            f"{response.url} answered {response.status_code} {response.reason_phrase} and is"
            " not a SearchQA API; check SEARCHQA_URL.",
        )


def _system_language() -> str:
    return "ko" if (locale.getlocale()[0] or "").startswith("ko") else "en"


def connect(*, lang: str | None = None, scopes: Collection[Scope] = ALL_SCOPES) -> Client:
    """The server at SEARCHQA_URL, else the stack that runs on the data folder, for which tokens
    of fifteen minutes with these scopes are made in its database. Raises SetupError when there is
    neither."""
    settings = get_settings()
    if settings.url:
        token = settings.token.get_secret_value if settings.token else None
        return Client(settings.url, token, lang=lang)
    running = running_stack(settings.data_dir)
    if running is None:
        raise SetupError(
            f"No stack runs on {settings.data_dir}; start it with `searchqa up`, or set"
            " SEARCHQA_URL and SEARCHQA_TOKEN."
        )

    def make() -> str:
        return short_lived_token(database_url(), scopes=scopes)

    return Client(running.api_url, make, lang=lang)


def short_lived_token(
    database: str,
    workspace: str = DEFAULT_WORKSPACE,
    scopes: Collection[Scope] = ALL_SCOPES,
) -> str:
    """A token for this command alone, written nowhere."""

    async def make(session: AsyncSession) -> str:
        workspace_id = await ensure_workspace(session, workspace)
        # A session, so that the list of API tokens holds those that people made.
        return await create_token(
            session,
            workspace_id,
            name="cli",
            kind=TokenKind.SESSION,
            scopes=scopes,
            lifetime=_TOKEN_LIFETIME,
        )

    return in_database(database, make)
