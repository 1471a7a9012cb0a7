"""Tables of verdicts. All of them are imported here, because their foreign keys name each other."""

from app.verdicts.models import evaluations, findings, policy  # noqa: F401
