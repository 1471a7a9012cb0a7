"""Tables of verdicts. All of them are imported here, because their foreign keys name each other."""

from app.verdicts.models import (  # noqa: F401
    calls,
    cascade,
    evaluations,
    events,
    findings,
    pauses,
    policy,
)
