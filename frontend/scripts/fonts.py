"""Cuts the font of the pages, src/fonts/, out of Pretendard: Latin letters, the syllables that the
pages' own Korean uses, the most common others, and the rest by their codes, so that a browser
fetches what it shows. Run it where `npm run size` says that new strings need too many files:

    npm pack pretendard@1.3.9 && tar xzf pretendard-1.3.9.tgz
    uv run --no-project --with fonttools --with brotli scripts/fonts.py package
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PAGES = Path(__file__).parents[1]
FOLDER = PAGES / "src" / "fonts"
# The licence reserves the name of the original.
FAMILY = "SearchQA Sans"
WEIGHTS = (400, 700)
# ASCII and Latin-1, typographic marks, arrows and signs; and the name that Korean has of itself,
# which the switch of languages shows on English pages.
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2027), *map(ord, "한국어")}
LATIN |= set(map(ord, "‰′″‹›€™←↑→↓−≈≠≤≥κ"))
# Letters that are being composed, and Korean marks.
JAMO = {*range(0x3131, 0x3164), *range(0x3008, 0x3012)}
# Files in which Korean text is counted.
KOREAN_TEXTS = ("*.md", "backend/**/*.md", "backend/**/*.yaml", "benchmarks/data/*.jsonl")
# With the pages' own syllables, for strings to come: so many of the most common others.
SPARE = 40
# In files of their own: so many more.
COMMON = 300
COMMON_GROUP = 75
GROUP = 150


def strings(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    elif isinstance(node, str):
        yield node


def syllables(text: str) -> list[int]:
    return [ord(letter) for letter in text if "가" <= letter <= "힣"]


def groups(package: Path) -> dict[str, tuple[list[int], str]]:
    """The characters of each file with its range, the most special last: of ranges that overlap, a
    browser takes the last."""
    own = [
        text
        for file in (PAGES / "src").rglob("ko.json")
        for text in strings(json.loads(file.read_text("utf-8")))
    ]
    korean = set(syllables("".join(own))) - LATIN
    files = [file for kind in KOREAN_TEXTS for file in PAGES.parent.glob(kind)]
    often = Counter(syllables("".join(file.read_text("utf-8") for file in files)))
    usual = TTFont(package / "dist/web/static/woff2-subset/Pretendard-Regular.subset.woff2")
    rest = set(syllables("".join(map(chr, usual.getBestCmap())))) - korean - LATIN
    order = sorted(rest, key=lambda letter: (-often[letter], letter))
    korean |= set(order[:SPARE])
    order = order[SPARE:]
    common = [order[at : at + COMMON_GROUP] for at in range(0, COMMON, COMMON_GROUP)]
    seldom = sorted(order[COMMON:])
    parts = [seldom[at : at + GROUP] for at in range(0, len(seldom), GROUP)]
    found = {f"seldom-{at}": (part, f"U+{part[0]:X}-{part[-1]:X}") for at, part in enumerate(parts)}
    chosen = {f"common-{at}": part for at, part in enumerate(common)}
    chosen |= {"jamo": [*JAMO], "korean": [*korean], "latin": [*LATIN]}
    return found | {name: (part, packed(part)) for name, part in chosen.items()}


def packed(letters: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for letter in sorted(letters):
        if runs and letter == runs[-1][1] + 1:
            runs[-1][1] = letter
        else:
            runs.append([letter, letter])
    return ", ".join(f"U+{a:X}" + (f"-{z:X}" if z > a else "") for a, z in runs)


def write(font: Path, name: str, letters: list[int], covers: str) -> str:
    """One file, and its rule."""
    options = subset.Options(flavor="woff2", hinting=False, notdef_outline=True)
    options.layout_features = ["kern", "tnum"]
    part = TTFont(font, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(part)
    for record in part["name"].names:
        if record.nameID in {1, 3, 4, 6, 16, 25}:
            record.string = FAMILY.replace(" ", "" if record.nameID in {6, 25} else " ")
    part.save(FOLDER / f"{name}.woff2")
    return (
        f"@font-face {{ font-family: '{FAMILY}'; font-weight: {WEIGHTS[0]} {WEIGHTS[1]}; "
        f"font-display: swap; src: url('./{name}.woff2') format('woff2'); "
        f"unicode-range: {covers}; }}\n"
    )


def main() -> None:
    package = Path(sys.argv[1])
    whole = TTFont(package / "dist/web/variable/woff2/PretendardVariable.woff2")
    limited = package / "limited.ttf"
    instantiateVariableFont(whole, {"wght": (WEIGHTS[0], *WEIGHTS)}).save(limited)
    rules = [write(limited, name, *group) for name, group in groups(package).items()]
    (FOLDER / "fonts.css").write_text("/* Made by scripts/fonts.py. */\n" + "".join(rules), "utf-8")
    licence = (package / "dist/LICENSE.txt").read_text("utf-8")
    (PAGES / "public" / "fonts.license.txt").write_text(licence, "utf-8")


main()
