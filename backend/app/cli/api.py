"""`searchqa api`: any call of the HTTP API."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit

import httpx
import typer
from searchqa_client import Api, Request

from app.cli.language import _
from app.cli.output import print_json, print_json_line
from app.cli.server import connect
from app.platform.errors import SetupError
from app.workspaces.tokens import Scope

_METHODS = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
# Written as they are, but for control characters that would reach the terminal as commands.
_CONTROL = bytes(code for code in (*range(32), 127) if chr(code) not in "\t\n\r")
_FIELD = re.compile(r"([^=\s]+)=(.*)", re.DOTALL)


def api(
    method: Annotated[
        _METHODS,
        typer.Argument(
            metavar="METHOD", case_sensitive=False, help="GET, POST, PUT, PATCH or DELETE."
        ),
    ],
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The server lists all paths at /docs.")
    ],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]...",
            help="Fields: numbers, true, false, null, [lists] and {objects} as JSON, @FILE for the"
            " JSON or text of a file, anything else as text. A key that is there twice makes a"
            " list. Parameters of GET and DELETE, the JSON body of others.",
        ),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", "-f", metavar="KEY=VALUE", help="The same, as an option."),
    ] = None,
    raw_field: Annotated[
        list[str] | None,
        typer.Option(
            "--raw-field", "-F", metavar="KEY=TEXT", help="A field that is text as it is."
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", "-H", metavar="NAME: VALUE", help="A header of the request."),
    ] = None,
    body: Annotated[
        str | None,
        typer.Option("--input", metavar="FILE", help="The body from a file; - for standard input."),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query", "-q", metavar="JMESPATH", help="Select from the reply (jmespath.org)."
        ),
    ] = None,
    paginate: Annotated[
        bool, typer.Option("--paginate", help="The items of this page and all after it.")
    ] = False,
    include: Annotated[
        bool, typer.Option("--include", "-i", help="Print status and headers of the reply first.")
    ] = False,
) -> None:
    """Call any path of the HTTP API and print its reply.

    Replies are printed as they come: JSON indented, streams of events, CSV and JSON lines as they
    are. Exit code 1 and one sentence on stderr when the server refuses.

    Examples:

    searchqa api GET /qa-evaluations confidence=low --paginate -q '[].id'

    searchqa api GET /judges/paused

    searchqa api POST /evaluation/rejudge filter='{"confidence": "low"}' judge_model=ollama:qwen3:8b

    searchqa api PATCH /webhooks/019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 enabled=false

    searchqa api GET /qa-evaluations/events
    """
    selection = _compiled(query)
    # Beside a body from a file, fields are parameters.
    are_parameters = method.upper() in {"GET", "DELETE"} or body is not None
    # Of releases 1.10 is not 1.1.
    number = str if are_parameters else None
    given = _parsed(_listed(fields, field), _listed(raw_field), number)
    content = None if body is None else _read(body)
    if given and not are_parameters:
        content = json.dumps(given, ensure_ascii=False).encode()
    params = given if are_parameters else {}
    request = _request(method.upper(), path, params, _headers(header or ()), content)
    # The server's own stack grants the operator's scope too: resuming a judge takes it.
    with connect(scopes=set(Scope)) as client:
        if paginate:
            _print_pages(client, request, selection, include=include)
        else:
            _print_reply(client.send(request), selection, include=include)


def _listed(*lists: Sequence[str] | None) -> list[str]:
    return [each for one in lists for each in one or ()]


def _parsed(
    typed: Sequence[str], raw: Sequence[str], number: Callable[[str], Any] | None
) -> dict[str, Any]:
    """The fields with their values. number: reads one, None as JSON does. Raises BadParameter for
    what is no KEY=VALUE."""
    found: dict[str, Any] = {}
    for is_raw, written in [*((False, each) for each in typed), *((True, each) for each in raw)]:
        match = _FIELD.fullmatch(written)
        if match is None:
            raise typer.BadParameter(
                _("{written!r} is not KEY=VALUE, as in limit=20.", written=written)
            )
        key, value = match[1], match[2] if is_raw else _value(match[2], number)
        if key in found:
            earlier = found[key] if isinstance(found[key], list) else [found[key]]
            value = [*earlier, *(value if isinstance(value, list) else [value])]
        found[key] = value
    return found


def _value(written: str, number: Callable[[str], Any] | None) -> Any:
    if written.startswith("@"):
        written = _read(written[1:]).decode("utf-8", "replace")
    elif not re.match(r"[-\d\[{]|(true|false|null)$", written):
        return written
    try:
        return json.loads(written, parse_int=number, parse_float=number)
    except ValueError:
        return written


def _read(name: str) -> bytes:
    """Raises SetupError for a file that cannot be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise SetupError(
            _("{name} cannot be read: {reason}.", name=name, reason=error.strerror)
        ) from None


def _headers(written: Sequence[str]) -> dict[str, str]:
    """Raises BadParameter for what is no header."""
    found = {}
    for each in written:
        name, colon, value = each.partition(":")
        if not colon or not name.strip():
            raise typer.BadParameter(_("{written!r} is not NAME: VALUE.", written=each))
        found[name.strip()] = value.strip()
    return found


def _request(
    method: str,
    path: str,
    fields: Mapping[str, Any],
    headers: Mapping[str, str],
    content: bytes | None,
) -> Request:
    """fields: parameters beside those of the path."""
    address = urlsplit(path if path.startswith("/") else f"/{path}")
    params: dict[str, Any] = {}
    for name, value in parse_qsl(address.query, keep_blank_values=True):
        params[name] = [*params.get(name, ()), value]
    params |= {name: _as_parameter(value) for name, value in fields.items()}
    return Request(method, address.path, params=params, headers=headers, content=content)


def _as_parameter(value: Any) -> str | list[str]:
    if isinstance(value, list):
        return [str(_as_parameter(each)) for each in value]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print_reply(response: httpx.Response, selection: Any, *, include: bool) -> None:
    try:
        if include:
            _print_head(response)
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind == "application/json" and response.status_code != httpx.codes.NO_CONTENT:
            response.read()
            _print_value(response.json(), selection)
        elif selection is not None:
            raise SetupError(
                _(
                    "The reply is {kind}, not JSON; --query selects from JSON only.",
                    kind=kind or "-",
                )
            )
        else:
            _print_pieces(response, is_text=kind.startswith("text/") or "json" in kind)
    finally:
        response.close()


def _print_pages(client: Api, request: Request, selection: Any, *, include: bool) -> None:
    """The items of all pages as one list. A page names the next one by its field `next`."""
    items: list[Any] = []
    params = dict(request.params)
    while True:
        page = Request(request.method, request.path, params=params, headers=request.headers)
        response = client.send(page)
        try:
            if include:
                _print_head(response)
            response.read()
            found = response.json() if response.content else None
        finally:
            response.close()
        if not isinstance(found, dict) or "items" not in found or "next" not in found:
            raise SetupError(_("{path} has no pages; leave out --paginate.", path=request.path))
        items += found["items"]
        if found["next"] is None:
            break
        params["after"] = found["next"]
    _print_value(items, selection)


def _print_head(response: httpx.Response) -> None:
    typer.echo(f"{response.http_version} {response.status_code} {response.reason_phrase}")
    for name, value in response.headers.items():
        typer.echo(f"{name}: {value}")
    typer.echo()


def _print_value(value: Any, selection: Any) -> None:
    """A text that was selected is printed bare, and a list of texts one a line, for shells."""
    if selection is None:
        print_json(value)
        return
    found = selection.search(value)
    texts = found if isinstance(found, list) else [found]
    if all(isinstance(each, str) for each in texts):
        for each in texts:
            typer.echo(each.encode().translate(None, _CONTROL).decode())
    elif isinstance(found, (list, dict)):
        print_json(found)
    else:
        print_json_line(found)


def _print_pieces(response: httpx.Response, *, is_text: bool) -> None:
    out = sys.stdout.buffer
    strip = is_text and sys.stdout.isatty()
    for piece in _pieces(response):
        out.write(piece.translate(None, _CONTROL) if strip else piece)
        out.flush()


def _pieces(response: httpx.Response) -> Iterator[bytes]:
    """Raises SetupError when the reply is cut off."""
    try:
        yield from response.iter_bytes()
    except httpx.TransportError as error:
        reason = str(error) or type(error).__name__
        raise SetupError(
            _("The reply broke off ({reason}); what was printed is not all.", reason=reason)
        ) from None


def _compiled(query: str | None) -> Any:
    """Raises BadParameter for what is no JMESPath."""
    if query is None:
        return None
    import jmespath

    try:
        return jmespath.compile(query)
    except jmespath.exceptions.JMESPathError as error:
        reason = " ".join(str(error).split())
        raise typer.BadParameter(
            _("This is not JMESPath ({reason}); see jmespath.org.", reason=reason)
        ) from None
