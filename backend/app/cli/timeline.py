"""`searchqa verdicts timeline`: what took how long on the way to a verdict."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import AsJson, VerdictId
from app.cli.output import View, console, print_result, printable
from app.cli.tables import print_rows

# Cells of a terminal for the time axis.
_AXIS = 30
_KINDS = {
    "search": ("search for notes", "노트 검색"),
    "generate": ("model writes the answer", "모델이 답변 작성"),
    "queue": ("queue", "대기열"),
    "wait": ("waiting", "대기"),
    "batch": ("batch", "배치"),
    "attempt": ("attempt", "시도"),
    "call": ("call to the judge", "평가 모델 호출"),
    "record": ("verdict stored", "평가 저장"),
    "deliver": ("sent to the first reader", "첫 독자에게 전달"),
}
_UNKNOWN = {
    "search": ("the search for notes", "노트 검색"),
    "generate": ("when the answer was written", "답변을 작성한 때"),
    "history": ("earlier attempts", "이전 시도"),
    "calls": ("how long some calls took", "일부 호출에 걸린 시간"),
    "deliver": ("when a reader was sent it", "독자에게 전달한 때"),
}


def timeline(evaluation_id: VerdictId, json: AsJson = False) -> None:
    """Show what took how long on the way to a verdict: search, model, queue, attempts and calls.

    Times are milliseconds after the first of them, by the clock of PostgreSQL.

    Examples:

    searchqa verdicts timeline 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11

    searchqa verdicts timeline 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --json | jq '.spans[]'
    """
    with connect() as client:
        found = client.get(f"/qa-evaluations/{evaluation_id}/timeline")
    print_result(found, _show, as_json=json)


def _show(found: View) -> None:
    print_rows(
        [_row(span, found) for span in found["spans"]],
        *("part", "after ms", "duration ms", "axis", "details"),
        as_json=False,
    )
    out = console()
    for awaited in found["awaited"]:
        counted = f"{awaited['answered']}/{awaited['calls']}"
        what = translated("answered", "응답")
        out.print(Text(f"{awaited['purpose']}: {counted} {what}"))
    if unknown := [translated(*_UNKNOWN[name]) for name in found["unknown"]]:
        listed = ", ".join(unknown)
        out.print(Text(translated(f"Not known: {listed}.", f"알 수 없는 것: {listed}."), "dim"))


def _row(span: View, found: View) -> View:
    start, end = _milliseconds(found, span["start"]), _milliseconds(found, found["end"])
    lasted = end - start if span["open"] and start is not None and end is not None else None
    duration = span["duration_ms"] if lasted is None else lasted
    number = f" {span['attempt']}" if span["kind"] == "attempt" and span["attempt"] else ""
    return {
        "part": f"{translated(*_KINDS[span['kind']])}{number}",
        "after ms": None if start is None else f"{start:,.0f}",
        "duration ms": None if duration is None else f"{duration:,.0f}",
        "axis": "" if start is None else _bar(start, duration or 0, end or 0),
        "details": " · ".join(_details(span)),
    }


def _milliseconds(found: View, moment: str | None) -> float | None:
    if moment is None:
        return None
    passed = dt.datetime.fromisoformat(moment) - dt.datetime.fromisoformat(found["start"])
    return passed / dt.timedelta(milliseconds=1)


def _bar(start: float, duration: float, length: float) -> str:
    """Where the span lies between the start and the end of the timeline."""
    if length <= 0:
        return "█"
    left = min(_AXIS - 1, int(_AXIS * start / length))
    width = min(_AXIS - left, max(1, round(_AXIS * duration / length)))
    return "·" * left + "█" * width + "·" * (_AXIS - left - width)


def _details(span: View) -> Iterator[str]:
    for name in ("model", "status", "reason", "purpose"):
        if span[name]:
            yield printable(span[name])
    yield from _how_called(span)
    if span["judge_ms"] is not None:
        judged = f"{span['judge_ms']:,.0f} ms"
        yield translated(f"of which the judge {judged}", f"그중 평가 {judged}")
    if span["first_chunk_ms"] is not None:
        first = f"{span['first_chunk_ms']:,.0f} ms"
        yield translated(f"first words after {first}", f"첫 글자까지 {first}")
    if span["open"]:
        yield translated("so far", "현재까지")
    if span["error"]:
        yield printable(span["error"])


_CALLED: Mapping[str, Sequence[str]] = {
    "re_ask": ("asked again", "다시 요청"),
    "batched": ("in a batch", "배치로 처리"),
    "discarded": ("unusable reply", "쓸 수 없는 응답"),
}


def _how_called(span: View) -> Iterator[str]:
    if (step := span["cascade_step"]) is not None:
        yield translated(f"judge {step} of the cascade", f"순차 평가의 {step}번째 모델")
    if error := span["retry_after"]:
        yield translated(f"retry after: {error}", f"재시도 원인: {error}")
    for name, (en, ko) in _CALLED.items():
        if span[name]:
            yield translated(en, ko)
