"""Test cases as JSON lines, one object for each case."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.formats.imported import (
    Collected,
    ImportedCases,
    case_of,
    on_line,
    unknown_fields,
)
from app.experiments.datasets.formats.lines import dumped, lines_of, object_of


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None = None
    lang: str | None = None
    id: str | None = None


def read_jsonl(data: bytes) -> ImportedCases:
    """A case for each line that is not blank.

    A line holds `question` and `ground_truth_chunk_ids` (a list), and may hold
    `reference_answer`, `lang` (ko or en, else detected) and `id`; other fields are
    ignored and reported. Raises InvalidRequest naming the first line that is wrong.
    """
    collected = Collected()
    unknown: dict[str, int] = {}
    for number, raw in lines_of(data):
        with on_line(number):
            line, others = object_of(raw, _Line)
            case = case_of(
                line.question,
                line.ground_truth_chunk_ids,
                reference_answer=line.reference_answer,
                lang=line.lang,
                case_id=line.id,
            )
            collected.add(case, number)
        for name in others:
            unknown.setdefault(name, number)
    return collected.imported(unknown_fields(unknown))


def write_jsonl(cases: Iterable[TestCase]) -> bytes:
    """UTF-8; fields that are None are left out."""
    lines = (
        dumped(
            {
                **({"id": case.id} if case.id is not None else {}),
                "question": case.question,
                "ground_truth_chunk_ids": case.ground_truth_chunk_ids,
                **(
                    {"reference_answer": case.reference_answer}
                    if case.reference_answer is not None
                    else {}
                ),
                "lang": case.lang,
            }
        )
        for case in cases
    )
    return "".join(f"{line}\n" for line in lines).encode()
