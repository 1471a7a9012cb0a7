"""Poor answers are improved without being asked to."""

from app.platform.db.statements import load_sql
from app.platform.jobs.status import INSERT_JOBS, UNLESS_UNFINISHED
from app.platform.settings import Settings
from app.verdicts.lifecycle.lifecycle import RecordExtension

REFINE_JOB = "refine"
_ENQUEUE_AND_INSERT = load_sql(
    __package__,
    "automatic",
    refine_job=REFINE_JOB,
    insert_jobs=INSERT_JOBS,
    unless_unfinished=UNLESS_UNFINISHED,
)


def automatic_refinement(settings: Settings) -> RecordExtension:
    """Enqueues the improvement of an answer with the poor verdict that calls for it."""
    parameters = {
        "refine_threshold": settings.refine.threshold,
        "refine_iterations": settings.refine.max_iterations,
    }
    return RecordExtension(_ENQUEUE_AND_INSERT, parameters)
