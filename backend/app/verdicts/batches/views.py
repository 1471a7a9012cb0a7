"""Batches as readers get them."""

import datetime as dt
import uuid

from app.platform.db.owned_queries import Listed, Page
from app.verdicts.batches.states import BatchState


class JudgeBatchView(Listed):
    """Answers of which a provider judges all requests together, at a lower price.

    answers, requests: how many are in it; requests is 0 until they are rendered. done, failed: of
    the requests, by the provider's last word. stored, errors, dropped: of those that were read,
    with a reply, with an error, and of answers that were deleted or judged otherwise meanwhile.
    waiting: answers that wait for replies of it. deadline_at: from then on they are judged by
    calls. cost_usd: of the replies, null where it is not known. error: why it failed, was not
    handed in, or left something to calls."""

    judge_model: str
    state: BatchState
    answers: int
    requests: int
    done: int
    failed: int
    stored: int
    errors: int
    dropped: int
    waiting: int
    cost_usd: float | None
    error: str | None
    created_at: dt.datetime
    submitted_at: dt.datetime | None
    deadline_at: dt.datetime
    cancel_requested_at: dt.datetime | None
    finished_at: dt.datetime | None
    provider_batch: str | None


class JudgeBatchPage(Page[JudgeBatchView, uuid.UUID]):
    """Newest first. `next` continues the list; it is null on the last page."""
