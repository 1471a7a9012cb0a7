"""Joins queries with their judgments to test cases."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.experiments.datasets.formats.imported import Collected, Notice, at_line, case_of, on_line
from app.experiments.datasets.formats.qrels import Qrels
from app.platform.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class Query:
    line: int
    text: str
    reference_answer: str | None = None
    lang: str | None = None


def join(
    queries: Mapping[str, Query], qrels: Qrels, queries_file: str, qrels_file: str
) -> tuple[Collected, list[Notice]]:
    """A case for each query that has a relevant document, and a notice of the others.

    Raises InvalidRequest for a judgment of a query that is not there.
    """
    for name, line in qrels.line_of.items():
        if name not in queries:
            problem = InvalidRequest(
                f"query {name!r} is not in {queries_file}; add it or remove the judgment.",
                ko=f"질의 {name!r}이(가) {queries_file}에 없습니다. 더하거나 판정을 지우세요.",
            )
            raise at_line(problem, line, qrels_file)
    collected = Collected()
    without = 0
    for name, query in queries.items():
        documents = qrels.relevant.get(name)
        if not documents:
            without += 1
            continue
        with on_line(query.line, queries_file):
            case = case_of(
                query.text,
                documents,
                reference_answer=query.reference_answer,
                lang=query.lang,
                case_id=name,
            )
            collected.add(case, query.line)
    return collected, [*_without_documents(without), *qrels.notices()]


def _without_documents(count: int) -> list[Notice]:
    if not count:
        return []
    return [
        Notice(
            f"{count:,} queries have no relevant document and were left out.",
            f"관련 문서가 없는 질의 {count:,}개는 뺐습니다.",
        )
    ]


def repeated(name: str, first: int) -> InvalidRequest:
    return InvalidRequest(
        f"the id {name!r} is that of line {first}; give each its own.",
        ko=f"id {name!r}은(는) {first}번째 줄과 같습니다. 서로 다르게 적어 주세요.",
    )
