"""The documentation as agents read it: `llms.txt`, `llms-full.txt` and a search of its sections.

All are made of the pages in `docs/` when they are asked for, so that they cannot differ from them.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).resolve()
# Of a wheel, and of a clone.
_FOLDERS = (_HERE.parents[2] / "docs", _HERE.parents[4] / "docs")
_HEADING = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
_WORD = re.compile(r"\w{2,}")
MAX_SECTIONS = 5
MAX_CHARS = 1500


class Section(NamedTuple):
    page: str
    heading: str
    text: str


@cache
def pages() -> dict[str, str]:
    """Markdown by the name of its page, without decisions; empty where there are no pages."""
    folder = next((each for each in _FOLDERS if each.is_dir()), None)
    found = sorted(folder.glob("*.md")) if folder else []
    return {page.name: page.read_text("utf-8") for page in found}


@cache
def _sections() -> tuple[Section, ...]:
    return tuple(_split())


def _split() -> Iterator[Section]:
    for page, written in pages().items():
        for part in _HEADING.split(written):
            heading, _, text = part.partition("\n")
            if text.strip():
                yield Section(page, heading.lstrip("# "), text.strip())


def find_sections(query: str) -> list[dict[str, str]]:
    """The sections that have most words of the query, those in headings twice; none without one."""
    words = {word.lower() for word in _WORD.findall(query)[:50]}
    scored = []
    for section in _sections():
        heading, text = section.heading.lower(), section.text.lower()
        score = sum((word in text) + 2 * (word in heading) for word in words)
        if score:
            scored.append((-score, len(section.text), section))
    return [
        {**section._asdict(), "text": section.text[:MAX_CHARS]}
        for *_, section in sorted(scored)[:MAX_SECTIONS]
    ]


def llms_txt() -> str:
    """The index: each page with its first sentence (llmstxt.org)."""
    lines = ["# SearchQA", "", "> Judges every answer of a note app in the background.", ""]
    for page, written in pages().items():
        title, _, text = written.partition("\n")
        first = text.strip().partition("\n\n")[0].replace("\n", " ")
        lines.append(f"- [{title.lstrip('# ')}](docs/{page}): {first[:200]}")
    return "\n".join(lines) + "\n"


def llms_full_txt() -> str:
    """All pages, one after the other."""
    return "\n\n".join(pages().values())
