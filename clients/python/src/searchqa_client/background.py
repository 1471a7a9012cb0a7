"""Hands answers to the server in the background, at no risk to the application."""

from __future__ import annotations

import atexit
import contextlib
import threading
import uuid
import weakref
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType

from typing_extensions import Self

from searchqa_client import drops
from searchqa_client._forks import starts_over_in_children
from searchqa_client._sync.client import SearchQA
from searchqa_client.attributes import current_attributes
from searchqa_client.drops import described, log_drops, log_waiting
from searchqa_client.errors import Problem, SearchQAError, UnexpectedReply
from searchqa_client.note import AnyNote, plain_notes
from searchqa_client.outbox import Bounds, Outbox, Stats, Waiting
from searchqa_client.retry import Retry
from searchqa_client.submission import Submission

# One may be a restart of the server.
_FAILURES_BEFORE_WARNING = 3
# Of a thread that has nothing to send any more.
_END_SECONDS = 1.0


class Background:
    """Hands answers over from threads of its own, so that the application neither waits for the
    server nor fails with it.

    While the server is away answers wait, and the newest are kept: beyond max_waiting answers, or
    max_bytes of memory for their texts, the oldest is dropped. An answer that the server refuses
    is dropped alone. Drops are counted in `stats` and logged as a warning, at most once per
    warn_seconds. What waits when the process ends is sent within exit_seconds. A forked process
    has a queue and threads of its own, and leaves the answers of its parent to the parent.

    senders: threads, each with one answer on the way: a server that takes 50 ms for one takes 20
    a second from each.

    client: whose server and token are used, else url and token are, as by SearchQA. timeout: see
    there. Raises ConfigurationError for an address or a token that cannot be used, and nothing
    later.
    """

    def __init__(
        self,
        client: SearchQA | None = None,
        *,
        url: str | None = None,
        token: str | None = None,
        max_waiting: int = 1000,
        max_bytes: int = 64 * 1024 * 1024,
        timeout: float = 30.0,
        senders: int = 1,
        exit_seconds: float = 5.0,
        warn_seconds: float = 60.0,
        retry: Retry | None = None,
    ) -> None:
        self._client = client or SearchQA(url, token, timeout=timeout)
        self._owns_client = client is None
        self._bounds = Bounds(max_waiting, max_bytes, warn_seconds)
        self._senders = senders
        self._exit_seconds = exit_seconds
        self._retry = retry or Retry()
        self._start_over()
        starts_over_in_children(self)
        _alive.add(self)

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
        traceparent: str | None = None,
        attributes: Mapping[str, object] | None = None,
    ) -> None:
        """Has the answer sent soon. Returns at once and never raises: what cannot be sent is
        counted in `stats.dropped`. attributes: by default those of `propagate_attributes`."""
        outbox = self._outbox
        try:
            outbox.put(
                Submission(
                    question=question,
                    answer=answer,
                    notes=plain_notes(notes),
                    lang=lang,
                    feature=feature,
                    model=model,
                    profile=profile,
                    slots=None if slots is None else dict(slots),
                    history=None if history is None else list(history),
                    idempotency_key=idempotency_key or uuid.uuid4().hex,
                    traceparent=traceparent,
                    attributes=current_attributes() if attributes is None else attributes,
                )
            )
        except Exception as error:  # noqa: BLE001  # whatever was handed over, the host goes on
            outbox.refuse(drops.INVALID, described(error))
        self._ensure_threads()

    def flush(self, timeout: float = 10.0) -> bool:
        """Waits, at most so many seconds, until all that was submitted is sent or dropped; False
        when something still waits. In asyncio call it by `asyncio.to_thread`."""
        return self._outbox.flush(timeout)

    def close(self, timeout: float | None = None) -> None:
        """Flushes, for exit_seconds unless timeout says otherwise, and ends the threads. What is
        not sent by then, or submitted later, is dropped."""
        # The end of the process closes it again, to tell of what was submitted too late.
        if not self._outbox.closed:
            self._outbox.flush(self._exit_seconds if timeout is None else timeout)
        self._outbox.close()
        if not self._outbox.stats.waiting:
            # An interpreter that ends beside a thread may crash.
            for thread in self._threads:
                if thread is not threading.current_thread():
                    thread.join(_END_SECONDS)
        log_drops(self._outbox.drop_message(even_early=True))
        if self._owns_client and not self._outbox.stats.waiting:
            self._client.close()

    @property
    def stats(self) -> Stats:
        return self._outbox.stats

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _start_over(self) -> None:
        """Called in a forked child, where no thread but the forking one is left, and locks may be
        held for good."""
        self._outbox = Outbox(self._bounds, self._client.url)
        self._threads: list[threading.Thread] = []
        # A signal handler may submit while a thread is being started.
        self._starting = threading.RLock()

    def _ensure_threads(self) -> None:
        if self._are_running():
            return
        with self._starting:
            if self._are_running() or self._outbox.closed:
                return
            self._threads = []
            # An interpreter that is ending starts no thread: what waits is dropped by `close`. One
            # at its limit of threads makes do with those that it has.
            with contextlib.suppress(RuntimeError):
                for n in range(self._senders):
                    thread = threading.Thread(
                        target=self._hand_over_all, name=f"searchqa-background-{n}", daemon=True
                    )
                    thread.start()
                    self._threads.append(thread)

    def _are_running(self) -> bool:
        return bool(self._threads) and self._threads[0].is_alive()

    def _hand_over_all(self) -> None:
        outbox = self._outbox
        failures = 0
        while not outbox.closed:
            waiting = outbox.take()
            log_drops(outbox.drop_message())
            if waiting is None:
                continue
            failure = self._hand_over(outbox, waiting)
            failures = failures + 1 if failure else 0
            if failures == _FAILURES_BEFORE_WARNING:
                log_waiting(failure)
            if failure:
                outbox.pause(self._retry.pause(failures, failure.retry_after))

    def _hand_over(self, outbox: Outbox, waiting: Waiting) -> SearchQAError | None:
        """Sends it once. A failure that will pass is returned, and the answer waits again."""
        try:
            self._client.submit_once(waiting.submission)
        except SearchQAError as error:
            if error.transient:
                # Who was not reached at all is away for every answer; a request that got no
                # answer may itself be the cause.
                outbox.put_back(waiting, last=error.arrived)
                return error
            outbox.dropped(waiting, _reason(error), str(error))
        except Exception as error:  # noqa: BLE001  # the thread must go on with the next answer
            outbox.dropped(waiting, drops.INVALID, described(error))
        else:
            outbox.sent(waiting)
        return None


def _reason(error: SearchQAError) -> str:
    if isinstance(error, Problem):
        return f"http_{error.status}"
    return drops.UNEXPECTED_REPLY if isinstance(error, UnexpectedReply) else drops.INVALID


_alive: weakref.WeakSet[Background] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for background in list(_alive):
        background.close()
