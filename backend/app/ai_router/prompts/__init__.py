"""Prompts. Their texts are in `texts/NAME.txt` beside them, as models are sent them."""

import re
from collections import defaultdict
from collections.abc import Mapping
from importlib import resources

from app.ai_router.types import Lang

_HEADING = re.compile(r"^=== (\w+) (ko|en)\n", re.MULTILINE)

Texts = Mapping[str, Mapping[Lang, str]]


def load_texts(package: str, name: str) -> Texts:
    """The texts of a file, by name and language, each behind a line `=== NAME LANG` and without
    the blanks around it."""
    file = resources.files(package) / "texts" / f"{name}.txt"
    _, *parts = _HEADING.split(file.read_text("utf-8"))
    found: defaultdict[str, dict[Lang, str]] = defaultdict(dict)
    for title, lang, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found[title]["ko" if lang == "ko" else "en"] = text.strip()
    return dict(found)
