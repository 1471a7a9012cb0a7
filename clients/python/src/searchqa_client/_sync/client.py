# Made from ../_async/client.py by `make client-types`; not to be edited.
"""The client."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from types import TracebackType

import httpx
from typing_extensions import Self, Unpack

from searchqa_client._sync.api import Api
from searchqa_client._sync.resources import Criteria, Datasets, Evaluations, HumanFeedback, Runs
from searchqa_client._sync.transport import Transport
from searchqa_client.asking import ask_request
from searchqa_client.events import Event, event_of
from searchqa_client.guarding import (
    Deadline,
    GuardVerdict,
    Undecided,
    seconds_there,
    unknown,
    verdict_of,
)
from searchqa_client.models import (
    AIChatResponse,
    ChatOptions,
    EvaluationCreated,
    EvaluationView,
    Feature,
    GateRead,
    Status,
)
from searchqa_client.note import AnyNote, plain_notes
from searchqa_client.requests import parsed
from searchqa_client.retry import Retry
from searchqa_client.settings import server_of
from searchqa_client.submission import Submission


class VerdictHandle:
    """An answer that was handed over, and its verdict that comes. status, reason: at that time."""

    def __init__(self, created: EvaluationCreated, evaluations: Evaluations) -> None:
        self.id: uuid.UUID = created.id
        self.answer_id: uuid.UUID = created.answer_id
        self.status: Status = created.status
        self.reason: str | None = created.reason
        self._evaluations = evaluations

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={str(self.id)!r}, status={self.status!r})"

    def get(self) -> EvaluationView:
        """The verdict as it stands."""
        return self._evaluations.get(self.id)

    def wait(self, timeout: float = 60.0) -> EvaluationView:
        """The verdict when it has succeeded, failed or been skipped: `status` says which. Raises
        NotFinished after timeout seconds."""
        return self._evaluations.wait(self.id, timeout)

    def events(self, last_event_id: str | None = None) -> Generator[Event, None]:
        """Every change, each once whatever the network does; ends with the final one."""
        return self._evaluations.events(self.id, last_event_id)


class SearchQA:
    """A SearchQA server. It connects when it is first used; close it, or use it by `with`.

    url: by default that of SEARCHQA_URL, else http://127.0.0.1:8765. token: by default that of
    SEARCHQA_TOKEN; or a function that makes one, called again when the last one has expired.
    timeout: seconds without a sign of life from the server. lang: of the sentences in errors, `ko`
    or `en`. retry: when a request is sent again. transport: of httpx, for tests and custom
    networks. on_reply: called with each response of success, before its body is read. user_agent:
    in ASCII, how the audit log calls the program. Raises ConfigurationError; its methods raise
    SearchQAError.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | Callable[[], str] | None = None,
        *,
        timeout: float = 30.0,
        lang: str | None = None,
        retry: Retry | None = None,
        transport: httpx.BaseTransport | None = None,
        on_reply: Callable[[httpx.Response], object] | None = None,
        user_agent: str | None = None,
    ) -> None:
        self._transport = Transport(
            server_of(url, token),
            timeout=timeout,
            lang=lang,
            retry=retry or Retry(),
            inner=transport,
            on_reply=on_reply,
            user_agent=user_agent,
        )
        self.api = Api(self._transport)
        self.evaluations = Evaluations(self._transport)
        self.feedback = HumanFeedback(self._transport)
        self.criteria = Criteria(self._transport)
        self.datasets = Datasets(self._transport)
        self.runs = Runs(self._transport)

    @property
    def url(self) -> str:
        return self._transport.url

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self.url!r})"

    def submit(
        self,
        question: str,
        answer: str,
        notes: Iterable[AnyNote] = (),
        *,
        lang: str | None = None,
        feature: Feature | None = None,
        model: str | None = None,
        profile: str | None = None,
        slots: Mapping[str, object] | None = None,
        history: Sequence[tuple[str, str]] | None = None,
        idempotency_key: str | None = None,
        traceparent: str | None = None,
    ) -> VerdictHandle:
        """Has an answer judged that the application gave from these notes. Sent again it is still
        judged once: the key is made here unless the caller has one, which the same answer must
        keep. model, profile, slots: who answered, and what is known of the asker. history:
        (question, answer) of each turn before, the oldest first; by default those submitted with
        the same session_id."""
        submission = Submission(
            question=question,
            answer=answer,
            notes=plain_notes(notes),
            lang=lang,
            feature=feature,
            model=model,
            profile=profile,
            slots=slots,
            history=history,
            idempotency_key=idempotency_key,
            traceparent=traceparent,
        )
        created = self._transport.call(EvaluationCreated.model_validate_json, submission.request())
        return VerdictHandle(created, self.evaluations)

    def submit_once(self, submission: Submission) -> None:
        """The same for callers that have retries of their own."""
        response = self._transport.send_once(submission.request())
        parsed(EvaluationCreated.model_validate_json, response)

    def guard(
        self,
        question: str,
        answer: str,
        notes: Iterable[AnyNote] = (),
        *,
        within: float = 1.5,
        undecided: Undecided = "unknown",
        lang: str | None = None,
        model: str | None = None,
        history: Sequence[tuple[str, str]] | None = None,
        idempotency_key: str | None = None,
        traceparent: str | None = None,
    ) -> GuardVerdict:
        """Whether the answer may be shown, by rules, within so many seconds; the answer is stored
        and judged besides, as by `submit`. history: as there. undecided: `hold` holds back what
        rules cannot tell. Raises nothing: what goes wrong, here or there, is `unknown`, and
        `reason` says it."""
        began = time.monotonic()
        try:
            submission = Submission(
                question=question,
                answer=answer,
                notes=plain_notes(notes),
                lang=lang,
                model=model,
                history=history,
                idempotency_key=idempotency_key,
                traceparent=traceparent,
                within=seconds_there(within),
            )
            deadline = Deadline(within)
            response = deadline.call(self._transport.send_once, submission.request())
            found = parsed(GateRead.model_validate_json, response)
            return verdict_of(found, undecided, began)
        except Exception as error:  # noqa: BLE001  # the host goes on
            return unknown(error, began)

    def chat(
        self,
        question: str,
        notes: Iterable[AnyNote] | None = None,
        *,
        feature: Feature = "search_qa",
        lang: str | None = None,
        **options: Unpack[ChatOptions],
    ) -> AIChatResponse:
        """An answer by SearchQA, from the workspace's notes or from those that are given. `quality`
        names its verdict, which `evaluations.wait` waits for."""
        request = ask_request("/ai/chat", question, notes, feature, lang, options)
        return self._transport.call(AIChatResponse.model_validate_json, request)

    def stream(
        self,
        question: str,
        notes: Iterable[AnyNote] | None = None,
        *,
        feature: Feature = "search_qa",
        lang: str | None = None,
        **options: Unpack[ChatOptions],
    ) -> Generator[Event, None]:
        """The same piece by piece: Started, Chunk …, Done, State, then Quality, Verdict and
        Feedback where the verdict comes within the server's time for it. A stream that is lost
        raises TimedOut and is not begun anew; `Started` says how to find its verdict."""
        request = ask_request("/ai/stream", question, notes, feature, lang, options)
        return self._transport.events(request, event_of)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
