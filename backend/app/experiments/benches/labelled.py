"""Answers that people have labelled, as JSON lines carry them; see docs/judge-bench.md."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from pydantic import ValidationInfo as Info

from app.experiments.benches.views import BadLine, BenchFrame
from app.experiments.datasets.cases import numbered_lines, parse_object
from app.platform.db.statements import is_storable
from app.platform.errors import InvalidRequest
from app.quality.metrics.agreement import Span
from app.text.language import Lang, detect_language

MAX_ITEMS = 20_000
MAX_PASSAGE_CHARS = 200_000
# How many bad lines the refusal of a file names; a bench that is made names all.
_MAX_LINES_NAMED = 5


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """ref: its id in the file, else its line; grade: what people said from 0 to 1, None where they
    said only yes or no; spans: places in the answer, (start, end) in characters, that people
    marked as hallucinated, None where they did not mark places; cell: of a drawn answer, its place
    in the cells of the frame; stored_score: the correctness that readers were shown, stored_by and
    stored_cost_usd: who gave it, and what that cost, None where there is none."""

    ref: str
    question: str
    passages: tuple[str, ...]
    answer: str
    hallucinated: bool
    spans: tuple[Span, ...] | None = None
    grade: float | None = None
    cell: int | None = None
    stored_score: float | None = None
    stored_by: str | None = None
    stored_cost_usd: Decimal | None = None

    @property
    def lang(self) -> Lang:
        return detect_language(self.answer)


@dataclass(frozen=True, slots=True)
class LabelledItems:
    """frame: what the labels stand for, where their answers were drawn at random."""

    items: list[LabelledItem]
    bad: list[BadLine]
    # Good ones that were not drawn, and so not read.
    left_out: int = 0
    frame: BenchFrame | None = None

    @property
    def available(self) -> int:
        return len(self.items) + self.left_out


def _storable(text: str) -> str:
    if not is_storable(text):
        raise ValueError("it holds NUL or half a character, which PostgreSQL does not store")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


def _as_object(given: object) -> object:
    """A span may also be written [start, end]."""
    if isinstance(given, list) and len(given) == 2:
        return {"start": given[0], "end": given[1]}
    return given


_Text = Annotated[str, AfterValidator(_storable)]


class _Span(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    start: Annotated[int, Field(ge=0)]
    end: int


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: Annotated[_Text, Field(max_length=200)] | int | None = None
    question: Annotated[_Text, Field(max_length=4_000)] = ""
    passages: Annotated[list[_Text], Field(min_length=1, max_length=100)]
    answer: Annotated[_Text, Field(max_length=50_000), AfterValidator(_not_blank)]
    hallucinated: bool
    spans: list[Annotated[_Span, BeforeValidator(_as_object)]] | None = None

    @field_validator("passages")
    @classmethod
    def _fit(cls, passages: list[str]) -> list[str]:
        if not any(passage.strip() for passage in passages):
            raise ValueError("all are blank, so there is nothing to judge by")
        if sum(map(len, passages)) > MAX_PASSAGE_CHARS:
            raise ValueError(f"together they have more than {MAX_PASSAGE_CHARS:,} characters")
        return passages

    @field_validator("spans")
    @classmethod
    def _within(cls, spans: list[_Span] | None, info: Info) -> list[_Span] | None:
        length = len(info.data.get("answer", ""))
        for span in spans or ():
            if not span.start < span.end <= length:
                raise ValueError(
                    f"{span.start} to {span.end} is no place in an answer of {length} characters"
                )
        return spans

    def item(self, number: int) -> LabelledItem:
        return LabelledItem(
            ref=str(number if self.id is None else self.id),
            question=self.question,
            passages=tuple(self.passages),
            answer=self.answer,
            hallucinated=self.hallucinated,
            spans=None
            if self.spans is None
            else tuple((span.start, span.end) for span in self.spans),
        )


def read_labelled(data: bytes) -> LabelledItems:
    """The good lines of a file and the bad ones. Raises InvalidRequest when none is good, or
    there are more than 20,000."""
    found = LabelledItems([], [])
    for number, raw in numbered_lines(data):
        if len(found.items) + len(found.bad) == MAX_ITEMS:
            raise InvalidRequest.worded("too-many-labelled-answers", most=MAX_ITEMS)
        try:
            found.items.append(parse_object(raw, _Line).item(number))
        except InvalidRequest as error:
            found.bad.append(BadLine(number, error.detail["en"]))
    if not found.items:
        raise _no_good_line(found.bad)
    return found


def parse_labelled(objects: Iterable[Mapping[str, Any]]) -> LabelledItems:
    """The same for JSON objects, numbered from 1."""
    return read_labelled(b"\n".join(json.dumps(one).encode() for one in objects))


def _no_good_line(bad: Sequence[BadLine]) -> InvalidRequest:
    named = " ".join(f"Line {one.line}: {one.reason}" for one in bad[:_MAX_LINES_NAMED])
    return InvalidRequest(
        f"None of {len(bad):,} lines is a labelled answer. {named}".strip()
        + " A line holds question, passages, answer, hallucinated and perhaps spans.",
        ko=f"{len(bad):,}줄 중 라벨이 붙은 답변이 없습니다. 한 줄에 question, passages, answer,"
        f" hallucinated(그리고 spans)를 쓰세요. {named}".strip(),
    )


class Labelled(Protocol):
    """An item with a label, of which samples are drawn."""

    @property
    def hallucinated(self) -> bool: ...


_Labelled = TypeVar("_Labelled", bound=Labelled)


def sample(items: Sequence[_Labelled], limit: int | None, seed: int) -> list[_Labelled]:
    """At most `limit` of the items (None for all), in their order, with as large a share of
    hallucinated ones as all of them have, and at least one of each label where there is room.

    The same items and seed give the same sample on any machine: hashes of their places choose.
    """
    if limit is None or limit >= len(items):
        return list(items)
    positive = [place for place, item in enumerate(items) if item.hallucinated]
    negative = [place for place, item in enumerate(items) if not item.hallucinated]
    wanted = round(limit * len(positive) / len(items))
    if limit > 1 and positive and negative:
        wanted = min(max(wanted, 1), limit - 1)
    chosen = [*_drawn(positive, seed)[:wanted], *_drawn(negative, seed)[: limit - wanted]]
    return [items[place] for place in sorted(chosen)]


def _drawn(places: Iterable[int], seed: int) -> list[int]:
    def draw(place: int) -> bytes:
        return hashlib.blake2b(f"{seed}:{place}".encode(), digest_size=16).digest()

    return sorted(places, key=draw)
