"""`searchqa policy …`: the workspace's evaluation policy."""

import json as json_
from typing import Annotated, Any, get_args

import typer

from app.cli.client import connect
from app.cli.language import column_title, translated, value_title
from app.cli.options import AsJson, command_group
from app.cli.output import View, console, local_time, one_line, print_result, written
from app.cli.policy_calibration import calibrate, show_calibrations
from app.cli.policy_cascade import cascade, show_cascade
from app.cli.tables import print_table
from app.verdicts.policy.document import WorkspacePolicy

PATH = "/settings/evaluation"
OFF = "off"

policy = command_group(
    "policy",
    """It sets which answers are judged, by which models and at what cost. Unset fields inherit the
    server's settings (SEARCHQA_…).""",
)

policy.command()(calibrate)
policy.command()(cascade)

_FIELDS = WorkspacePolicy.model_fields
# Fields whose values are lists: a list is among the alternatives of their types.
_LISTS = {
    name
    for name, field in _FIELDS.items()
    if any("list" in str(alternative) for alternative in get_args(field.annotation))
}


@policy.command()
def show(json: AsJson = False) -> None:
    """Show the effective policy, where each value comes from, and today's remaining budget.

    Example:

    searchqa policy show
    """
    with connect() as client:
        found = client.get(PATH)
    print_result(found, _show, as_json=json)


@policy.command("set")
def set_(
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="FIELD=VALUE…",
            help="Fields to change; lists are comma-separated, `off` is an empty list. An empty"
            " value makes the field inherit the server's setting again.",
        ),
    ],
    json: AsJson = False,
) -> None:
    """Change some fields of the policy, from the next answer on; the others keep their values.

    Examples:

    searchqa policy set sample_rate=0.2 features=search_qa languages=ko,en

    searchqa policy set judge_model=openai:gpt-4o-mini fallback_models=anthropic:claude-haiku-4-5

    searchqa policy set daily_budget_usd=5 time_zone=Asia/Seoul keep_answers_days=
    """
    changed = dict(_parse(change) for change in changes)
    with connect() as client:
        before = client.get(PATH)
        body = {**before["policy"], **changed}
        found = client.put(PATH, body, if_match=f'"{before["version"]}"')
    print_result(found, _show, as_json=json)


@policy.command()
def reset(json: AsJson = False) -> None:
    """Clear the policy, so that every field inherits the server's settings.

    Example:

    searchqa policy reset
    """
    with connect() as client:
        found = client.put(PATH, {})
    print_result(found, _show, as_json=json)


def _parse(change: str) -> tuple[str, Any]:
    name, equals, value = change.partition("=")
    if not equals or name not in _FIELDS:
        fields = ", ".join(_FIELDS)
        raise typer.BadParameter(
            translated(
                f"{change!r} is not FIELD=VALUE; the fields are {fields}.",
                f"{change!r}은(는) FIELD=VALUE 형식이 아닙니다. 항목: {fields}.",
            )
        )
    if value == "":
        return name, None
    if name in _LISTS:
        return name, [] if value == OFF else [part.strip() for part in value.split(",")]
    try:
        return name, json_.loads(value)
    except ValueError:
        return name, value


def _show(found: View) -> None:
    out = console()
    rows = (
        [name, value_title(found["sources"][name]), one_line(_as_set_takes_it(value)).plain]
        for name, value in found["effective"].items()
    )
    print_table([column_title(name) for name in ("field", "from", "value")], rows, last="fold")
    if budget := found["budget"]:
        left = found["effective"]["daily_budget_usd"] - budget["spent_usd"]
        end, deferred = local_time(budget["day_end"]), budget["deferred"]
        spent, rest = f"${budget['spent_usd']:.4f}", f"${max(left, 0):.4f}"
        out.print(
            translated(
                f"\nToday until {end}: {spent} spent, {rest} left, {deferred} answers wait for"
                " tomorrow.",
                f"\n오늘({end}까지): {spent} 사용, {rest} 남음, 답변 {deferred}개는 내일 평가.",
            )
        )
    show_calibrations(found["calibrations"])
    show_cascade(found.get("cascade_calibration"))
    for problem in found["problems"]:
        out.print(f"! {problem}", style="yellow")


def _as_set_takes_it(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or OFF
    return written(value)
