"""No table grows for ever unnoticed: docs/reliability.md says what bounds each."""

import importlib
import pkgutil
import re
from pathlib import Path

import app
from app.platform.db.base import Base

PAGE = Path(__file__).parents[3] / "docs/reliability.md"


def test_each_table_is_named_once_with_its_bound():
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if module.name.endswith("models"):
            importlib.import_module(module.name)
    section = PAGE.read_text().partition("### What bounds each table\n")[2].partition("\n#")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]

    assert all(bound.strip() for _, bound in rows)
    named = [name for tables, _ in rows for name in re.findall(r"`(\w+)`", tables)]
    assert sorted(named) == sorted(Base.metadata.tables)
