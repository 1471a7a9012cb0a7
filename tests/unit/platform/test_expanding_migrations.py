"""A migration leaves what the release before it needs: both run while processes are replaced."""

from pathlib import Path

from cases import for_each
from migration_lint import RELEASED, problems

VERSIONS = Path(__file__).parents[3] / "migrations/versions"
NEW = sorted(path for path in VERSIONS.glob("0*.py") if path.stem[:4] > RELEASED)


@for_each("path", NEW, ids=lambda path: path.stem)
def test_the_release_before_survives_it(path):
    assert not problems(path.read_text())


@for_each(
    "line",
    [
        'op.drop_table("jobs")',
        'op.drop_column("jobs", "kind")',
        'op.rename_table("jobs", "work")',
        'op.alter_column("jobs", "kind", new_column_name="sort")',
        'op.alter_column("jobs", "kind", type_=sa.Text())',
        'op.alter_column("jobs", "kind", nullable=False)',
        'op.add_column("jobs", sa.Column("room", sa.Text(), nullable=False))',
        'op.create_index("ix", "jobs", ["kind"])',
        'op.create_check_constraint("ck", "jobs", "true")',
        'op.execute("ALTER TABLE jobs ALTER kind TYPE text")',
        'op.execute("ALTER TABLE jobs ADD COLUMN room text NOT NULL")',
        "op.execute(_SQL)",
        "_below()",
    ],
)
def test_what_breaks_it_is_found(line):
    module = (
        '_SQL = "CREATE INDEX ix ON jobs (kind)"\n'
        'def _below():\n    op.execute("DROP TABLE jobs")\n'
        "def upgrade():\n    {}\n"
        'def downgrade():\n    op.drop_table("rooms")\n'
    )
    assert len(problems(module.format(line))) == 1


def test_a_reason_why_it_is_safe():
    drop = 'op.drop_table("jobs")'
    assert not problems(f"def upgrade():\n    # contract: nobody reads it\n    {drop}\n")
    assert not problems(f"def upgrade():\n    {drop}  # contract: nobody reads it\n")
    assert problems(f"def upgrade():\n    # nobody reads it\n    {drop}\n")


@for_each(
    "line",
    [
        'op.add_column("jobs", sa.Column("room", sa.Text()))',
        'op.add_column("jobs", sa.Column("room", sa.Text(), nullable=False, server_default=""))',
        'op.create_index("ix", "jobs", ["kind"], postgresql_concurrently=True)',
        'op.create_table("rooms")\n    op.create_index("ix", "rooms", ["kind"])',
        'op.execute(f"CREATE TABLE {t} (a int)")\n    op.create_index("ix", t, ["a"])',
        'op.execute("CREATE INDEX CONCURRENTLY ix ON jobs (kind)")',
        'op.execute("ALTER TABLE jobs ADD CONSTRAINT ck CHECK (true) NOT VALID")',
        "op.execute(\"ALTER TABLE jobs ADD COLUMN room text NOT NULL DEFAULT ''\")",
    ],
)
def test_what_adds_is_not(line):
    assert not problems(f"def upgrade():\n    {line}\n")
