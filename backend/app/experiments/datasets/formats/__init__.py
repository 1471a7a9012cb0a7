"""Readers and writers of test cases: JSONL, CSV, BEIR and TREC topics with qrels.

Readers take bytes, with or without a byte order mark, and raise InvalidRequest that names the
file's line. What they leave out is listed in notices. Writers give bytes that their reader turns
into the same cases, as far as the format can carry them.
"""

from app.experiments.datasets.formats.archive import pack, unpack
from app.experiments.datasets.formats.beir import read_beir, write_beir
from app.experiments.datasets.formats.csv_file import read_csv, write_csv
from app.experiments.datasets.formats.imported import ImportedCases, Notice, Passage
from app.experiments.datasets.formats.jsonl import read_jsonl, write_jsonl
from app.experiments.datasets.formats.trec import read_trec, write_trec

__all__ = [
    "ImportedCases",
    "Notice",
    "Passage",
    "pack",
    "read_beir",
    "read_csv",
    "read_jsonl",
    "read_trec",
    "unpack",
    "write_beir",
    "write_csv",
    "write_jsonl",
    "write_trec",
]
