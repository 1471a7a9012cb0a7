"""`python -m app.api`: the API, with the settings of uvicorn that it needs."""

import argparse
import atexit
import gc
import sys

import uvicorn
from fastapi import FastAPI

from app.api.connections import ConnectionLimits, guarded
from app.operations.embedded.ports import claim_port
from app.platform.errors import SetupError
from app.platform.heartbeat import heartbeat
from app.platform.settings import get_settings


def _create() -> FastAPI:
    """The application. What it is made of stays, and looking for garbage in it takes a fifth of the
    time of making it."""
    gc.disable()
    from app.api.app import create_app

    settings = get_settings()
    heartbeat.start(settings.stack.heartbeat_limit_seconds, settings.stack.heartbeat_file)
    app = create_app()
    gc.freeze()
    gc.enable()
    return app


def main() -> int:
    """uvicorn does not look at forwarded headers, since every client could send them; see
    `app.api.client_address`. Without a time limit one open event stream would keep it from
    stopping. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app.api", description="Runs the API.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--log-level", default="info")
    given = parser.parse_args()
    atexit.register(gc.freeze)  # nothing is left to be looked for at the end
    try:
        limits = ConnectionLimits.from_settings(get_settings())
    except SetupError as error:
        sys.stderr.write(f"api: {error}\n")
        return 1
    try:
        _serve(given, limits)
    except SystemExit as ended:
        return _explain_exit(ended, given.host, given.port)
    return 0


def _serve(given: argparse.Namespace, limits: ConnectionLimits) -> None:
    """Raises SystemExit where uvicorn cannot start."""
    uvicorn.run(
        _create,
        factory=True,
        host=given.host,
        port=given.port,
        log_level=given.log_level,
        http=guarded(limits),
        ws="none",
        timeout_keep_alive=5,
        timeout_graceful_shutdown=5,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


def _explain_exit(ended: SystemExit, host: str, port: int) -> int:
    """Names a port in use in one sentence, below uvicorn's own lines. Returns the exit code."""
    try:
        claim_port(host, port, "--port or SEARCHQA_PORT")
    except SetupError as error:
        sys.stderr.write(f"api: {error}\n")
        return 1
    return ended.code if isinstance(ended.code, int) else 1


if __name__ == "__main__":
    sys.exit(main())
