"""`searchqa policy …`: the workspace's evaluation policy."""

import json as json_
from typing import Annotated, Any, get_args

import typer

from app.cli import output
from app.cli.language import _
from app.cli.server import connect
from app.cli.tables import print_table
from app.verdicts.policy.document import WorkspacePolicy

PATH = "/settings/evaluation"
OFF = "off"

policy = output.command_group(
    "policy",
    """It sets which answers are judged, by which models and at what cost. Unset fields inherit the
    server's settings (SEARCHQA_…).""",
)

_FIELDS = WorkspacePolicy.model_fields
# Fields whose values are lists: a list is among the alternatives of their types.
_LISTS = {
    name
    for name, field in _FIELDS.items()
    if any("list" in str(alternative) for alternative in get_args(field.annotation))
}


@policy.command()
def show(json: output.AsJson = False) -> None:
    """Show the effective policy, where each value comes from, and today's remaining budget.

    Example:

    searchqa policy show
    """
    with connect() as client:
        found = client.get(PATH)
    output.print_result(found, _show, as_json=json)


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
    json: output.AsJson = False,
) -> None:
    """Change some fields of the policy, from the next answer on; the others keep their values.

    Examples:

    searchqa policy set sample_rate=0.2 features=search_qa languages=ko,en

    searchqa policy set judge_model=openai:gpt-6-luna fallback_models=anthropic:claude-haiku-5-5

    searchqa policy set daily_budget_usd=5 time_zone=Asia/Seoul keep_answers_days=
    """
    changed = dict(_parse(change) for change in changes)
    with connect() as client:
        before = client.get(PATH)
        body = {**before["policy"], **changed}
        found = client.put(PATH, body, if_match=f'"{before["version"]}"')
    output.print_result(found, _show, as_json=json)


@policy.command()
def reset(json: output.AsJson = False) -> None:
    """Clear the policy, so that every field inherits the server's settings.

    Example:

    searchqa policy reset
    """
    with connect() as client:
        found = client.put(PATH, {})
    output.print_result(found, _show, as_json=json)


def _parse(change: str) -> tuple[str, Any]:
    name, equals, value = change.partition("=")
    if not equals or name not in _FIELDS:
        fields = ", ".join(_FIELDS)
        raise typer.BadParameter(
            _(
                "{change!r} is not FIELD=VALUE; the fields are {fields}.",
                change=change,
                fields=fields,
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


def _show(found: output.View) -> None:
    out = output.console()
    rows = (
        [name, _(found["sources"][name]), output.one_line(_as_argument(value)).plain]
        for name, value in found["effective"].items()
    )
    print_table([_(name) for name in ("field", "from", "value")], rows, last="fold")
    if budget := found["budget"]:
        left = found["effective"]["daily_budget_usd"] - budget["spent_usd"]
        end, deferred = output.local_time(budget["day_end"]), budget["deferred"]
        spent, rest = f"${budget['spent_usd']:.4f}", f"${max(left, 0):.4f}"
        out.print(
            _(
                "\nToday until {end}: {spent} spent, {rest} left, {deferred} answers wait for"
                " tomorrow.",
                end=end,
                spent=spent,
                rest=rest,
                deferred=deferred,
            )
        )
    for one in found["calibrations"]:
        out.print(_guarantee(one))
    if cascade := found.get("cascade_calibration"):
        out.print(_cascade(cascade))
    for problem in found["problems"]:
        out.print(f"! {problem}", style="yellow")


def _as_argument(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or OFF
    return output.written(value)


def _guarantee(one: output.View) -> str:
    sentence = _(
        "\nGuarantee: at least {precision:.1%} of what {judge} calls high from {threshold:.3f} on"
        " is"
        " right ({confidence:.0%} confidence; {right} of {labels} labels, {when}).",
        judge=f"{output.printable(one['judge_model'])} ({output.printable(one['prompt_version'])})",
        right=one["labels_right"],
        when=output.local_time(one["created_at"]),
        **{name: one[name] for name in ("precision", "threshold", "confidence", "labels")},
    )
    lapsed = _(" Lapsed: the policy names another judge or prompt now.")
    return sentence + (lapsed if one["lapsed"] else "")


def _cascade(found: output.View) -> str:
    steps = (
        f"{output.printable(judge)} ≤ {_bound(step['low'])} / ≥ {_bound(step['high'])}"
        for judge, step in found["steps"].items()
    )
    sentence = _(
        "\nCascade: {steps}; decides {decided:.0%} before {last}, with at most {max_loss:.1%} worse"
        " verdicts ({confidence:.0%} confidence; {worse} of {labels} labels, {when}).",
        steps=", ".join(steps),
        last=output.printable(found["judges"][-1]),
        when=output.local_time(found["calibrated_at"]),
        **{name: found[name] for name in ("decided", "max_loss", "confidence", "worse", "labels")},
    )
    lapsed = _(" Lapsed: the cascade has other judges or prompts now.")
    return sentence + (lapsed if found["lapsed"] else "")


def _bound(score: float | None) -> str:
    return "-" if score is None else f"{score:.3f}"
