"""Datasets and runs as readers get them."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, computed_field

from app.platform.db.owned_queries import Listed, Page

_REVIEW: Mapping[str, Literal["proposed", "accepted"]] = {
    "generated": "proposed",
    "reviewed": "accepted",
}


class _View(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class DatasetView(_View, Listed):
    """One version of a dataset; `cases` is how many it has. `origin` says where they are from.
    `review` is `proposed` for generated questions, `accepted` for what a person has left of a
    version, and null for questions that were brought in."""

    name: str
    version: int
    notebook_id: uuid.UUID | None
    origin: dict[str, Any]
    cases: int
    created_at: dt.datetime

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def review(self) -> Literal["proposed", "accepted"] | None:
        return _REVIEW.get(self.origin["kind"])


class PassageView(_View):
    """A chunk that answers a question of a dataset."""

    id: str
    note_id: uuid.UUID
    title: str
    content: str


class CaseView(_View):
    id: uuid.UUID
    position: int
    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None
    lang: str


class DatasetDetail(DatasetView):
    test_cases: list[CaseView]


class DatasetPage(Page[DatasetView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""
