"""The language of what the commands print: --lang, else SEARCHQA_LANG, else the system's.

The settings are imported when they are needed, because every command imports this module.
"""

import locale
import os
from typing import Annotated, Any

import typer

from app.cli.words import words_of
from app.platform.errors import SetupError
from app.text.language import Lang

OPTION = "--lang"
_given: list[Lang] = []


def chosen_language() -> Lang | None:
    """What --lang or SEARCHQA_LANG says; None while the settings have a mistake."""
    if _given:
        return _given[-1]
    from app.platform.settings import get_settings

    try:
        return get_settings().cli.lang
    except SetupError:
        return None


def help_language() -> Lang:
    """The language of help, which must not wait for the settings to be imported: a .env file does
    not count."""
    if _given:
        return _given[-1]
    in_environment = os.environ.get("SEARCHQA_LANG")
    return "ko" if in_environment == "ko" else "en" if in_environment else system_language()


def language() -> Lang:
    """The language of messages and tables."""
    return chosen_language() or system_language()


def system_language() -> Lang:
    return "ko" if (locale.getlocale()[0] or "").startswith("ko") else "en"


def choose_language(lang: Lang | None) -> None:
    """What --lang of this command says; None leaves it to SEARCHQA_LANG and the system."""
    _given[:] = [lang] if lang else []


def translated(en: str, ko: str) -> str:
    """The one that is in the language of messages."""
    return ko if language() == "ko" else en


def column_title(name: str) -> str:
    """The header of a column of ours."""
    return name if language() == "en" else words_of("columns", "ko").get(name, name)


def value_title(value: str) -> str:
    """A status, band or label in words; as it is where there are none for it."""
    return value if language() == "en" else words_of("values", "ko").get(value, value)


def add_option(command: Any) -> None:
    """Gives --lang to a command of Typer and to all below it, but for those with their own."""
    if not any(OPTION in each.opts for each in command.params):
        command.params.append(_option())
    for below in getattr(command, "commands", {}).values():
        add_option(below)


def _option() -> Any:
    """The parameter as Typer makes it, which no function has to accept."""

    def made(lang: LangOption = None) -> None:
        """Never called."""

    app = typer.Typer(add_completion=False)
    app.command()(made)
    (option,) = (each for each in typer.main.get_command(app).params if OPTION in each.opts)
    option.expose_value = False
    return option


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
