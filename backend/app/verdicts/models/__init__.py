"""Tables of verdicts. All of them are imported here, because their foreign keys name each other."""

from app.verdicts.models import calls, evaluations, events, findings, pauses, policy  # noqa: F401
