"""SQL in files of its own, and the states that it names."""

import re
from pathlib import Path

import pytest

import app
from app.platform.db.statements import SqlFile, in_list, load_sql
from app.platform.jobs.status import JobStatus, RunStatus
from app.verdicts.status import WAITING, Status
from cases import for_each

_STATES = {state.value for kind in (Status, JobStatus, RunStatus) for state in kind}
_ROOT = Path(next(iter(app.__path__)))
_FILES = sorted(_ROOT.glob("**/sql/*.sql"))


def package_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> str:
    # A package of its own for each test: modules stay imported.
    package = f"made_{tmp_path.name}"
    folder = tmp_path / package
    (folder / "sql").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "sql" / "one.sql").write_text(written)
    monkeypatch.syspath_prepend(tmp_path)
    return package


def statement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> str:
    package = package_of(tmp_path, monkeypatch, written)
    return load_sql(package, "one", states=in_list(WAITING))


def test_comments_are_not_sent(tmp_path, monkeypatch):
    """A colon or a percent sign in one would be a parameter."""
    sent = statement(
        tmp_path, monkeypatch, "-- Takes :a and %(b)s.\nSELECT 1,\n    -- 50 %\n    2\n"
    )

    assert sent == "SELECT 1,\n    2"


def test_fragments_are_filled_in_and_arrays_stay(tmp_path, monkeypatch):
    sent = statement(tmp_path, monkeypatch, "SELECT '{}' WHERE status IN ({states})\n")

    assert sent == "SELECT '{}' WHERE status IN ('queued', 'retrying')"


def test_a_fragment_that_is_not_given_is_an_error(tmp_path, monkeypatch):
    with pytest.raises(KeyError, match="other"):
        statement(tmp_path, monkeypatch, "SELECT {other}\n")


def test_statements_of_a_file_are_fragments_of_each_other(tmp_path, monkeypatch):
    written = (
        "-- Two.\n\n-- name: old\n-- A comment.\nage > {days}\n\n"
        "-- name: count\nSELECT '{}' FROM {table} WHERE {old}\n"
    )
    sql = SqlFile(package_of(tmp_path, monkeypatch, written), "one", days="3")

    assert sql("count", table="jobs") == "SELECT '{}' FROM jobs WHERE age > 3"
    assert sql("count", table="jobs", old="true") == "SELECT '{}' FROM jobs WHERE true"
    with pytest.raises(KeyError, match="table"):
        sql("count")


@for_each("file", _FILES, ids=lambda file: str(file.relative_to(_ROOT)))
def test_each_file_begins_with_what_it_is_for(file):
    assert file.read_text().startswith("-- ")


@pytest.mark.parametrize("suffix", ["py", "sql"])
def test_lists_of_states_come_from_the_enums(suffix):
    written = {
        f"{file.relative_to(_ROOT)}: {found[0]}"
        for file in _ROOT.rglob(f"*.{suffix}")
        for found in re.finditer(r"IN \(('\w+'(?:,\s*'\w+')*)\)", file.read_text())
        if set(re.findall(r"\w+", found[1])) <= _STATES
    }

    assert not written
