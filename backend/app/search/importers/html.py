"""HTML of notes as Markdown."""

import re

from bs4 import BeautifulSoup
from markdownify import MarkdownConverter

_NOT_TEXT = ("script", "style", "template", "noscript", "iframe", "object", "svg", "head", "img")
_BLANK_LINES = re.compile(r"\n[ \t\xa0]*(?:\n[ \t\xa0]*)+\n?")


def html_to_markdown(html: str) -> str:
    """The text with its headings, lists and tables; no scripts, styles or pictures."""
    soup = BeautifulSoup(html, "html.parser")
    for element in soup(_NOT_TEXT):
        element.decompose()
    converter = MarkdownConverter(
        heading_style="ATX", bullets="-", escape_asterisks=False, escape_underscores=False,
        escape_misc=False, autolinks=False,
    )  # fmt: skip
    try:
        text: str = converter.convert_soup(soup)
    except RecursionError:
        # Elements nested a thousand deep have no layout worth keeping.
        text = soup.get_text("\n")
    return _BLANK_LINES.sub("\n\n", text).strip()
