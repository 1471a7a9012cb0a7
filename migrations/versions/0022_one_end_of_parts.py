"""One trigger function ends a run or a judge bench with a job that was a part of it."""

from collections.abc import Sequence
from importlib import import_module

from alembic import op

from migrations.functions import create_function

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

# What this revision replaces.
_RUNS = import_module("migrations.versions.0007_datasets_and_runs")
_BENCHES = import_module("migrations.versions.0011_judge_benches")
# Kind of job, table of the owner, key of the payload.
_OWNERS = (
    ("evaluate_cases", "eval_runs", "run_id"),
    ("judge_bench", "judge_benches", "bench_id"),
)


def upgrade() -> None:
    op.execute(create_function("end_owner_of_ended_part"))
    op.execute("DROP TRIGGER fail_run_of_failed_job ON jobs")
    op.execute("DROP TRIGGER end_bench_of_ended_job ON jobs")
    op.execute("DROP FUNCTION fail_run_of_failed_job")
    op.execute("DROP FUNCTION end_bench_of_ended_job")
    for kind, table, key in _OWNERS:
        op.execute(f"""
            CREATE TRIGGER end_{table}_of_ended_part AFTER UPDATE OF status ON jobs
            FOR EACH ROW WHEN (NEW.kind = '{kind}' AND NEW.status IN ('failed', 'cancelled'))
            EXECUTE FUNCTION end_owner_of_ended_part('{table}', '{key}')
        """)


def downgrade() -> None:
    for _, table, _ in _OWNERS:
        op.execute(f"DROP TRIGGER end_{table}_of_ended_part ON jobs")
    op.execute("DROP FUNCTION end_owner_of_ended_part")
    for statement in (_RUNS.FAIL_RUN, _RUNS.ON_FAILED, _BENCHES.END_BENCH, _BENCHES.ON_ENDED):
        op.execute(statement)
