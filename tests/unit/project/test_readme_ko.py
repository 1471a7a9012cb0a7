"""README.ko.md has the same commands and pages as README.md."""

import re
from pathlib import Path

from cases import for_each

ROOT = Path(__file__).parents[3]
ENGLISH, KOREAN = ((ROOT / name).read_text() for name in ("README.md", "README.ko.md"))
BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"(?:^|\s+)# .*$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def commands(page: str) -> list[str]:
    """The code blocks of a page without comments and spaces at the ends of lines. Drawings, whose
    words are translated, count as one."""
    blocks = BLOCK.findall(page)
    return ["a drawing" if "▼" in block else COMMENT.sub("", block).strip() for block in blocks]


def headings(page: str) -> list[str]:
    """Their levels, those of code apart."""
    return re.findall(r"^(#+) ", BLOCK.sub("", page), re.MULTILINE)


def test_has_the_same_commands():
    assert len(commands(KOREAN)) > 5
    assert commands(KOREAN) == commands(ENGLISH)


def test_has_the_same_sections_and_links():
    assert headings(KOREAN) == headings(ENGLISH)
    links = {page: set(LINK.findall(page)) for page in (ENGLISH, KOREAN)}
    assert links[ENGLISH] - links[KOREAN] == {"README.ko.md"}
    assert links[KOREAN] - links[ENGLISH] == {"README.md"}


@for_each(
    ("before", "after"),
    [
        ("make demo ", "make demos "),
        ("searchqa doctor", "searchqa doctor --json"),
        ("```\nTOKEN=", "```\n# TOKEN="),
        ("searchqa verdicts list  ", "searchqa verdicts --help # list  "),
    ],
)
def test_a_command_that_differs_is_found(before, after):
    assert before in KOREAN
    assert commands(KOREAN.replace(before, after)) != commands(ENGLISH)
