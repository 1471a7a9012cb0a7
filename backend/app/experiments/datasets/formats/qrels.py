"""Relevance judgments: which documents answer which query, as BEIR and TREC write them."""

import re
from collections.abc import Iterable

from app.experiments.datasets.formats.imported import Notice, on_line
from app.experiments.datasets.formats.lines import lines_of, text_of
from app.platform.errors import InvalidRequest

_INTEGER = re.compile(r"[+-]?\d{1,9}(?:\.0+)?")
_BEIR_HEADER = ("query-id", "corpus-id", "score")


class Qrels:
    """The relevant documents of each query, in the order of the file, and the line a query is
    first named on. Judgments of 0 and less say that a document is not relevant."""

    def __init__(self) -> None:
        self.relevant: dict[str, dict[str, int]] = {}
        self.line_of: dict[str, int] = {}
        self._irrelevant = 0
        self._graded = 0

    def add(self, query: str, document: str, score: str, line: int) -> None:
        """Raises InvalidRequest, without the line."""
        if not _INTEGER.fullmatch(score):
            raise InvalidRequest(
                f"the relevance is {score!r}; write a whole number.",
                ko=f"관련도가 {score!r}입니다. 정수로 적어 주세요.",
            )
        grade = int(float(score))
        self.line_of.setdefault(query, line)
        documents = self.relevant.setdefault(query, {})
        if grade <= 0:
            self._irrelevant += 1
        elif document in documents:
            raise InvalidRequest(
                f"query {query!r} and document {document!r} were judged before; judge them once.",
                ko=f"질의 {query!r}와 문서 {document!r}의 판정이 두 번 있습니다. 하나만 남기세요.",
            )
        else:
            documents[document] = grade
            self._graded += grade > 1

    def notices(self) -> list[Notice]:
        told = []
        if self._irrelevant:
            told.append(
                Notice(
                    f"{self._irrelevant:,} judgments of 0 or less say that a document is not"
                    " relevant; they were left out.",
                    f"관련 없음(0 이하) 판정 {self._irrelevant:,}개는 뺐습니다.",
                )
            )
        if self._graded:
            told.append(
                Notice(
                    f"{self._graded:,} judgments are higher than 1; a chunk is either relevant or"
                    " not here, so they count as 1.",
                    f"1보다 높은 판정 {self._graded:,}개는 1로 셉니다. 여기서 청크는 관련 여부만"
                    " 가집니다.",
                )
            )
        return told


def read_beir_qrels(data: bytes, file: str) -> Qrels:
    """Three columns between tabs: query, document, score; a header line may stand above."""
    return _read(data, file, 3, "query-id, corpus-id and score, with tabs between them", "\t")


def read_trec_qrels(data: bytes, file: str) -> Qrels:
    """Four columns between blanks: query, iteration (not read), document, relevance."""
    return _read(data, file, 4, "query, 0, document and relevance, with blanks between them", None)


def _read(data: bytes, file: str, columns: int, form: str, between: str | None) -> Qrels:
    qrels = Qrels()
    for number, raw in lines_of(data):
        with on_line(number, file):
            cells = [cell.strip() for cell in text_of(raw).split(between)]
            if number == 1 and tuple(cells) == _BEIR_HEADER:
                continue
            if len(cells) != columns:
                raise InvalidRequest(
                    f"the line has {len(cells)} columns instead of {columns}; write {form}.",
                    ko=f"열이 {columns}개가 아니라 {len(cells)}개입니다.",
                )
            qrels.add(cells[0], cells[-2], cells[-1], number)
    return qrels


def write_beir_qrels(judged: Iterable[tuple[str, str]]) -> bytes:
    """judged: pairs of query and relevant document."""
    lines = ["\t".join(_BEIR_HEADER), *(f"{query}\t{document}\t1" for query, document in judged)]
    return "".join(f"{line}\n" for line in lines).encode()


def write_trec_qrels(judged: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{query} 0 {document} 1\n" for query, document in judged).encode()
