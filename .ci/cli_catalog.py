"""Renews the Korean catalog of the command line from its messages; with --check it only compares.

The messages are the texts within `_(…)` and `N_(…)`, and those of words.json. pybabel does not see
the former inside f-strings before Python 3.12, so they are read from the syntax tree.
"""

import ast
import io
import json
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

CLI = Path(__file__).parent.parent / "backend" / "app" / "cli"
WORDS = CLI / "locales" / "words.json"
PO = CLI / "locales" / "ko" / "LC_MESSAGES" / "searchqa.po"


def messages() -> dict[str, list[str]]:
    """Each message with the names of the files that have it."""
    found: dict[str, list[str]] = {}
    for path in sorted(CLI.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="_" | "N_"), args=[ast.Constant(value=str(text)), *_]
                ):
                    found.setdefault(text, []).append(path.name)
    for text in json.loads(WORDS.read_text("utf-8")).values():
        found.setdefault(text, []).append(WORDS.name)
    return found


def renewed(old: Catalog) -> Catalog:
    """The catalog of today's messages, with the translations that there are."""
    new = Catalog(locale="ko", project="SearchQA", fuzzy=False, creation_date=old.creation_date)
    new.revision_date = old.revision_date
    new.header_comment = "# Korean texts of the command line."
    for text, modules in messages().items():
        known = old.get(text)
        places = [(module, 0) for module in dict.fromkeys(modules)]
        new.add(text, known.string if known else "", locations=places)
    return new


def written(catalog: Catalog) -> tuple[bytes, bytes]:
    """The .po file and the .mo file."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalog, width=100, sort_output=True, include_lineno=False)
    write_mo(mo, catalog)
    return po.getvalue(), mo.getvalue()


def main() -> int:
    with PO.open("rb") as file:
        catalog = renewed(read_po(file, locale="ko"))
    mo = PO.with_suffix(".mo")
    texts = dict(zip((PO, mo), written(catalog), strict=True))
    missing = [message.id for message in catalog if message.id and not message.string]
    for text in missing:
        sys.stderr.write(f"{PO}: no Korean for {text!r}\n")
    if "--check" not in sys.argv:
        for path, content in texts.items():
            path.write_bytes(content)
        return bool(missing)
    stale = [path for path, text in texts.items() if not path.exists() or path.read_bytes() != text]
    for path in stale:
        sys.stderr.write(f"{path} does not fit the code; run: make catalog\n")
    return bool(missing or stale)


if __name__ == "__main__":
    sys.exit(main())
