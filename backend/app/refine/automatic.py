"""Poor answers are improved without being asked to."""

from app.refine.queries import AUTOMATIC
from app.settings import Settings
from app.verdicts.lifecycle.lifecycle import RecordExtension


def automatic_refinement(settings: Settings) -> RecordExtension:
    """Enqueues the improvement of an answer with the poor verdict that calls for it."""
    parameters = {
        "refine_threshold": settings.refine_threshold,
        "refine_iterations": settings.refine_iterations,
    }
    return RecordExtension(AUTOMATIC, parameters)
