"""Test cases in the files of BEIR: corpus.jsonl, queries.jsonl and qrels/<split>.tsv.

The layout is that of the BEIR benchmark (Thakur et al. 2021, arXiv:2104.08663). What it has no
place for, reference answer and language, stands in the metadata of a query.
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.formats.imported import (
    ImportedCases,
    Notice,
    Passage,
    on_line,
    unknown_fields,
    with_ids,
)
from app.experiments.datasets.formats.judged import Query, join, repeated
from app.experiments.datasets.formats.lines import dumped, lines_of, object_of
from app.experiments.datasets.formats.qrels import read_beir_qrels, write_beir_qrels

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
QRELS = "qrels/test.tsv"

_Id = Annotated[str, StringConstraints(min_length=1)]


class _Metadata(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    reference_answer: str | None = None
    lang: str | None = None


class _Query(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: Annotated[_Id, Field(alias="_id")]
    text: str
    metadata: _Metadata = _Metadata()


class _Document(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: Annotated[_Id, Field(alias="_id")]
    text: str
    title: str = ""
    metadata: object = None


def read_beir(queries: bytes, qrels: bytes, corpus: bytes | None = None) -> ImportedCases:
    """The cases of one split, and the passages of the corpus if that is given.

    Queries without a relevant document, such as those of another split, are left out. Judged
    documents that the corpus does not hold stay in the cases and are reported. Raises
    InvalidRequest naming file and line of what is wrong.
    """
    asked, unknown = _queries(queries)
    collected, notices = join(asked, read_beir_qrels(qrels, QRELS), QUERIES, QRELS)
    passages = _passages(corpus) if corpus is not None else []
    if corpus is not None:
        there = {passage.id for passage in passages}
        wanted = {each for case in collected.cases for each in case.ground_truth_chunk_ids}
        notices += _missing(len(wanted - there))
    return collected.imported([*unknown_fields(unknown), *notices], passages)


def _queries(data: bytes) -> tuple[dict[str, Query], dict[str, int]]:
    found: dict[str, Query] = {}
    unknown: dict[str, int] = {}
    for number, raw in lines_of(data):
        with on_line(number, QUERIES):
            line, others = object_of(raw, _Query)
            if line.id in found:
                raise repeated(line.id, found[line.id].line)
        found[line.id] = Query(
            number, line.text, line.metadata.reference_answer, line.metadata.lang
        )
        for name in others:
            unknown.setdefault(name, number)
    return found, unknown


def _passages(data: bytes) -> list[Passage]:
    found: dict[str, Passage] = {}
    lines: dict[str, int] = {}
    for number, raw in lines_of(data):
        with on_line(number, CORPUS):
            line, _ = object_of(raw, _Document)
            if line.id in found:
                raise repeated(line.id, lines[line.id])
        lines[line.id] = number
        found[line.id] = Passage(line.id, line.title, line.text)
    return list(found.values())


def _missing(count: int) -> list[Notice]:
    if not count:
        return []
    return [
        Notice(
            f"{count:,} judged documents are not in {CORPUS}; their cases keep the ids.",
            f"판정된 문서 {count:,}개가 {CORPUS}에 없습니다. 케이스에는 id를 남겨 둡니다.",
        )
    ]


def write_beir(cases: Iterable[TestCase], passages: Iterable[Passage] = ()) -> dict[str, bytes]:
    """The files by their names. Cases without an id get q1, q2, …"""
    named = with_ids(cases)
    queries = (
        {
            "_id": name,
            "text": case.question,
            "metadata": {
                **({"reference_answer": case.reference_answer} if case.reference_answer else {}),
                "lang": case.lang,
            },
        }
        for name, case in named
    )
    corpus = ({"_id": each.id, "title": each.title, "text": each.text} for each in passages)
    return {
        CORPUS: _lines(corpus),
        QUERIES: _lines(queries),
        QRELS: write_beir_qrels(
            (name, each) for name, case in named for each in case.ground_truth_chunk_ids
        ),
    }


def _lines(objects: Iterable[object]) -> bytes:
    return "".join(f"{dumped(each)}\n" for each in objects).encode()
