"""The language of what the commands print: --lang, else SEARCHQA_LANG, else the system's.

English texts stand in the code, those of the API's codes in `locales/words.json`; Korean ones stand
in `locales/ko/LC_MESSAGES/searchqa.po`, from which `make catalog` compiles the .mo. Every command
imports this module, so it imports the settings and reads the catalog only where they are needed."""

import json
import locale
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Annotated, Any

import typer

from app.platform.errors import SetupError
from app.text.language import Lang

OPTION = "--lang"
CATALOG = Path(__file__).parent / "locales" / "ko" / "LC_MESSAGES" / "searchqa.mo"
WORDS = Path(__file__).parent / "locales" / "words.json"
_given: list[Lang] = []


def _(message: str, **values: object) -> str:
    """The message in the chosen language, with its values filled in."""
    text = _korean().gettext(message) if message and language() == "ko" else message
    return text.format(**values) if values else text


def N_(message: str) -> str:  # noqa: N802  # gettext's name
    """Marks a message for the catalog that is translated later."""
    return message


def in_help_language(message: str) -> str:
    """The message in the language of help, which must not wait for the settings to be imported: a
    .env file does not count."""
    lang = _given[-1] if _given else os.environ.get("SEARCHQA_LANG") or _system_language()
    return _korean().gettext(message) if lang == "ko" else message


@cache
def _korean() -> GNUTranslations:
    with CATALOG.open("rb") as file:
        return GNUTranslations(file)


def chosen_language() -> Lang | None:
    """The language of --lang or SEARCHQA_LANG; None while the settings have a mistake."""
    if _given:
        return _given[-1]
    from app.platform.settings import get_settings

    try:
        return get_settings().cli.lang
    except SetupError:
        return None


def language() -> Lang:
    """The language of messages and tables."""
    return chosen_language() or _system_language()


def _system_language() -> Lang:
    return "ko" if (locale.getlocale()[0] or "").startswith("ko") else "en"


def choose_language(lang: Lang | None) -> None:
    """Sets the language of this command; None leaves it to SEARCHQA_LANG and the system."""
    _given[:] = [lang] if lang else []


@contextmanager
def in_language(lang: Lang) -> Iterator[None]:
    """Texts are in this language meanwhile, such as those on a question in it."""
    _given.append(lang)
    try:
        yield
    finally:
        _given.pop()


def add_option(command: Any, searchqa: Any) -> None:
    """Gives --lang of the command `searchqa` to one of its commands and to all below it, but for
    those with their own."""
    option = copy(next(each for each in searchqa.params if OPTION in each.opts))
    option.expose_value = False  # no function has to accept it
    _append(command, option)


def _append(command: Any, option: Any) -> None:
    if not any(OPTION in each.opts for each in command.params):
        command.params.append(option)
    for below in getattr(command, "commands", {}).values():
        _append(below, option)


def _on_option(value: Lang | None) -> Lang | None:
    if value is not None:
        choose_language(value)
    return value


LangOption = Annotated[
    Lang | None,
    typer.Option(
        OPTION,
        is_eager=True,
        callback=_on_option,
        help="Language of messages and tables; SEARCHQA_LANG, else the system's, by default.",
    ),
]


@cache
def _words() -> Mapping[str, str]:
    words: dict[str, str] = json.loads(WORDS.read_text("utf-8"))
    return words


def word(code: str, **values: object) -> str:
    """The text of a code of the API; the code itself where it has none."""
    return _(_words().get(code, code), **values)


def has_word(code: str) -> bool:
    return code in _words()
