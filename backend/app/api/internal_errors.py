"""Answers for what fails on our side, and keeps what readers wrote out of the log.

The message of an error may quote values: a database that refuses a row quotes the row. So the
log gets the kinds of the errors and the places in the code, and no message.
"""

import logging
import traceback
from collections.abc import Iterator
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import preferred_language, problem
from app.platform.telemetry.metrics import INTERNAL_ERRORS

logger = logging.getLogger(__name__)

_DETAIL = {
    "en": "Something failed on our side; the server's log has more.",
    "ko": "서버 내부 오류가 발생했습니다. 서버 로그를 확인해 주세요.",
}


class InternalErrors:
    """ASGI middleware. A response that had begun breaks off, which ends its connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # noqa: BLE001  whatever it was, the caller gets an answer
            INTERNAL_ERRORS.inc()
            logger.error("%s failed: %s", scope["method"], "\n".join(_places(error)))  # noqa: TRY400  the message stays out
            if not begun:
                detail = _DETAIL[preferred_language(Request(scope))]
                response = problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal-error", detail)
                await response(scope, receive, send)


def _places(error: BaseException) -> Iterator[str]:
    """Kind and stack of an error, then of what it is made of and came from, each once."""
    waiting = [error]
    seen: set[int] = set()
    while waiting:
        error = waiting.pop(0)
        if id(error) in seen:
            continue
        seen.add(id(error))
        yield f"{type(error).__module__}.{type(error).__qualname__}"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
        inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
        sources = (error.__cause__, error.__context__)
        waiting += [*inner, *(source for source in sources if source is not None)]
