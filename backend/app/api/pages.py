"""The pages under `/ui/`: files that `make ui` builds. They hold no data, so they need no token."""

import re
from contextlib import suppress
from html import escape
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from app.ai_router.types import Lang
from app.api.middleware import NOTHING_ELSE
from app.platform.errors import RequestError

# Components set the width of bars and keep the page still behind dialogs by inline styles.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    f"img-src 'self' data:; font-src 'self'; connect-src 'self'; {NOTHING_ELSE}"
)
_START = "index.html"
# Names in here hold a hash of the content.
_HASHED = "assets/"
_FOREVER = "public, max-age=31536000, immutable"
# Files that the build has compressed lie beside their originals, under these endings; the first one
# that the browser accepts is sent.
_ENCODINGS = {"br": ".br", "gzip": ".gz"}

_HTML = Path(__file__).with_name("html")


def failed_login(error: RequestError, lang: Lang) -> Response:
    """What a browser shows instead of the pages when it could not log in."""
    page = _html(f"failed_login.{lang}").format(detail=escape(error.detail[lang]))
    return HTMLResponse(page, error.status, error.headers)


def _html(name: str) -> str:
    return (_HTML / f"{name}.html").read_text("utf-8")


def pages(directory: Path) -> ASGIApp:
    """To be mounted. directory: where the built files are, or will be. What the build has not
    compressed is, for each request."""
    return GZipMiddleware(_Pages(directory=directory, check_dir=False), minimum_size=1024)


class _Pages(StaticFiles):
    async def check_config(self) -> None:
        """The files may come later."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A built file; the start page for every other address, which is one of its pages."""
        if path.startswith(_HASHED):
            return _with_headers(await self._file(path, scope), _FOREVER)
        try:
            # What starts with a dot is the start page itself, or nothing for browsers.
            file = _START if path.startswith(".") else path
            response = await self._file(file, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            response = await self._start_page(scope)
        return _with_headers(response, "no-cache")

    async def _start_page(self, scope: Scope) -> Response:
        try:
            return await self._file(_START, scope)
        except HTTPException:
            return HTMLResponse(_html("not_built"), 503)

    async def _file(self, path: str, scope: Scope) -> Response:
        """A built file, compressed where the build has done that and the browser accepts it. Raises
        HTTPException 404 if there is none."""
        for encoding in _accepted(Headers(scope=scope).get("Accept-Encoding", "")):
            with suppress(HTTPException):
                response = await super().get_response(path + _ENCODINGS[encoding], scope)
                response.headers["Content-Encoding"] = encoding
                response.headers.add_vary_header("Accept-Encoding")
                return response
        return await super().get_response(path, scope)


def _accepted(header: str) -> list[str]:
    """Of the encodings that the build makes, those that an Accept-Encoding names; q=0 refuses."""
    named = [part.replace(" ", "").lower().split(";") for part in header.split(",")]
    accepted = {name for name, *weight in named if not re.fullmatch(r"q=0(\.0*)?", "".join(weight))}
    return [encoding for encoding in _ENCODINGS if encoding in accepted]


def _with_headers(response: Response, cache: str) -> Response:
    response.headers["Cache-Control"] = cache
    response.headers["Content-Security-Policy"] = _POLICY
    # Pages of the origins that the settings name load searchqa-verdict.js from here.
    response.headers.add_vary_header("Origin")
    return response
