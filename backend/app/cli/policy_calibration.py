"""`searchqa policy calibrate`, and the guarantees that `searchqa policy show` lists."""

from typing import Annotated

import typer

from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import AsJson
from app.cli.output import View, console, local_time, print_json, printable
from app.cli.tables import print_table
from app.platform.errors import SetupError

PATH = "/settings/evaluation/calibrations"


def calibrate(
    precision: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Share of high verdicts that is to be right.")
    ] = 0.95,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="How sure that is to be.")
    ] = 0.9,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Only this judge, as provider:model.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Store nothing.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all guarantees instead.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Give "high" a guarantee: find the score above which people call most answers right.

    Takes people's labels of answers that `searchqa review sample` drew at random. For each judge
    the lowest score with that precision is stored in the policy; verdicts below it become medium,
    from the next one on. Exit code 1 when no judge gets a guarantee.

    Examples:

    searchqa policy calibrate --precision 0.95 --confidence 0.9

    searchqa policy calibrate --judge openai:gpt-4o-mini --dry-run
    """
    if remove and (dry_run or judge):
        raise SetupError("--remove takes away all guarantees; give it without --dry-run, --judge.")
    with connect() as client:
        if remove:
            client.delete(PATH)
            if not json:
                typer.echo(translated("All guarantees are removed.", "모든 보장을 삭제했습니다."))
            return
        body = {"precision": precision, "confidence": confidence, "dry_run": dry_run}
        found = client.post(PATH, body | ({"judge_model": judge} if judge else {}))
    print_json(found) if json else _show(found, dry_run=dry_run)
    if not any(one["outcome"] == "guaranteed" for one in found["judges"]):
        raise typer.Exit(1)


def _show(found: View, *, dry_run: bool) -> None:
    judges = found["judges"]
    headers = (
        translated("judge", "평가 모델"),
        translated("prompt", "프롬프트"),
        translated("threshold", "기준 정확성"),
        translated("labels", "라벨"),
        translated("right", "맞음"),
        translated("bound", "하한"),
        translated("stays high", "높음 유지"),
    )
    print_table(headers, [_row(one) for one in judges], last="fold")
    out = console()
    for one in judges:
        for line in _notes(one, found):
            out.print(f"! {line}", style="yellow")
    if dry_run:
        out.print(translated("Nothing was stored (--dry-run).", "저장하지 않았습니다(--dry-run)."))


def _row(one: View) -> list[str]:
    tested, stays = one["threshold"], one["stays_high"]
    cells = ["-"] * 4
    if tested:
        score, bound = f"{tested['score']:.3f}", f"{tested['bound']:.3f}"
        cells = [score, str(tested["labels"]), str(tested["right"]), bound]
    named = [printable(one["judge_model"]), printable(one["prompt_version"])]
    return [*named, *cells, "-" if stays is None else f"{stays:.0%}"]


def _notes(one: View, target: View) -> list[str]:
    """Why there is no guarantee, and of which answers it does not speak."""
    notes = [_why_not(one, target)]
    if one["withdrawn"]:
        notes.append(
            translated(
                "The earlier guarantee of this judge is removed, since the labels no longer"
                " support it.",
                "라벨이 더는 뒷받침하지 않아 이 평가 모델의 이전 보장을 삭제했습니다.",
            )
        )
    if missing := one["highs"] - one["covered"]:
        names = ", ".join(map(printable, one["strata"]))
        notes.append(
            translated(
                f"It does not speak of {missing:,} of {one['highs']:,} high verdicts, which have"
                f" too few labels to count: {names}.",
                f"'높음' {one['highs']:,}개 가운데 {missing:,}개({names})는 라벨이 부족해 이 보장에"
                " 포함되지 않습니다.",
            )
        )
    judge = printable(one["judge_model"])
    return [f"{judge}: {note}" for note in notes if note]


def _why_not(one: View, target: View) -> str:
    precision, more = target["precision"], one["more_labels"]
    match one["outcome"]:
        case "not_reached":
            best = one["best"]
            score, bound = f"{best['score']:.3f}", f"{best['bound']:.3f}"
            enough = (
                f"{more:,} more labels above it would do if all were right"
                if more
                else "but above it too many are wrong, and the highest scores are tested first"
            )
            enough_ko = (
                f"그 위에서 라벨 {more:,}개가 더 있고 모두 맞으면 됩니다"
                if more
                else "다만 높은 점수부터 검정하는데, 더 높은 점수에 틀린 답변이 너무 많습니다"
            )
            return translated(
                f"a precision of {precision:g} cannot be shown; the best with these labels is"
                f" {bound} from {score} on ({best['right']} of {best['labels']} right); {enough}.",
                f"정밀도 {precision:g}을(를) 보장할 수 없습니다. 지금 라벨로는 {score}부터"
                f" {bound}이 최선입니다({best['labels']}개 중 {best['right']}개 맞음)."
                f" {enough_ko}.",
            )
        case "too_few_labels":
            return translated(
                f"too few labels: {one['used']} of high verdicts count, and {more:,} more are"
                " needed even if all are right. Draw more with `searchqa review sample`.",
                f"라벨이 부족합니다. '높음' 평가의 라벨 {one['used']}개가 쓰이며, 모두 맞더라도"
                f" {more:,}개가 더 필요합니다. `searchqa review sample`로 더 추출하세요.",
            )
        case "no_highs":
            return translated(
                "it calls none of the drawn answers high.",
                "추출된 답변 가운데 '높음'으로 평가한 것이 없습니다.",
            )
        case "not_in_policy":
            return translated(
                "the policy no longer names this judge or this version of its prompt, so nothing"
                " is stored for it.",
                "정책이 더는 이 평가 모델이나 이 프롬프트 버전을 쓰지 않아 저장하지 않습니다.",
            )
    return ""


def show_calibrations(calibrations: list[View]) -> None:
    """The guarantees of a policy, nothing where there is none."""
    out = console()
    for one in calibrations:
        judge = f"{printable(one['judge_model'])} ({printable(one['prompt_version'])})"
        when = local_time(one["created_at"])
        promised, sure = f"{one['precision']:.1%}", f"{one['confidence']:.0%}"
        lapsed = translated(
            " Lapsed: the policy names another judge or prompt now.",
            " 만료: 이제 정책이 다른 평가 모델이나 프롬프트를 씁니다.",
        )
        out.print(
            translated(
                f"\nGuarantee: at least {promised} of what {judge} calls high from"
                f" {one['threshold']:.3f} on is right ({sure} confidence; {one['labels_right']} of"
                f" {one['labels']} labels, {when}).",
                f"\n보장: {judge}이(가) {one['threshold']:.3f} 이상으로 '높음'이라 평가한 답변은"
                f" {promised} 이상이 맞습니다(신뢰 수준 {sure}, 라벨 {one['labels']}개 중"
                f" {one['labels_right']}개 맞음, {when}).",
            )
            + (lapsed if one["lapsed"] else "")
        )
