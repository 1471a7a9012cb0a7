"""The functions of the database: one file each, with the body it has after the last migration.

A body that was replaced stays in the migration that needs it for its own schema.
"""

from pathlib import Path


def create_function(name: str) -> str:
    """The statement that creates the function, or replaces an earlier body."""
    return (Path(__file__).parent / f"{name}.sql").read_text("utf-8")
