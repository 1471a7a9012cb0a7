"""Celery workers that judge, and the dispatcher that publishes due rows.

`celery -A worker …` finds the application here; it is made when it is first looked up.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """`worker.app` for Celery's commands. Ends the process with one sentence where a setting is
    missing or wrong, since Celery would print the traceback."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from app.platform.errors import SetupError

    try:
        from worker.celery_app import app
    except SetupError as error:
        raise SystemExit(f"worker: {error}") from None
    return app
