"""`searchqa analytics alarms`: what has changed, since when, and what differs most."""

import typer
from rich.text import Text

from app.cli.client import Client
from app.cli.language import language, translated
from app.cli.output import View, console, indented, print_result, printable
from app.integrations.webhooks.formats.slack_words import DIMENSIONS, LABELS, SERIES

NAME = "alarms"
TITLE = {"en": "Changes of quality that were noticed", "ko": "감지된 품질 변화"}


def run(client: Client, *, acknowledged: str | None, json: bool) -> None:
    """Prints alarms, or marks the one with the id `acknowledged` as seen."""
    if acknowledged is None:
        print_result(client.get(f"/analytics/{NAME}"), _show, as_json=json)
        return
    client.post(f"/analytics/{NAME}/{acknowledged}/acknowledge")
    typer.echo(translated("Acknowledged.", "확인한 것으로 표시했습니다."))


def _show(found: View) -> None:
    out = console()
    for alarm in found["rows"]:
        out.print(_heading(alarm))
        for line in _lines(alarm):
            out.print(indented(Text(line)))
    if not found["rows"]:
        typer.echo(translated("No alarms.", "알림이 없습니다."))
    for line in _watched(found["watched"]):
        typer.echo(line)


def _heading(alarm: View) -> Text:
    name = SERIES[alarm["series"]][language()]
    seen = translated(" (acknowledged)", " (확인함)") if alarm["acknowledged_at"] else ""
    return Text(f"{alarm['began_on']}  {printable(alarm['judge_model'])}: {name}{seen}", "bold")


def _lines(alarm: View) -> list[str]:
    before, after = alarm["before"], alarm["after"]
    counts = f"{alarm['answers_before']:,} / {alarm['answers_after']:,}"
    unit = ("labels", "라벨") if alarm["series"] == "corrected" else ("answers", "답변")
    causes = [_cause(each) for each in alarm["causes"]] or [LABELS["nothing"][language()]]
    return [
        translated(
            f"{before:.3f} → {after:.3f} ({after - before:+.3f}); {unit[0]}: {counts};"
            f" noticed on {alarm['noticed_on']}",
            f"{before:.3f} → {after:.3f} ({after - before:+.3f}), {unit[1]} {counts},"
            f" {alarm['noticed_on']}에 감지",
        ),
        translated("what differs most: ", "가장 달라진 것: ") + "; ".join(causes),
        alarm["id"],
    ]


def _cause(cause: View) -> str:
    dimension = DIMENSIONS[cause["dimension"]][language()]
    name = printable(cause["name"] or cause["value"])
    shares = f"{cause['share_before']:.0%} → {cause['share_after']:.0%}"
    parts = translated(
        f"{cause['part']:.0%} of the change; share of answers {shares}",
        f"변화의 {cause['part']:.0%}, 답변 비율 {shares}",
    )
    return f"{dimension} {name} ({parts})"


def _watched(series: list[View]) -> list[str]:
    """What is watched, and how much is missing where it is not yet."""
    if not series:
        return [
            translated(
                "Nothing is watched yet: no day with judged answers is over.",
                "아직 지켜보는 것이 없습니다. 평가된 답변이 있는 날이 끝나야 합니다.",
            )
        ]
    return [_state(each) for each in series]


def _state(one: View) -> str:
    name = SERIES[one["series"]][language()]
    where = f"{printable(one['judge_model'])}, {name}"
    points, missing = one["points"], one["missing"]
    if not missing:
        return translated(f"{where}: watched.", f"{where}: 지켜보는 중입니다.")
    if one["series"] == "corrected":
        return translated(
            f"{where}: {points} of {points + missing} points learned; each takes 10 labels of"
            " drawn answers (`searchqa review sample`).",
            f"{where}: {points + missing}개 중 {points}개 지점을 익혔습니다. 지점마다 추출된 답변의"
            " 라벨 10개가 필요합니다(`searchqa review sample`).",
        )
    return translated(
        f"{where}: {points} of {points + missing} days learned; days with fewer than 20 answers are"
        " joined.",
        f"{where}: {points + missing}일 중 {points}일을 익혔습니다. 답변이 20개보다 적은 날은"
        " 합칩니다.",
    )
