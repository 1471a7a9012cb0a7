"""The HTTP API as the commands use it, and where its server is."""

import contextlib
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from math import inf
from operator import itemgetter
from typing import IO, Any, Self

import httpx
import typer

from app.ai_router.types import Lang
from app.cli.language import language, translated
from app.cli.output import View
from app.cli.sse import Event, read_events
from app.cli.stack import database_url, errors_in_words, stack_on_data_dir
from app.operations.embedded.ports import is_loopback
from app.platform.errors import RequestError, SetupError
from app.platform.jobs.run_status import RunStatus
from app.platform.jobs.status import JobStatus
from app.platform.settings import get_settings
from app.verdicts.status import FINAL
from app.workspaces.short_lived import short_lived_token
from app.workspaces.tokens import ALL_SCOPES, Scope

# A stream is silent for no longer than the pause between two of its keep-alive comments.
_TIMEOUT = httpx.Timeout(90, connect=5)
_MAX_PAGE = 200
_POLL_SECONDS = 0.3
_ENDED: Collection[str] = {each for kind in (RunStatus, JobStatus) for each in kind if each.final}
# Final states by the name of the event that reports them.
_FINAL: Mapping[str, Collection[str]] = {"evaluation": FINAL, "progress": _ENDED}
# Pauses before reconnecting a dropped event stream; the sum is a little over half a minute.
_RECONNECT_SECONDS = (0.2, 0.5, 1, 2, 4, 8, 16)


class ApiProblem(RequestError):
    """The API refused the request. The text is from its problem document."""

    def __init__(self, status: int, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        # The detail names the first error already.
        more = "".join(f"\n  {error.get('at')}: {error.get('message')}" for error in errors[1:])
        super().__init__(f"{detail}{more}")
        self.status = status


class _Bearer(httpx.Auth):
    """Sends the token that `make` returns, and gets another when it has expired."""

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
        # An import asks in several threads: another one may be replacing the token now.
        token = self._token = self._token or self._make()
        request.headers["Authorization"] = f"Bearer {token}"
        return request


class Client:
    """The API at `url`. Raises ApiProblem, and SetupError when no server answers.

    token: returns a bearer token; called again when the previous one has expired.
    lang: the language of problem documents, `ko` or `en`.
    """

    def __init__(
        self,
        url: str,
        token: Callable[[], str] | None = None,
        *,
        lang: Lang | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.lang: Lang = lang or language()
        with self._transport_errors():
            local = is_loopback(httpx.URL(self.url).host)
            self._http = httpx.Client(
                base_url=self.url,
                headers={"Accept-Language": self.lang},
                auth=_Bearer(token) if token else None,
                timeout=_TIMEOUT,
                transport=transport,
                trust_env=not local,  # no proxy reaches the ports of this machine
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **query: object) -> Any:
        """The JSON of the reply. Parameters that are None are left out."""
        return self._request("GET", path, params=_given(query))

    def list_items(self, path: str, limit: float = inf, **query: object) -> list[dict[str, Any]]:
        """The first `limit` items of a list, over as many of its pages as that takes."""
        found: list[dict[str, Any]] = []
        after: str | None = None
        while len(found) < limit:
            size = min(_MAX_PAGE, limit - len(found))
            page = self.get(path, **query, limit=size, after=after)
            found += page["items"]
            after = page["next"]
            if after is None:
                break
        return found

    def post(self, path: str, body: object = None) -> Any:
        return self._request("POST", path, json=body)

    def patch(self, path: str, body: object) -> Any:
        return self._request("PATCH", path, json=body)

    def delete(self, path: str) -> None:
        self._request("DELETE", path)

    def put(self, path: str, body: object, *, if_match: str | None = None) -> Any:
        """if_match: the ETag of the version to replace."""
        headers = {"If-Match": if_match} if if_match else {}
        return self._request("PUT", path, json=body, headers=headers)

    def post_form(
        self, path: str, fields: View, file: IO[bytes] | tuple[str, bytes] | None = None
    ) -> Any:
        """A form with the file, if one is given, under its own name or the one given with it. A
        list is one field for each of its items; booleans are written as in JSON."""
        form = {k: str(v).lower() if isinstance(v, bool) else v for k, v in fields.items()}
        return self._request("POST", path, data=form, files={"file": file} if file else None)

    def poll(
        self, path: str, status: Callable[[View], str] = itemgetter("status")
    ) -> Iterator[dict[str, Any]]:
        """A run or a job again and again, the last time with its final status."""
        while True:
            view: dict[str, Any] = self.get(path)
            yield view
            if status(view) in _ENDED:
                return
            time.sleep(_POLL_SECONDS)

    @contextlib.contextmanager
    def stream(
        self, method: str, path: str, body: object = None, last_event_id: str | None = None
    ) -> Iterator[Iterator[Event]]:
        """The events of one connection, until the server closes it."""
        headers = {"Accept": "text/event-stream"}
        if last_event_id:
            headers["Last-Event-ID"] = last_event_id
        with self._streamed(method, path, json=body, headers=headers) as response:
            yield read_events(response.iter_bytes())

    def follow(self, path: str, *, until_final: bool = False) -> Iterator[Event]:
        """Events over as many connections as it takes: after a drop it resumes where it was.

        until_final: end when a stream that reported a final state is complete. Raises SetupError
        when the server is away for half a minute.
        """
        last_id: str | None = None
        failures = 0
        final = False
        while True:
            try:
                with self.stream("GET", path, last_event_id=last_id) as events:
                    for event in events:
                        failures, last_id = 0, event.id or last_id
                        final = final or (
                            event.event in _FINAL
                            and event.json().get("status") in _FINAL[event.event]
                        )
                        yield event
                if final and until_final:
                    return
            except SetupError:
                if failures == len(_RECONNECT_SECONDS):
                    raise
            time.sleep(_RECONNECT_SECONDS[min(failures, len(_RECONNECT_SECONDS) - 1)])
            failures += 1

    def chunks(self, path: str, **query: object) -> Iterator[bytes]:
        """The body as it arrives, however large. One that is cut off raises SetupError."""
        with self._streamed("GET", path, params=_given(query)) as response:
            _note_age(response)
            yield from response.iter_bytes()

    def _request(self, method: str, path: str, **how: Any) -> Any:
        with self._transport_errors():
            response = self._http.request(method, path, **how)
        if not response.is_success:
            raise _problem(response)
        _note_age(response)
        return response.json() if response.content else None

    @contextlib.contextmanager
    def _streamed(self, method: str, path: str, **how: Any) -> Iterator[httpx.Response]:
        with self._transport_errors(), self._http.stream(method, path, **how) as response:
            if not response.is_success:
                response.read()
                raise _problem(response)
            yield response

    @contextlib.contextmanager
    def _transport_errors(self) -> Iterator[None]:
        """Raises SetupError in place of the errors of httpx."""
        try:
            yield
        except httpx.TimeoutException:
            raise SetupError(
                translated(
                    f"{self.url} did not answer in time; run `searchqa doctor`.",
                    f"{self.url}이(가) 제때 응답하지 않았습니다. `searchqa doctor`를 실행하세요.",
                )
            ) from None
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            raise SetupError(
                translated(
                    f"{self.url} cannot be reached ({reason}); start it with `searchqa up`, or"
                    " set SEARCHQA_URL to where it runs.",
                    f"{self.url}에 연결할 수 없습니다({reason}). `searchqa up`으로 시작하거나"
                    " SEARCHQA_URL에 서버 주소를 설정하세요.",
                )
            ) from None
        except (httpx.InvalidURL, UnicodeError):
            raise SetupError(
                f"{self.url} is not an address; write SEARCHQA_URL as http://host:port."
            ) from None


def _note_age(response: httpx.Response) -> None:
    """Says on stderr how old the data is where a replica was read."""
    if age := response.headers.get("X-Data-Age"):
        note = translated(
            f"From a replica: the data is up to {age} s old.",
            f"복제본에서 읽었습니다. 최대 {age}초 전 데이터입니다.",
        )
        typer.echo(note, err=True)


def _given(query: View) -> dict[str, str | list[str]]:
    """A list is a parameter that is there once for each of its values."""
    return {
        name: [str(each) for each in value] if isinstance(value, list) else str(value)
        for name, value in query.items()
        if value is not None
    }


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


def connect(*, lang: Lang | None = None, scopes: Collection[Scope] = ALL_SCOPES) -> Client:
    """A client of the server at SEARCHQA_URL, else of the stack that runs on the data folder; for
    the latter it makes tokens of fifteen minutes with these scopes. Raises SetupError when there
    is neither."""
    settings = get_settings()
    if settings.cli.url:
        token = settings.cli.token.get_secret_value if settings.cli.token else None
        return Client(settings.cli.url, token, lang=lang)
    running = stack_on_data_dir("SEARCHQA_URL and SEARCHQA_TOKEN")

    def session_token() -> str:
        with errors_in_words():
            return short_lived_token(database_url(), scopes=scopes)

    return Client(running.api_url, session_token, lang=lang)
