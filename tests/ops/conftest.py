"""Tests against the servers that operators run: the stack and the table of tests/faults."""

from fault_fixtures import (
    Holds,
    Note,
    OpenStack,
    Remark,
    clean_database_url,
    holds,
    new_folder,
    note,
    open_,
    postgres,
    postgres_url,
    pytest_terminal_summary,
    remark,
)

__all__ = [
    "Holds",
    "Note",
    "OpenStack",
    "Remark",
    "clean_database_url",
    "holds",
    "new_folder",
    "note",
    "open_",
    "postgres",
    "postgres_url",
    "pytest_terminal_summary",
    "remark",
]
