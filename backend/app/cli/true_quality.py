"""`searchqa analytics true-quality`: means corrected by people's labels, with what they rest on."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import typer
from rich.text import Text

from app.cli.client import Client
from app.cli.language import translated
from app.cli.output import View, console, indented, one_line, print_result, printable
from app.cli.tables import print_table

NAME = "true-quality"
# A p-value below it is taken for a change.
SIGNIFICANT = 0.05
TITLE = {"en": "Quality, corrected by people's labels", "ko": "사람의 라벨로 바로잡은 품질"}


def print_true_quality(client: Client, asked: dict[str, Any], *, sql: bool, json: bool) -> None:
    """asked: parameters of GET /analytics/true-quality."""
    found = client.get(f"/analytics/{NAME}", **asked)
    print_result(found, partial(_show, with_sql=sql), as_json=json)


def _show(found: View, *, with_sql: bool) -> None:
    out = console()
    if with_sql:
        for line in found["sql"].splitlines():
            out.print(indented(Text(printable(line), "dim")))
        out.print()
    if not found["rows"]:
        about = found["parameters"]
        since, until = about["since"], about["until"]
        out.print(
            translated(
                f"No judged answers from {since} to {until}.",
                f"{since}부터 {until}까지 평가된 답변이 없습니다.",
            )
        )
        return
    headers = (
        translated("group", "구분"),
        translated("measure", "지표"),
        translated("judge", "평가 모델"),
        translated("corrected (95 %)", "보정값 (95%)"),
        translated("labels only (95 %)", "라벨만 (95%)"),
        translated("labels", "라벨"),
        translated("answers", "답변"),
        translated("change", "변화"),
    )
    print_table(headers, [_cells(row) for row in found["rows"]], last="fold")
    for change in _last_changes(found["rows"]):
        out.print(one_line(change), style="bold")
    notes = (note for row in found["rows"] for note in _notes(row, found["width"]))
    for note in dict.fromkeys(notes):
        typer.echo(note)


def _cells(row: View) -> list[str]:
    return [
        printable(row["group"] or translated("all", "전체")),
        translated(*_MEASURES[row["measure"]]),
        f"{row['raw']:.3f}",
        _bounds(row["corrected"]),
        _bounds(row["labels_only"]),
        f"{row['labels']:,}",
        f"{row['answers']:,}",
        _change(row["change"]),
    ]


_MEASURES = {
    "grounded": ("grounded share", "근거 있는 답변 비율"),
    "correctness": ("mean correctness", "평균 정확성"),
    "utility": ("mean utility", "평균 유용성"),
}


def _bounds(found: View | None) -> str:
    return f"{found['value']:.3f} ({found['low']:.3f}-{found['high']:.3f})" if found else "-"


def _change(found: View | None) -> str:
    return f"{found['change']:+.3f} ({_p_value(found)})" if found else "-"


def _p_value(found: View) -> str:
    p_value = found["p_value"]
    return f"p = {p_value:.3f}" if p_value >= 0.001 else "p < 0.001"


def _last_changes(rows: list[View]) -> Iterator[str]:
    """Whether the last period was better than the one before, for each measure."""
    for measure in _MEASURES:
        changes = [row for row in rows if row["measure"] == measure and row["change"]]
        if not changes:
            continue
        row = changes[-1]
        found, name = row["change"], translated(*_MEASURES[measure])
        now, before = row["group"], found["since"]
        how = f"{found['low']:+.3f}..{found['high']:+.3f}, {_p_value(found)}"
        if found["p_value"] >= SIGNIFICANT:
            yield translated(
                f"{name}: {now} cannot be told from {before} ({how}).",
                f"{name}: {now}과(와) {before}의 차이를 알 수 없습니다({how}).",
            )
            continue
        better = found["change"] > 0
        by = f"{abs(found['change']):.3f}"
        yield translated(
            f"{name}: {now} is {'better' if better else 'worse'} than {before} by {by} ({how}).",
            f"{name}: {now}이(가) {before}보다 {by} {'높습니다' if better else '낮습니다'}({how}).",
        )


def _notes(row: View, width: float) -> Iterator[str]:
    """What the row leaves out, and how to make it surer."""
    name = translated(*_MEASURES[row["measure"]])
    where = f"{printable(row['group'])}, {name}" if row["group"] else name
    note = _note(row, where, width)
    if note:
        yield note
    covered, answers = row["covered"], row["answers"]
    if row["corrected"] and covered < answers:
        missing = ", ".join(map(printable, row["strata"]))
        of = translated(f" Without labels: {missing}.", f" 라벨이 없는 층: {missing}.")
        yield translated(
            f"{where}: of {covered:,} of the {answers:,} answers; the others were in no"
            f" labelled draw.{of if missing else ''}",
            f"{where}: 답변 {answers:,}개 중 {covered:,}개에 대한 값입니다. 나머지는 라벨이"
            f" 있는 추출에 들지 않았습니다.{of if missing else ''}",
        )


def _note(row: View, where: str, width: float) -> str | None:
    more, waiting = row["more_labels"], row["drawn"] - row["labels"]
    match row["note"]:
        case "too_few_answers":
            return translated(
                f"{where}: too few answers for an estimate; choose a longer period or larger"
                " groups.",
                f"{where}: 답변이 너무 적어 추정할 수 없습니다. 기간을 늘리거나 더 크게 묶으세요.",
            )
        case "not_drawn":
            return translated(
                f"{where}: no answer was in a random draw, and other labels count in no estimate;"
                f" draw {more} with `searchqa review sample --size {more}` and label them.",
                f"{where}: 무작위로 추출한 답변이 없으며, 다른 라벨은 추정에 쓰지 않습니다."
                f" `searchqa review sample --size {more}`로 {more}개를 추출해 라벨을 붙이세요.",
            )
        case "too_few_labels":
            return translated(
                f"{where}: too few labels; {more} more are needed for an interval of {width:g}."
                f" Drawn answers without such a label: {waiting}.",
                f"{where}: 라벨이 부족합니다. 폭 {width:g}의 구간을 얻으려면 {more}개가 더"
                f" 필요합니다. 추출했지만 이 라벨이 없는 답변은 {waiting}개입니다.",
            )
        case "labels_alike":
            return translated(
                f"{where}: all labels are alike, so the judge's scores cannot be compared with"
                " them.",
                f"{where}: 라벨이 모두 같아 평가 모델의 점수와 비교할 수 없습니다.",
            )
    if not more:
        return None
    return translated(
        f"{where}: {more} more labels make the interval {width:g} wide.",
        f"{where}: 라벨 {more}개를 더하면 구간의 폭이 {width:g}이 됩니다.",
    )
