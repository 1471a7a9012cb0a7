"""Columns at the end of views that others read."""

import re
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op


def set_view_columns(view: str, reads: Mapping[str, str]) -> None:
    """Lets each column read the SQL that is given for it, and adds those at the end that the view
    has not. A column cannot be taken away, see 0014: on the way down it reads NULL of its type."""
    query = op.get_bind().scalar(sa.text(f"SELECT pg_get_viewdef('{view}'::regclass)"))
    for name, read in reads.items():
        column = f",\n    {read} AS {name}"
        there = re.compile(rf",\n +(?:(?:(?!,\n)[\s\S])* AS |\w+\.)?{name}(?=,?\n)")
        if there.search(query):
            query = there.sub(lambda _, column=column: column, query, count=1)
        else:
            query = query.replace("\n   FROM ", f"{column}\n   FROM ", 1)
    op.execute(f"CREATE OR REPLACE VIEW {view} AS {query}")
