"""`searchqa analytics true-quality`: means corrected by people's labels, with what they rest on."""

from functools import partial
from typing import Any

import typer
from rich.text import Text

from app.cli.client import Client
from app.cli.language import translated
from app.cli.output import View, console, indented, print_result, printable
from app.cli.tables import print_table

NAME = "true-quality"
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
    notes = dict.fromkeys(note for row in found["rows"] if (note := _note(row, found["width"])))
    for note in notes:
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
    return f"{found['change']:+.3f} (p = {found['p_value']:.3f})" if found else "-"


def _note(row: View, width: float) -> str | None:
    """What the row leaves out, or how to make it surer."""
    name = translated(*_MEASURES[row["measure"]])
    where = f"{printable(row['group'])}, {name}" if row["group"] else name
    more = row["more_labels"]
    match row["note"]:
        case "not_drawn":
            return translated(
                f"{where}: no answer was in a random draw; draw {more} with"
                f" `searchqa review sample --size {more}` and label them.",
                f"{where}: 무작위로 추출한 답변이 없습니다."
                f" `searchqa review sample --size {more}`로 {more}개를 추출해 라벨을 붙이세요.",
            )
        case "too_few_labels":
            return translated(
                f"{where}: too few labels; {more} more are needed for an interval of {width:g}.",
                f"{where}: 라벨이 부족합니다. 폭 {width:g}의 구간을 얻으려면 {more}개가 더"
                " 필요합니다.",
            )
        case "partly_covered":
            covered, answers = row["covered"], row["answers"]
            missing = ", ".join(map(printable, row["strata"]))
            of = translated(f" Without labels: {missing}.", f" 라벨이 없는 층: {missing}.")
            return translated(
                f"{where}: of {covered:,} of the {answers:,} answers; the others were in no"
                f" labelled draw.{of if missing else ''}",
                f"{where}: 답변 {answers:,}개 중 {covered:,}개에 대한 값입니다. 나머지는 라벨이"
                f" 있는 추출에 들지 않았습니다.{of if missing else ''}",
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
