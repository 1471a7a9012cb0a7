"""`searchqa traces`: what has become of the traces that other applications send."""

from typing import Annotated

import typer

from app.cli.client import connect
from app.cli.language import column_title, translated
from app.cli.options import AsJson
from app.cli.output import print_json
from app.cli.tables import print_rows, print_table
from app.integrations.traces.answer_unit import Outcome

_MEANINGS = {
    "answered": ("became answers, which are judged", "답변이 되어 평가됨"),
    "without_document_text": (
        "documents came without text; have the retriever's content exported",
        "문서에 본문이 없음. 검색 스팬의 본문을 내보내세요",
    ),
    "without_documents": ("no retrieved documents", "검색된 문서가 없음"),
    "without_question": ("no question found", "질문을 찾지 못함"),
    "without_answer": ("no answer found", "답변을 찾지 못함"),
    "not_genai": ("no spans of a model or a search", "모델이나 검색 스팬이 없음"),
    "failed": (
        "could not be stored; see the dispatcher's log",
        "저장 실패. 디스패처 로그를 확인하세요",
    ),
    "requests": ("requests", "요청"),
    "spans": ("spans", "스팬"),
    "rejected_spans": ("spans rejected: bad ids, or too many", "거부된 스팬(잘못된 ID, 개수 초과)"),
    "duplicate_spans": ("spans sent more than once", "중복 전송된 스팬"),
    "late_spans": ("spans that came after their answer", "답변보다 늦게 온 스팬"),
    "cut_texts": ("texts shortened", "길이를 줄인 텍스트"),
    "answers": ("answers", "답변"),
}


def traces(
    days: Annotated[int, typer.Option(min=1, max=365, help="Days to count, UTC.")] = 7,
    outcome: Annotated[
        Outcome | None, typer.Option(help="List only traces with this outcome.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, max=100, help="Maximum number of traces.")] = 10,
    json: AsJson = False,
) -> None:
    """Count the traces of other applications by what has become of them.

    Applications send traces by OTLP to /v1/traces; those that lack an answer or documents are
    counted with the reason. The newest are listed.

    Examples:

    searchqa traces

    searchqa traces --outcome without_documents --limit 50
    """
    with connect() as client:
        found = client.get("/traces/summary", days=days, limit=limit, outcome=outcome)
    if json:
        print_json(found)
        return
    counted = {**found["outcomes"], **found["counts"]}
    rows = [[name, f"{count:,}", translated(*_MEANINGS[name])] for name, count in counted.items()]
    print_table([column_title(name) for name in ("name", "count", "meaning")], rows)
    if found["newest"]:
        typer.echo()
        columns = ("trace_id", "created_at", "outcome", "spans", "answers", "service")
        print_rows(found["newest"], *columns, "name", as_json=False)
