"""Datasets as files: which formats there are, and what to read and write each with."""

import enum
from collections.abc import Callable, Mapping, Sequence

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.formats import (
    ImportedCases,
    pack,
    read_beir,
    read_csv,
    read_jsonl,
    read_trec,
    unpack,
    write_beir,
    write_csv,
    write_jsonl,
    write_trec,
)
from app.platform.errors import InvalidRequest


class Format(enum.StrEnum):
    """`beir` and `trec` are ZIP archives of their files."""

    JSONL = "jsonl"
    CSV = "csv"
    BEIR = "beir"
    TREC = "trec"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    Format.JSONL: "application/x-ndjson",
    Format.CSV: "text/csv; charset=utf-8",
    Format.BEIR: "application/zip",
    Format.TREC: "application/zip",
}
_BEIR = ("queries.jsonl", "test.tsv")
_TREC = ("topics.tsv", "qrels.txt")


def read_cases(data: bytes, format_: Format) -> ImportedCases:
    """Raises InvalidRequest naming the line, and the file of an archive, of what is wrong."""
    if format_ is Format.JSONL:
        return read_jsonl(data)
    if format_ is Format.CSV:
        return read_csv(data)
    files = unpack(data)
    if format_ is Format.BEIR:
        queries, qrels = _files(files, _BEIR)
        return read_beir(queries, qrels, files.get("corpus.jsonl"))
    topics, qrels = _files(files, _TREC)
    return read_trec(topics, qrels)


def write_cases(cases: Sequence[TestCase], format_: Format) -> bytes:
    """What `read_cases` reads as the same cases, as far as the format can carry them."""
    write: Mapping[Format, Callable[[Sequence[TestCase]], bytes]] = {
        Format.JSONL: write_jsonl,
        Format.CSV: write_csv,
        Format.BEIR: lambda given: pack(write_beir(given)),
        Format.TREC: lambda given: pack(write_trec(given)),
    }
    return write[format_](cases)


def _files(files: Mapping[str, bytes], names: Sequence[str]) -> list[bytes]:
    """The files of these names, wherever in the archive they are."""
    by_name = {name.rpartition("/")[2]: content for name, content in files.items()}
    if missing := [name for name in names if name not in by_name]:
        raise InvalidRequest(
            f"The archive lacks {' and '.join(missing)}; it has to hold {', '.join(names)}.",
            ko=f"압축 파일에 {', '.join(missing)}이(가) 없습니다. {', '.join(names)}이(가) 있어야"
            " 합니다.",
        )
    return [by_name[name] for name in names]
