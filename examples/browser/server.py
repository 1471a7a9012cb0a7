"""An application of its own origin whose page shows verdicts. Only the standard library is used.

    SEARCHQA_CORS_ORIGINS=http://127.0.0.1:8080 searchqa up          # in one terminal
    export SEARCHQA_TOKEN="$(searchqa token create browser-demo)"    # in another
    python examples/browser/server.py

Then open http://127.0.0.1:8080. The token of the workspace stays in this process: the page gets a
reader token, which shows the one verdict for a few minutes.
"""

import argparse
import json
import os
import secrets
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

PAGE = Path(__file__).with_name("index.html")
JSON = "application/json; charset=utf-8"
ANSWERS = {
    "ko": {
        "question": "PCR 변성은 몇 도에서 얼마 동안 하나요?",
        "answer": "PCR 변성은 95도에서 30초 동안 합니다. [노트 1]",
        "sources": [{"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."}],
    },
    "en": {
        "question": "How long is denaturation in PCR?",
        "answer": "Denaturation takes 90 seconds at 72 degrees. [Note 1]",
        "sources": [{"title": "PCR", "content": "Denaturation takes 30 seconds at 95 degrees."}],
    },
}


class SearchQA:
    """The two calls of an application to the API. Raises OSError."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def judge(self, answer: dict[str, object]) -> str:
        """Has an answer judged. Returns the id of its evaluation."""
        return str(self._post("/qa-evaluations", answer)["id"])

    def reader_token(self, evaluation_id: str) -> str:
        """What a browser may have: it reads this evaluation and nothing else."""
        made = self._post(f"/qa-evaluations/{evaluation_id}/reader-token", {})
        return str(made["token"])

    def _post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        request = urllib.request.Request(  # noqa: S310  the address is the operator's
            self.url + path, json.dumps(body).encode(), self._headers
        )
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310  the same
            reply: dict[str, object] = json.load(response)
        return reply


class Application(BaseHTTPRequestHandler):
    searchqa: SearchQA
    # A real application knows which of its users may see which answer.
    shown: set[str] = set()  # noqa: RUF012  one for all requests

    def do_GET(self) -> None:
        if urlsplit(self.path).path != "/":
            self._send(404, b"", "text/plain")
            return
        api, nonce = self.searchqa.url, secrets.token_urlsafe()
        html = PAGE.read_text(encoding="utf-8").replace("SEARCHQA_URL", api)
        # All that the component needs of a strict page: its script, and the API it asks.
        policy = (
            f"default-src 'none'; script-src {api} 'nonce-{nonce}'; style-src 'nonce-{nonce}';"
            f" connect-src 'self' {api}; base-uri 'none'; form-action 'none'"
        )
        page = html.replace("NONCE", nonce).encode()
        self._send(200, page, "text/html; charset=utf-8", {"Content-Security-Policy": policy})

    def do_POST(self) -> None:
        """`/ask/ko` and `/ask/en` answer, `/reader-token/ID` gives the page a token."""
        _, call, name = (self.path + "//").split("/")[:3]
        try:
            if call == "ask" and name in ANSWERS:
                answer = ANSWERS[name]
                id_ = self.searchqa.judge(answer)
                self.shown.add(id_)
                body = {"answer": answer["answer"], "evaluation_id": id_}
            elif call == "reader-token" and name in self.shown:
                body = {"token": self.searchqa.reader_token(name)}
            else:
                self._send(404, b"", "text/plain")
                return
        except OSError as error:
            sys.stderr.write(f"SearchQA at {self.searchqa.url}: {error}\n")
            self._send(502, json.dumps({"error": str(error)}).encode(), JSON)
            return
        self._send(200, json.dumps(body).encode(), JSON)

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent: the terminal is for errors."""


def main() -> int:
    parser = argparse.ArgumentParser(description="A page of another origin that shows verdicts.")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--searchqa", metavar="URL", default="http://127.0.0.1:8765")
    options = parser.parse_args()
    token = os.environ.get("SEARCHQA_TOKEN")
    if not token:
        sys.stderr.write("Set SEARCHQA_TOKEN; `searchqa token create browser-demo` makes one.\n")
        return 1
    Application.searchqa = SearchQA(options.searchqa, token)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Application)
    origin = f"http://127.0.0.1:{server.server_port}"
    sys.stdout.write(f"Open {origin}; SearchQA needs SEARCHQA_CORS_ORIGINS={origin}\n")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
