"""A test case of a dataset: a question and the chunks that answer it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.platform.db.statements import is_storable
from app.platform.errors import InvalidRequest
from app.text.language import Lang

MAX_QUESTION_CHARS = 4_000
MAX_REFERENCE_CHARS = 20_000
MAX_ID_CHARS = 200
MAX_CHUNK_IDS = 1_000

_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class TestCase:
    """A question, the ids of the chunks that answer it, and perhaps an answer to compare with.

    ground_truth_chunk_ids: at least one, each once; their order means nothing.
    reference_answer: None where there is none. id: its name in the dataset, None before it has
    one. Ids hold no blanks, so that every file format can carry them.
    Raises InvalidRequest with one sentence on what is wrong.
    """

    # pytest would collect a class of this name where a test imports it.
    __test__: ClassVar[bool] = False

    question: str
    ground_truth_chunk_ids: tuple[str, ...]
    reference_answer: str | None
    lang: Lang
    id: str | None = None

    def __post_init__(self) -> None:
        _check_text(self.question, "question", MAX_QUESTION_CHARS)
        if self.reference_answer is not None:
            _check_text(self.reference_answer, "reference_answer", MAX_REFERENCE_CHARS)
        if self.lang not in ("ko", "en"):
            raise InvalidRequest(
                "lang must be ko or en; leave it out to have it told from the question.",
                ko="lang은 ko 또는 en이어야 합니다. 비워 두면 질문에서 알아냅니다.",
            )
        if self.id is not None:
            _check_id(self.id, "id")
        _check_chunk_ids(self.ground_truth_chunk_ids)


def _check_text(text: str, name: str, most: int) -> None:
    if not text.strip():
        raise InvalidRequest(
            f"{name} is empty; write one.", ko=f"{name}이(가) 비어 있습니다. 채워 주세요."
        )
    if len(text) > most:
        raise InvalidRequest(
            f"{name} is longer than {most:,} characters; shorten it.",
            ko=f"{name}이(가) {most:,}자를 넘습니다. 줄여 주세요.",
        )
    _check_storable(text, name)


def _check_storable(text: str, name: str) -> None:
    if not is_storable(text):
        raise InvalidRequest(
            f"{name} holds NUL or half of a surrogate pair; remove it.",
            ko=f"{name}에 저장할 수 없는 문자(NUL, 짝 없는 서로게이트)가 있습니다. 지우세요.",
        )


def _check_id(value: str, name: str) -> None:
    if not value or len(value) > MAX_ID_CHARS or _SPACE.search(value):
        raise InvalidRequest(
            f"{name} must have 1 to {MAX_ID_CHARS} characters and no blanks; change it.",
            ko=f"{name}은(는) 공백 없이 1~{MAX_ID_CHARS}자여야 합니다. 고쳐 주세요.",
        )
    _check_storable(value, name)


def _check_chunk_ids(ids: Sequence[str]) -> None:
    name = "ground_truth_chunk_ids"
    if not 1 <= len(ids) <= MAX_CHUNK_IDS:
        raise InvalidRequest(
            f"{name} must name 1 to {MAX_CHUNK_IDS:,} chunks; name those that answer the question.",
            ko=f"{name}에는 질문에 답하는 청크를 1~{MAX_CHUNK_IDS:,}개 적어야 합니다.",
        )
    for each in ids:
        _check_id(each, f"each of {name}")
    if len(set(ids)) < len(ids):
        raise InvalidRequest(
            f"{name} names a chunk twice; name each once.",
            ko=f"{name}에 같은 청크가 두 번 있습니다. 한 번씩만 적어 주세요.",
        )
