"""Writes the parts of clients/python that are made from others; with --check it only compares.

`models.py` is made from the OpenAPI document, `_sync/` from `_async/`: what the client does is
written once, with asyncio, and the other half is the same without `async` and `await`.
"""

import re
import subprocess
import sys
from pathlib import Path

from client_models import models

from app.api.app import create_app

PACKAGE = Path(__file__).parent.parent / "clients" / "python" / "src" / "searchqa_client"

_SYNC_HEADER = "# Made from ../_async/{name} by `make client-types`; not to be edited.\n"
_WITHOUT_ASYNC = (
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"(?m)^import asyncio\n", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|closing|iter_bytes|read)\b", r"\1"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b_async\b", "_sync"),
)


def without_async(text: str) -> str:
    for pattern, replacement in _WITHOUT_ASYNC:
        text = re.sub(pattern, replacement, text)
    return text


def made() -> dict[Path, str]:
    """The text of each file."""
    texts = {PACKAGE / "models.py": models(create_app().openapi())}
    for source in sorted((PACKAGE / "_async").glob("*.py")):
        header = _SYNC_HEADER.format(name=source.name)
        texts[PACKAGE / "_sync" / source.name] = header + without_async(source.read_text())
    return {path: _formatted(path, text) for path, text in texts.items()}


def _formatted(path: Path, text: str) -> str:
    for command in (["check", "--fix-only", "--select", "I"], ["format"]):
        text = subprocess.run(  # noqa: S603  # the project's own formatter
            [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename", path, "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return text


def main() -> int:
    texts = made()
    if "--check" not in sys.argv:
        for path, text in texts.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return 0
    stale = [p for p, text in texts.items() if not p.exists() or p.read_text() != text]
    stale += set((PACKAGE / "_sync").glob("*.py")) - texts.keys()
    for path in stale:
        sys.stderr.write(f"{path} does not fit its source any more; run: make client-types\n")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
