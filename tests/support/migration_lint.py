"""Finds what a migration does that the release before it does not survive, or that keeps writers
out for long. A comment `# contract: WHY` above it, or beside it, says why it is safe."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

# The newest migration of the release before: what comes after it runs beside that release.
RELEASED = "0082"

_BREAKS = {
    "drop_table": "drops a table",
    "rename_table": "renames a table",
    "drop_column": "drops a column",
}
_CONSTRAINTS = {
    "create_foreign_key",
    "create_check_constraint",
    "create_unique_constraint",
    "create_exclude_constraint",
}
_SQL = {
    r"\bDROP\s+(TABLE|COLUMN)\b": "drops a table or column",
    r"\bRENAME\s+(TO|COLUMN)\b": "renames",
    r"\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b": "changes a type",
    r"\bSET\s+NOT\s+NULL\b": "forbids NULL",
    r"\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\bDEFAULT\b)": "NOT NULL without default",
    r"\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)": "makes an index while writers wait",
    r"\bADD\s+CONSTRAINT\b(?![^;]*\b(NOT\s+VALID|USING\s+INDEX)\b)": "validates a constraint",
    r"\b(VACUUM\s+FULL|CLUSTER|LOCK\s+TABLE)\b": "locks a table for long",
    r"\bSET\s+lock_timeout\b": "sets lock_timeout, which `searchqa migrate` has set",
}
_CREATES = re.compile(r"\bCREATE\s+TABLE\s+$", re.IGNORECASE)
_CONTRACT = re.compile(r"#\s*contract:\s*\S+")

Problem = tuple[int, str]


def problems(source: str) -> list[Problem]:
    """The line of each, and what it does there."""
    tree = ast.parse(source)
    lines = source.splitlines()
    constants = _constants(tree)
    reached = list(_reached(tree))
    calls = [node for part in reached for node in ast.walk(part) if _operation(node)]
    created = {
        _text(call.args[0], constants) for call in calls if _operation(call) == "create_table"
    } | set(_created_by_sql(reached))
    found = {
        (call.lineno, call.end_lineno, why)
        for call in calls
        if (why := _of_call(call, constants, created))
    }
    for text in _texts(reached, constants):
        found |= {
            (text.lineno, text.end_lineno, why)
            for pattern, why in _SQL.items()
            if re.search(pattern, str(text.value), re.IGNORECASE)
        }
    return sorted(
        (first, why)
        for first, last, why in found
        if not any(_CONTRACT.search(line) for line in lines[max(first - 2, 0) : last])
    )


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """What names of the module stand for."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            (target,) = node.targets
            if isinstance(target, ast.Name):
                found[target.id] = node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                names = (name.id for name in target.elts if isinstance(name, ast.Name))
                found |= dict(zip(names, node.value.elts, strict=True))
    return found


def _reached(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """upgrade(), and the functions of the module that it calls."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    waiting, seen = ["upgrade"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in functions:
            continue
        seen.add(name)
        yield functions[name]
        waiting += [n.id for n in ast.walk(functions[name]) if isinstance(n, ast.Name)]


def _operation(node: ast.AST) -> str | None:
    """`drop_column` of a call op.drop_column(…)."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if isinstance(owner, ast.Name) and owner.id == "op":
            return node.func.attr
    return None


def _text(node: ast.expr, constants: dict[str, ast.expr]) -> str | None:
    if isinstance(node, ast.Name):
        return _text(constants[node.id], constants) if node.id in constants else node.id
    return node.value if isinstance(node, ast.Constant) else None


def _created_by_sql(parts: list[ast.FunctionDef]) -> Iterator[str]:
    """The tables of CREATE TABLE in f-strings, by the names of their variables."""
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.JoinedStr):
                for before, named in pairwise(node.values):
                    text = getattr(before, "value", "")
                    name = getattr(named, "value", None)
                    made = isinstance(text, str) and _CREATES.search(text)
                    if made and isinstance(name, ast.Name):
                        yield name.id


def _of_call(
    call: ast.Call, constants: dict[str, ast.expr], created: set[str | None]
) -> str | None:
    operation = _operation(call) or ""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if operation in _BREAKS:
        return _BREAKS[operation]
    if operation == "alter_column":
        narrower = "nullable" in given and getattr(given["nullable"], "value", False) is False
        if narrower or given.keys() & {"new_column_name", "type_"}:
            return "renames a column, changes its type or forbids NULL"
    if operation == "add_column" and isinstance(call.args[-1], ast.Call):
        column = {keyword.arg: keyword.value for keyword in call.args[-1].keywords}
        required = getattr(column.get("nullable"), "value", True) is False
        if required and not column.keys() & {"server_default"}:
            return "NOT NULL without default"
    tables = [_text(arg, constants) for arg in call.args[:2]]
    if operation == "create_index" and "postgresql_concurrently" not in given:
        return None if created & set(tables) else "makes an index while writers wait"
    if operation in _CONSTRAINTS and "postgresql_not_valid" not in given:
        return None if created & set(tables) else "validates a constraint"
    return None


def _texts(parts: list[ast.FunctionDef], constants: dict[str, ast.expr]) -> Iterator[ast.Constant]:
    """The strings of the functions, and of the constants of the module that they name."""
    waiting: list[ast.AST] = list(parts)
    seen = set[str]()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node
            elif isinstance(node, ast.Name) and node.id in constants.keys() - seen:
                seen.add(node.id)
                waiting.append(constants[node.id])
