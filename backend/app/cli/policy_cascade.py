"""`searchqa policy cascade`, and the thresholds that `searchqa policy show` lists."""

import uuid
from pathlib import Path
from typing import Annotated

import typer

from app.cli.client import Client, connect
from app.cli.judge_bench import begin_bench, confirm_cost, follow_bench, print_rejected
from app.cli.language import translated
from app.cli.options import AsJson, Yes
from app.cli.output import View, console, local_time, print_json, printable
from app.cli.tables import print_table
from app.platform.errors import SetupError

SETTINGS = "/settings/evaluation"
PATH = f"{SETTINGS}/cascade"


def cascade(
    labels: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="JSONL; see docs/judge-bench.md."),
    ] = None,
    from_feedback: Annotated[
        bool, typer.Option("--from-feedback", help="Use people's labels of stored answers.")
    ] = False,
    bench: Annotated[
        uuid.UUID | None,
        typer.Option(metavar="ID", help="Use the verdicts of an earlier bench; nothing is paid."),
    ] = None,
    judges: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C",
            help="Judges to ask in turn, the policy's judge last; by default the policy's cascade.",
        ),
    ] = None,
    max_loss: Annotated[
        float,
        typer.Option(min=0.001, max=0.5, help="Share of answers that may get a worse verdict."),
    ] = 0.01,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="How sure that is to be.")
    ] = 0.9,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Set nothing.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the thresholds instead.")
    ] = False,
    yes: Yes = False,
    json: AsJson = False,
) -> None:
    """Ask cheap judges first: find from which scores each may decide without the last one.

    Has every judge judge the labelled answers, prints cost and agreement at each threshold, and
    sets the cheapest that keeps --max-loss. Exit code 1 when there is none.

    Examples:

    searchqa policy cascade --labels labelled.jsonl --judges offline:rules,openai:a,openai:b

    searchqa policy cascade --from-feedback --max-loss 0.02 --dry-run
    """
    sources = sum((labels is not None, from_feedback, bench is not None))
    if sources != (0 if remove else 1):
        raise SetupError("Give one of --labels FILE, --from-feedback, --bench ID and --remove.")
    with connect() as client:
        if remove:
            client.delete(PATH)
            if not json:
                typer.echo(translated("The thresholds are removed.", "기준을 삭제했습니다."))
            return
        named = [each.strip() for each in judges.split(",")] if judges else _of_policy(client)
        bench_id = bench or _measured(client, labels, named, ask=not (yes or json), quiet=json)
        body = {"bench_id": str(bench_id), "judges": named, "max_loss": max_loss}
        body |= {"confidence": confidence}
        found = client.post(PATH, body | {"dry_run": True})
        if not json:
            _show(found)
        if found["chosen"] and not dry_run and (yes or _agreed(json)):
            found = client.post(PATH, body)
            if not json:
                typer.echo(_set(found))
    if json:
        print_json(found)
    if not found["chosen"]:
        raise typer.Exit(1)


def _of_policy(client: Client) -> list[str]:
    judges: list[str] = client.get(SETTINGS)["effective"]["cascade"]
    if not judges:
        raise SetupError(
            translated(
                "The policy names no cascade; say which judges to ask in turn: --judges"
                " offline:rules,openai:small,openai:large.",
                "정책에 cascade가 없습니다. 차례로 평가할 모델을 지정하세요: --judges"
                " offline:rules,openai:small,openai:large.",
            )
        )
    return judges


def _measured(
    client: Client, file: Path | None, judges: list[str], *, ask: bool, quiet: bool
) -> str:
    """The id of a bench of these judges, once it has ended."""
    fields = {"judges": judges, "judge_spans": False}
    confirm_cost(client, file, fields, ask=ask)
    bench = begin_bench(client, file, fields)
    print_rejected(bench)
    follow_bench(client, bench, quiet=quiet)
    return str(bench["id"])


def _agreed(json: bool) -> bool:
    question = translated("Set this cascade?", "이 기준을 적용할까요?")
    return not json and typer.confirm(question, err=True)


def _set(found: View) -> str:
    judges = " → ".join(map(printable, (*found["chosen"]["steps"], found["judges"][-1])))
    return translated(
        f"Set: answers are judged by {judges} from now on.",
        f"적용했습니다. 이제 {judges} 순서로 평가합니다.",
    )


_HEADERS = {
    "thresholds": "기준(낮음 ≤, 높음 ≥)",
    "decided": "결정",
    "$ for 1,000": "1,000개당 $",
    "agreement": "라벨 일치",
    "false highs (new)": "잘못된 높음(새로)",
    "worse": "나빠짐",
    "better": "나아짐",
    "bound": "상한",
    "": "",
}


def _show(found: View) -> None:
    out, last = console(), printable(found["judges"][-1])
    basis = found["basis"]
    out.print(translated(basis["en"], basis["ko"]))
    if found["left_out"]:
        out.print(
            translated(
                f"! {found['left_out']:,} answers are left out: {last} had no verdict on them.",
                f"! 답변 {found['left_out']:,}개는 {last}의 평가가 없어 제외했습니다.",
            ),
            style="yellow",
        )
    if found["alone"]:
        rows = [_row(one, found) for one in (found["alone"], *found["tested"])]
        headers = [translated(english, korean) for english, korean in _HEADERS.items()]
        print_table(headers, rows, last="fold")
    out.print(_sentence(found))


def _row(one: View, found: View) -> list[str]:
    marks = [
        f"{printable(judge)} {_number(step['low'])}/{_number(step['high'])}"
        for judge, step in one["steps"].items()
    ]
    alone = translated("the last judge alone", "마지막 모델만")
    state = translated("chosen", "선택") if one == found["chosen"] else ""
    if not one["passed"]:
        state = translated("not shown", "미달")
    return [
        ", ".join(marks) or alone,
        f"{sum(one['decided'].values()):.1%}",
        f"{one['cost_per_1000_usd']:.4f}",
        f"{one['agreement']:.1%}",
        f"{one['false_highs']} ({one['new_false_highs']})",
        str(one["worse"]),
        str(one["better"]),
        f"{one['loss_bound']:.2%}" if marks else "-",
        state,
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _sentence(found: View) -> str:
    share, sure = f"{found['max_loss']:.1%}", f"{found['confidence']:.0%}"
    match found["outcome"]:
        case "calibrated":
            chosen, alone = found["chosen"], found["alone"]
            saved = 1 - chosen["cost_per_1000_usd"] / alone["cost_per_1000_usd"]
            bound = f"{chosen['loss_bound']:.2%}"
            return translated(
                f"It costs {saved:.0%} less, and with {sure} confidence fewer than {bound} of"
                f" answers get a worse verdict ({chosen['worse']} of {found['tested_on']} tested"
                " labels).",
                f"비용이 {saved:.0%} 줄고, 신뢰 수준 {sure}로 평가가 나빠지는 답변은 {bound}"
                f" 미만입니다(검정 라벨 {found['tested_on']}개 중 {chosen['worse']}개).",
            )
        case "too_few_labels":
            return translated(
                f"Too few labels: there are {found['labels']}, and at least {found['needed']} are"
                f" needed for a loss of {share} with {sure} confidence.",
                f"라벨이 부족합니다. {found['labels']}개가 있으며, 손실 {share}을(를) 신뢰 수준"
                f" {sure}로 보이려면 {found['needed']}개 이상이 필요합니다.",
            )
        case "no_saving":
            return translated(
                "Nothing to gain: the thresholds that keep the loss are not cheaper than the last"
                " judge alone.",
                "손실 한도를 지키는 기준이 마지막 모델만 쓰는 것보다 싸지 않습니다.",
            )
    return translated(
        f"No thresholds were shown to keep the loss below {share} with {sure} confidence; allow"
        " more, or label more answers.",
        f"신뢰 수준 {sure}로 손실을 {share} 미만으로 지키는 기준이 없습니다. 한도를 늘리거나 라벨을"
        " 더 붙이세요.",
    )


def show_cascade(found: View | None) -> None:
    """The thresholds of a policy's cascade, nothing where there are none."""
    if found is None:
        return
    steps = ", ".join(
        f"{printable(judge)} ≤ {_number(step['low'])} / ≥ {_number(step['high'])}"
        for judge, step in found["steps"].items()
    )
    when, loss = local_time(found["calibrated_at"]), f"{found['max_loss']:.1%}"
    sure, decided = f"{found['confidence']:.0%}", f"{found['decided']:.0%}"
    last = printable(found["judges"][-1])
    lapsed = translated(
        " Lapsed: the cascade has other judges or prompts now.",
        " 만료: 이제 cascade의 평가 모델이나 프롬프트가 다릅니다.",
    )
    console().print(
        translated(
            f"\nCascade: {steps}; decides {decided} before {last}, with at most {loss} worse"
            f" verdicts ({sure} confidence; {found['worse']} of {found['labels']} labels, {when}).",
            f"\n순차 평가: {steps}. {last} 전에 {decided}를 결정하며, 나빠지는 평가는 {loss}"
            f" 이하입니다(신뢰 수준 {sure}, 라벨 {found['labels']}개 중 {found['worse']}개,"
            f" {when}).",
        )
        + (lapsed if found["lapsed"] else "")
    )
