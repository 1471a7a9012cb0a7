"""Headers that tell browsers to trust nothing that a route does not ask for."""

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

_DEFAULTS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": f"default-src 'none'; {NOTHING_ELSE}",
    # Answers and verdicts are private; a route whose response may be kept says so itself.
    "Cache-Control": "no-store",
}

_SCRIPT = re.compile(r"""<script src=["']([^"']+)["']""")
_STYLE = re.compile(r"""<link [^>]*rel=["']stylesheet["'] href=["']([^"']+)["']""")
_ICON = re.compile(r"""<link [^>]*rel=["']shortcut icon["'] href=["']([^"']+)["']""")
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class SecurityHeaders:
    """ASGI middleware. What a route has set stays as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _DEFAULTS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, secured)


def policy_of_page(html: str) -> str:
    """The Content-Security-Policy that lets one page of ours load the scripts, the styles and
    the icon that it names, run the scripts that it holds, and ask this server; nothing else."""
    hashes = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(html))
    inline = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)
    scripts = " ".join([*_SCRIPT.findall(html), *inline])
    # Swagger sets styles on its elements and draws its icons from data: addresses.
    styles = " ".join([*_STYLE.findall(html), "'unsafe-inline'"])
    images = " ".join([*_ICON.findall(html), "data:"])
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src {images}; "
        f"connect-src 'self'; {NOTHING_ELSE}"
    )
