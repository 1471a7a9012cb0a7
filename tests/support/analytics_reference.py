"""docs/analytics-reference.md, made from the named queries and the comments of the views."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.quality.analytics.queries import COVERAGE, Column, NamedQuery

PATH = Path(__file__).parents[2] / "docs" / "analytics-reference.md"
_HEAD = """\
# Analytics reference

The named queries and the views of schema `analytics`, made from the code by `make reference`.
[analytics.md](analytics.md) says how to read the figures. `searchqa analytics NAME --sql` prints
the SQL of a query. Every query takes `--since`, `--until`, `--tz`, `--model`, `--notebook` and
`--limit`.

## Coverage

These columns stand in most queries and say what a mean leaves out.
"""


def render(
    queries: Mapping[str, NamedQuery], views: Mapping[str, Sequence[Mapping[str, Any]]]
) -> str:
    """The page. views: the columns of each, as test_analytics_views.view_columns reads them."""
    parts = [_HEAD, _columns(COVERAGE), "## Named queries\n"]
    for query in queries.values():
        own = [column for column in query.columns if column not in COVERAGE]
        coverage = " Columns besides those of its [coverage](#coverage):"
        described = query.description.strip() + (coverage if len(own) < len(query.columns) else "")
        parts += [f"### {query.name}\n", f"*{query.title_en}.* {described}\n", _columns(own)]
    parts.append("## Views\n")
    for name, columns in views.items():
        parts += [f"### analytics.{name}\n", f"{columns[0]['of_view']}\n"]
        parts.append(_table(("column", "meaning"), ((c["attname"], c["comment"]) for c in columns)))
    return "\n".join(parts)


def _columns(columns: Iterable[Column]) -> str:
    head = ("column", "type", "unit", "meaning")
    return _table(head, ((c.name, c.type, c.unit or "", c.description) for c in columns))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [f"| `{name}` | {' | '.join(rest)} |" for name, *rest in rows]
    return "\n".join(lines) + "\n"
