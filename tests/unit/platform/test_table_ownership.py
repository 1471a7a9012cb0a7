"""A package owns its tables: what writes to one stands in the package that has its model."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
import worker
from app.platform.db.base import Base

_WRITE = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE)\s+(?:ONLY\s+)?(\w+)")
# SQLAlchemy's own, by the model that is their first argument.
_CALLS = {"insert", "update", "delete", "upsert", "pg_insert"}


def _owners() -> dict[str, str]:
    """Package by table."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if module.name.endswith("models"):
            importlib.import_module(module.name)
    return {
        mapper.local_table.name: ".".join(mapper.class_.__module__.split(".")[:2])
        for mapper in Base.registry.mappers
    }


def _modules() -> Iterator[tuple[str, Path]]:
    for package in (app, worker):
        root = Path(next(iter(package.__path__)))
        for path in root.rglob("*"):
            if path.suffix in {".py", ".sql"}:
                inside = path.relative_to(root).parts
                name = package.__name__
                yield (f"{name}.{inside[0]}" if len(inside) > 1 else name), path


def _written(path: Path, models: dict[str, str]) -> Iterator[str]:
    """The tables that a file writes to."""
    text = path.read_text()
    if path.suffix == ".sql":
        yield from _WRITE.findall(text)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _WRITE.findall(node.value)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _CALLS
            and node.args
            and isinstance(node.args[0], ast.Name)
        ):
            yield from filter(None, [models.get(node.args[0].id)])


def test_only_the_owner_of_a_table_writes_to_it():
    owners = _owners()
    models = {m.class_.__name__: m.local_table.name for m in Base.registry.mappers}
    crossing = {
        (package, table)
        for package, path in _modules()
        for table in _written(path, models)
        if table in owners and owners[table] != package
    }

    assert not crossing


@pytest.mark.parametrize(
    "written",
    [
        'A = """INSERT INTO jobs (id) VALUES (1)"""',
        'A = f"""{B} UPDATE jobs SET x = 1"""',
        'A = "DELETE FROM jobs"',
        "A = update(Job).values(x=1)",
    ],
)
def test_a_write_is_seen(tmp_path, written):
    path = tmp_path / "module.py"
    path.write_text(written)

    assert list(_written(path, {"Job": "jobs"})) == ["jobs"]


def test_a_write_in_a_file_of_sql_is_seen(tmp_path):
    path = tmp_path / "statement.sql"
    path.write_text("WITH gone AS (\n    DELETE FROM jobs j USING old\n)\nSELECT 1\n")

    assert list(_written(path, {})) == ["jobs"]
