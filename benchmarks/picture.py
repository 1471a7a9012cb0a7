"""The cost of a verdict as one picture: a bar for each contender, made of its parts."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from statistics import median

from figures import Figures
from rounds import Results

# Told apart by people who see no red or no green, on white.
COLOURS = {
    "worker": "#0b5fa5",
    "dispatcher": "#e69f00",
    "redis": "#b3413b",
    "postgres": "#57a6dc",
    "publisher": "#2f8f6b",
    "all in one process": "#9aa3ad",
}
WIDTH, LEFT, RIGHT, ROW, BAR = 760, 180, 90, 26, 18


def parts_of(runs: Sequence[Figures]) -> dict[str, float]:
    """Milliseconds of CPU an answer, the median of the rounds; peers are of one part."""
    names = runs[0].cpu_of_parts
    if not names:
        return {"all in one process": median(run.cpu_ms for run in runs)}
    return {name: median(run.cpu_of_parts.get(name, 0) for run in runs) for name in names}


def draw(results: Results) -> str:
    """An SVG with its own background, so that it can be read on a dark page too."""
    bars = [
        (f"{case}: {who}", parts_of(runs))
        for case, contenders in results.items()
        for who, runs in contenders.items()
    ]
    longest = max(sum(parts.values()) for _, parts in bars)
    scale = (WIDTH - LEFT - RIGHT) / longest
    shapes = [_legend(), *(_bar(n, name, parts, scale) for n, (name, parts) in enumerate(bars))]
    height = ROW * (len(bars) + 2)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        ' font-family="sans-serif" font-size="12" fill="#1d2329">\n'
        "<title>CPU milliseconds of a judged answer, by part</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def _legend() -> str:
    step = (WIDTH - 20) / len(COLOURS)
    return "\n".join(
        f'<rect x="{10 + n * step:.0f}" y="8" width="12" height="12" fill="{colour}"/>'
        f'<text x="{26 + n * step:.0f}" y="18">{escape(name)}</text>'
        for n, (name, colour) in enumerate(COLOURS.items())
    )


def _bar(number: int, name: str, parts: dict[str, float], scale: float) -> str:
    top, at = ROW * (number + 1) + 8, float(LEFT)
    shapes = [f'<text x="{LEFT - 8}" y="{top + 13}" text-anchor="end">{escape(name)}</text>']
    for part, milliseconds in parts.items():
        width = milliseconds * scale
        shapes.append(
            f'<rect x="{at:.1f}" y="{top}" width="{width:.1f}" height="{BAR}"'
            f' fill="{COLOURS[part]}"><title>{part}: {milliseconds:.2f} ms</title></rect>'
        )
        at += width
    total = f"{sum(parts.values()):.2f} ms"
    return "\n".join([*shapes, f'<text x="{at + 6:.1f}" y="{top + 13}">{total}</text>'])


def write(path: Path, results: Results) -> None:
    path.write_text(draw(results), encoding="utf-8")
