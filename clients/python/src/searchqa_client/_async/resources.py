"""What a server holds: verdicts, labels of people, criteria, datasets and runs."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from typing import Literal

from pydantic import TypeAdapter
from typing_extensions import Unpack

from searchqa_client import models
from searchqa_client._async.transport import AsyncTransport
from searchqa_client.events import FINAL_STATUSES, Event, State, event_of
from searchqa_client.models import EvaluationView, RunDetail, RunView
from searchqa_client.requests import Request, get, post

_LABELS = TypeAdapter(tuple[models.HumanFeedbackView, ...])
_RUN_ENDS = frozenset({"completed", "failed", "cancelled"})
_MAX_PAGE = 200

Id = uuid.UUID | str


class AsyncEvaluations:
    """Verdicts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, evaluation_id: Id) -> EvaluationView:
        return await self._transport.call(
            EvaluationView.model_validate_json, get(_evaluation(evaluation_id))
        )

    async def wait(self, evaluation_id: Id, timeout: float = 60.0) -> EvaluationView:
        """The verdict when it has succeeded, failed or been skipped: `status` says which. Raises
        NotFinished after timeout seconds."""
        return await self._transport.until(
            EvaluationView.model_validate_json,
            get(_evaluation(evaluation_id)),
            lambda view: view.status in FINAL_STATUSES,
            timeout,
        )

    def events(
        self, evaluation_id: Id, last_event_id: str | None = None
    ) -> AsyncGenerator[Event, None]:
        """Every change of one verdict, each once whatever the network does; ends with the final
        one. last_event_id: the `event_id` to go on behind."""
        path = f"{_evaluation(evaluation_id)}/events"
        return self._transport.follow(path, last_event_id, _is_final, event_of)

    def changes(self, last_event_id: str | None = None) -> AsyncGenerator[Event, None]:
        """Every change of every verdict from now on, or behind last_event_id, without end. Until
        the first has come there is no place to resume at: what happens while a connection is lost
        before that is not given."""
        path = "/qa-evaluations/events"
        return self._transport.follow(path, last_event_id, lambda _: False, event_of)

    async def list(
        self,
        *,
        order: Literal["newest", "worst", "slowest", "costliest"] = "newest",
        limit: int = 50,
        after: str | None = None,
        **filters: Unpack[models.EvaluationFilters],
    ) -> models.EvaluationPage:
        """A page of those that match. limit: 1 to 200. after: `next` of the page before."""
        return await self._transport.call(
            models.EvaluationPage.model_validate_json,
            get("/qa-evaluations", order=order, limit=limit, after=after, **filters),
        )

    async def iterate(
        self,
        *,
        order: Literal["newest", "worst", "slowest", "costliest"] = "newest",
        **filters: Unpack[models.EvaluationFilters],
    ) -> AsyncGenerator[models.EvaluationRow, None]:
        """All that match, page by page."""
        after: str | None = None
        while True:
            page = await self.list(order=order, limit=_MAX_PAGE, after=after, **filters)
            for row in page.items:
                yield row
            after = page.next
            if after is None:
                return

    def export(
        self,
        format: Literal["csv", "jsonl"] = "jsonl",  # noqa: A002  # as the API calls it
        **filters: Unpack[models.EvaluationFilters],
    ) -> AsyncGenerator[bytes, None]:
        """All that match in full, as pieces of a file in UTF-8. Raises TimedOut when the file is
        cut off: what came is not all of it."""
        return self._transport.pieces(get("/qa-evaluations/export", format=format, **filters))


class AsyncHumanFeedback:
    """What people say of verdicts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def put(
        self, evaluation_id: Id, **label: Unpack[models.FeedbackCreate]
    ) -> models.HumanFeedbackView:
        """Labels an answer, or one of its claims. What the same author said before is replaced."""
        return await self._transport.call(
            models.HumanFeedbackView.model_validate_json,
            post(f"{_evaluation(evaluation_id)}/feedback", label, repeatable=True),
        )

    async def list(self, evaluation_id: Id) -> tuple[models.HumanFeedbackView, ...]:
        return await self._transport.call(
            _LABELS.validate_json, get(f"{_evaluation(evaluation_id)}/feedback")
        )

    async def delete(self, evaluation_id: Id, feedback_id: Id) -> None:
        path = f"{_evaluation(evaluation_id)}/feedback/{_segment(feedback_id)}"
        await self._transport.send(Request("DELETE", path))


class AsyncCriteria:
    """The workspace's own criteria. A version never changes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, **criterion: Unpack[models.CriterionCreate]) -> models.CriterionVersion:
        """Keeps the next version of a name, which the next answers are judged by."""
        return await self._transport.call(
            models.CriterionVersion.model_validate_json,
            post("/criteria", criterion, repeatable=False),
        )

    async def get(self, criterion_id: Id) -> models.CriterionVersion:
        return await self._transport.call(
            models.CriterionVersion.model_validate_json, get(_criterion(criterion_id))
        )

    async def list(
        self, *, in_force: bool = False, limit: int = 50, after: str | None = None
    ) -> models.CriterionPage:
        """Versions, newest first. in_force: only those that answers are judged by now. limit: 1 to
        200. after: `next` of the page before."""
        return await self._transport.call(
            models.CriterionPage.model_validate_json,
            get("/criteria", in_force=in_force, limit=limit, after=after),
        )

    async def archive(self, criterion_id: Id) -> models.CriterionVersion:
        """No answer is judged by any version of its name from now on; scores stay."""
        return await self._transport.call(
            models.CriterionVersion.model_validate_json,
            Request("POST", f"{_criterion(criterion_id)}/archive"),
        )


class AsyncDatasets:
    """Questions with known answers."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, **dataset: Unpack[models.DatasetCreate]) -> models.DatasetDetail:
        """Stores test cases; under a name that is taken they become its next version."""
        return await self._transport.call(
            models.DatasetDetail.model_validate_json,
            post("/evaluation/datasets", dataset, repeatable=False),
        )

    async def add_answer(self, **case: Unpack[models.CaseFromAnswer]) -> models.AddedCase:
        """Makes a test case of the answer of a verdict, unless the dataset has it."""
        return await self._transport.call(
            models.AddedCase.model_validate_json,
            post("/evaluation/datasets/from-answer", case, repeatable=True),
        )

    async def get(self, dataset_id: Id) -> models.DatasetDetail:
        return await self._transport.call(
            models.DatasetDetail.model_validate_json, get(_dataset(dataset_id))
        )

    async def list(self, *, limit: int = 50, after: str | None = None) -> models.DatasetPage:
        """limit: 1 to 200. after: `next` of the page before."""
        return await self._transport.call(
            models.DatasetPage.model_validate_json,
            get("/evaluation/datasets", limit=limit, after=after),
        )

    async def delete(self, dataset_id: Id) -> None:
        await self._transport.send(Request("DELETE", _dataset(dataset_id)))


class AsyncRuns:
    """Runs over datasets."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def estimate(
        self, dataset_id: Id, **options: Unpack[models.RunEvaluation]
    ) -> models.EstimateRead:
        """Calls, tokens and US dollars that a run would take."""
        return await self._transport.call(
            models.EstimateRead.model_validate_json,
            post(f"{_dataset(dataset_id)}/estimate", options, repeatable=True),
        )

    async def start(self, dataset_id: Id, **options: Unpack[models.RunEvaluation]) -> RunDetail:
        """Returns at once; `wait` gives the end. It is never started twice: when no answer came,
        `list` shows whether it has begun."""
        return await self._transport.call(
            RunDetail.model_validate_json,
            post(f"{_dataset(dataset_id)}/runs", options, repeatable=False),
        )

    async def get(self, run_id: Id) -> RunDetail:
        """With the results so far."""
        return await self._transport.call(RunDetail.model_validate_json, get(_run(run_id)))

    async def progress(self, run_id: Id) -> RunView:
        """Without the results."""
        return await self._transport.call(
            RunView.model_validate_json, get(f"{_run(run_id)}/progress")
        )

    async def wait(self, run_id: Id, timeout: float = 600.0) -> RunDetail:
        """The run with its results when it has ended: `status` says how. Raises NotFinished after
        timeout seconds."""
        await self._transport.until(
            RunView.model_validate_json,
            get(f"{_run(run_id)}/progress"),
            lambda view: view.status in _RUN_ENDS,
            timeout,
        )
        return await self.get(run_id)

    async def list(
        self, dataset_id: Id | None = None, *, limit: int = 50, after: str | None = None
    ) -> models.RunPage:
        """Newest first. limit: 1 to 200. after: `next` of the page before."""
        return await self._transport.call(
            models.RunPage.model_validate_json,
            get("/evaluation/runs", dataset_id=dataset_id, limit=limit, after=after),
        )

    async def cancel(self, run_id: Id) -> RunView:
        """Ends a run; what it has measured stays."""
        return await self._transport.call(
            RunView.model_validate_json, Request("POST", f"{_run(run_id)}/cancel", repeatable=False)
        )


def _is_final(event: Event) -> bool:
    return isinstance(event, State) and event.final


def _evaluation(evaluation_id: Id) -> str:
    return f"/qa-evaluations/{_segment(evaluation_id)}"


def _criterion(criterion_id: Id) -> str:
    return f"/criteria/{_segment(criterion_id)}"


def _dataset(dataset_id: Id) -> str:
    return f"/evaluation/datasets/{_segment(dataset_id)}"


def _run(run_id: Id) -> str:
    return f"/evaluation/runs/{_segment(run_id)}"


def _segment(id_: Id) -> str:
    """Raises ValueError for what is no id, before it becomes part of a path."""
    return str(id_ if isinstance(id_, uuid.UUID) else uuid.UUID(id_))
