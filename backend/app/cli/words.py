"""What the commands print in words, from words.toml."""

import tomllib
from functools import cache
from pathlib import Path

from app.text.language import Lang

_FILE = Path(__file__).with_name("words.toml")


@cache
def words_of(section: str, lang: Lang) -> dict[str, str]:
    """The texts of one section."""
    texts = tomllib.loads(_FILE.read_text(encoding="utf-8"))[section]
    return {name: both[lang] for name, both in texts.items() if lang in both}
