"""FastAPI: a dependency that has answers judged after the response is sent.

    from searchqa_client.fastapi import Judge, Judging

    judging = Judging()
    app = FastAPI(lifespan=judging.lifespan)

    @app.post("/ask")
    async def ask(question: str, judge: Annotated[Judge, Depends(judging)]) -> str:
        notes = await search(question)
        answer = await generate(question, notes)
        judge.submit(question, answer, notes)
        return answer

The `traceparent` of the request goes with the answer. Nothing is submitted for a request that
fails. An answer that is streamed is submitted at the end of its generator.

Not supported: WebSocket routes (call Background.submit there), and responses with a `background`
of their own, which FastAPI runs instead of its BackgroundTasks: give that work to BackgroundTasks.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

from fastapi import BackgroundTasks, Request
from fastapi.concurrency import run_in_threadpool

from searchqa_client import AnyNote, Background
from searchqa_client._collecting import default_background
from searchqa_client.attributes import current_attributes
from searchqa_client.note import kept


class Judge:
    """Of one request; made by Judging."""

    def __init__(
        self, background: Background, tasks: BackgroundTasks, traceparent: str | None
    ) -> None:
        self._background = background
        self._tasks = tasks
        self._traceparent = traceparent

    def submit(
        self,
        question: str,
        answer: str,
        notes: Iterable[AnyNote] = (),
        *,
        lang: str | None = None,
        feature: str | None = None,
        model: str | None = None,
        profile: str | None = None,
        slots: Mapping[str, object] | None = None,
        history: Sequence[tuple[str, str]] | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """As Background.submit, once the response is sent."""
        notes, attributes = kept(notes), current_attributes()

        # A coroutine, because Starlette would start a thread for a function.
        async def hand_over() -> None:
            self._background.submit(
                question,
                answer,
                notes,
                lang=lang,
                feature=feature,
                model=model,
                profile=profile,
                slots=slots,
                history=history,
                idempotency_key=idempotency_key,
                traceparent=self._traceparent,
                attributes=attributes,
            )

        self._tasks.add_task(hand_over)


class Judging:
    """The dependency. background: by default one that the process shares, set by SEARCHQA_URL and
    SEARCHQA_TOKEN. flush_seconds: how long the end of the application may wait for answers to be
    sent."""

    def __init__(self, background: Background | None = None, *, flush_seconds: float = 5.0) -> None:
        self.background = background or default_background()
        self._flush_seconds = flush_seconds

    # A coroutine, because FastAPI would call a function in a thread, and wait for a free one.
    async def __call__(self, request: Request, tasks: BackgroundTasks) -> Judge:
        return Judge(self.background, tasks, request.headers.get("traceparent"))

    @asynccontextmanager
    async def lifespan(self, app: object) -> AsyncIterator[None]:
        """For `FastAPI(lifespan=…)`; in a lifespan of your own, `async with` it around the
        `yield`."""
        try:
            yield
        finally:
            await run_in_threadpool(self.background.flush, self._flush_seconds)
