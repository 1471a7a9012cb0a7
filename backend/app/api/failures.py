"""Failures that recur: list, show, give an owner and a state."""

import uuid
from typing import Annotated, Self

from fastapi import APIRouter, Query
from pydantic import Field, model_validator

from app.api.analytics import AskedFilters
from app.api.openapi import not_found
from app.api.parameters import Limit, decode_cursor, encode_cursor, number
from app.api.schemas import NO_NUL, NonEmpty, StrictBody
from app.api.sessions import LAGGING, LaggingReadAccess, ReadAccess, WriteAccess
from app.platform.db.owned_queries import Page
from app.quality.failures import service
from app.quality.failures.models import MAX_OWNER_CHARS, FailureState
from app.quality.failures.service import FailurePage, RecurringFailureDetail, RecurringFailureRead

router = APIRouter(prefix="/failures", tags=["analytics"])

_NO_FAILURE = not_found("The workspace has no such failure.")
_ORDER = "answers"

_Owner = Annotated[str, NonEmpty, Field(max_length=MAX_OWNER_CHARS)]
_Release = Annotated[str, NonEmpty, Field(max_length=200)]
_Text = Annotated[str | None, Query(max_length=200, pattern=NO_NUL)]


class FailureUpdate(StrictBody):
    """What is left out stays as it is; an owner of null is nobody. mended_in: the release that
    mends it, with the state `mended` only; without it any later answer opens the failure again."""

    owner: _Owner | None = None
    state: FailureState | None = None
    mended_in: _Release | None = None

    @model_validator(mode="after")
    def _mended_by_a_release(self) -> Self:
        if self.mended_in is not None and self.state is not FailureState.MENDED:
            raise ValueError('mended_in goes with "state": "mended"')
        if "state" in self.model_fields_set and self.state is None:
            raise ValueError("state cannot be null; leave it out to keep it")
        return self


@router.get("", responses=LAGGING | not_found("The workspace has no such notebook."))
async def list_failures(
    access: LaggingReadAccess,
    filters: AskedFilters,
    state: FailureState | None = None,
    owner: _Text = None,
    fault: _Text = None,
    note_id: uuid.UUID | None = None,
    min_answers: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    after: Annotated[str | None, Query(max_length=200)] = None,
    limit: Limit = 50,
) -> FailurePage:
    """Groups of doubted answers of the period, most answers first. Without `min_answers` those that
    are open and nobody owns are listed from the second answer on, all others always. Verdicts are
    grouped within about a minute."""
    cursor = None if after is None else decode_cursor(after, _ORDER, number)
    asked = {"state": state, "owner": owner, "fault": fault, "note_id": note_id}
    rows, dropped = await service.list_failures(
        *access.workspace,
        filters,
        asked | {"min_answers": min_answers},
        after=cursor and (int(cursor[0]), cursor[1]),
        limit=limit,
    )
    page = Page[RecurringFailureRead, str].of(
        rows, limit, lambda row: encode_cursor(_ORDER, row.answers, row.id)
    )
    return FailurePage(items=page.items, next=page.next, dropped=dropped)


@router.get("/{failure_id}", responses=_NO_FAILURE)
async def get_failure(failure_id: uuid.UUID, access: ReadAccess) -> RecurringFailureDetail:
    """One group with its newest answers and the releases in which it was seen."""
    return await service.get_failure(*access.workspace, failure_id)


@router.patch("/{failure_id}", responses=_NO_FAILURE)
async def update_failure(
    failure_id: uuid.UUID, body: FailureUpdate, access: WriteAccess
) -> RecurringFailureDetail:
    """Gives it an owner or a state. A doubted answer that is later than the mending, of a release
    that is not older than `mended_in`, opens it again and raises `failure.reopened`."""
    values = body.model_dump(exclude_unset=True)
    return await service.change_failure(*access.workspace, failure_id, values)
