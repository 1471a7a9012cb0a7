"""What each process leaves out when it starts: every import is waited for by somebody."""

import os
import subprocess
import sys

from cases import for_each

# Kiwi and its model, stemmers, clients of HTTP, prices, Parquet: for the calls that need them.
_WITH_THE_CALL = frozenset(
    {"kiwipiepy", "aiohttp", "httpx", "genai_prices", "pyarrow", "alembic"}
    | {"onnxruntime", "snowballstemmer", "tokenizers"}
)
_ORM = frozenset({"sqlalchemy", "app.platform.db.base"})
_SERVING = frozenset({"fastapi", "uvicorn", "app.api"})
_JUDGING = frozenset({"app.judges.rules.judge", "app.verdicts.lifecycle.lifecycle"})
_JOBS = frozenset(
    {"numpy", "app.experiments.datasets", "app.answering.refine", "app.platform.jobs"}
)
# Celery's command line brings Flower and a prompt with it.
_COMMAND_LINE = frozenset({"celery.bin.celery", "flower", "tornado", "prompt_toolkit"})

_VERDICTS = (
    _WITH_THE_CALL
    | _ORM
    | _SERVING
    | (_JOBS - {"app.answering.refine", "app.platform.jobs"})
    | {"app.answering.refine.job", "app.platform.jobs.job"}
    | _COMMAND_LINE
)
LEFT_OUT = {
    "app.cli": _WITH_THE_CALL | _ORM | _SERVING | _JUDGING | _JOBS | {"pydantic", "celery"},
    # Of a command that asks the server, and makes itself a token.
    "app.cli.ask, app.cli.verdicts": (_WITH_THE_CALL - {"httpx"})
    | (_ORM | _SERVING | _JUDGING | {"numpy", "celery"}),
    "app.cli.token": _WITH_THE_CALL | _SERVING | _JUDGING | _JOBS | {"celery"},
    "app.cli.up": _WITH_THE_CALL | _ORM | _SERVING | _JUDGING | _JOBS | {"celery", "redis", "yaml"},
    # Of what only asks whether a model is configured.
    "app.ai_router.providers.servers": _WITH_THE_CALL | _ORM,
    "app.api.app": _WITH_THE_CALL | _COMMAND_LINE | {"worker"},
    # With the process around it. A verdict enqueues the improvement of its answer.
    "worker.tasks": _VERDICTS,
    "worker.__main__": _WITH_THE_CALL | _ORM | _SERVING | _JUDGING | _JOBS | _COMMAND_LINE,
    "worker.flower, worker.celery_app": _WITH_THE_CALL
    | _ORM
    | _SERVING
    | _JUDGING
    | _JOBS
    | {"celery.bin.celery", "prompt_toolkit"},
    "worker.dispatcher": _WITH_THE_CALL
    | _SERVING
    | _COMMAND_LINE
    | {"numpy", "app.experiments.datasets"},
}


@for_each("entry", LEFT_OUT)
def test_a_process_imports_only_what_its_start_needs(entry):
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys, {entry}; print(*sys.modules)"],
        env=os.environ | {"REDIS_URL": "redis://127.0.0.1:1/0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert LEFT_OUT[entry].isdisjoint(ended.stdout.split())
