"""`searchqa policy …`: the workspace's evaluation policy."""

import json as json_
import uuid
from typing import Annotated, Any, get_args

import typer
from searchqa_client import Api

from app.cli import output
from app.cli.language import N_, _
from app.cli.server import connect, poll
from app.cli.tables import print_table
from app.platform.errors import SetupError
from app.verdicts.policy.document import WorkspacePolicy

PATH = "/settings/evaluation"
LEARNING = f"{PATH}/learning"
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


@policy.command()
def learn(
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Ask nothing if more is expected.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=50, metavar="N", help="Use so many labels, drawn by chance.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Prove it, and leave the policy as it is.")
    ] = False,
    show: Annotated[
        uuid.UUID | None, typer.Option(metavar="ID", help="Follow or show an earlier one.")
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Go back on the last one, or that of --show.")
    ] = False,
    yes: output.Yes = False,
    json: output.AsJson = False,
) -> None:
    """Learn from the labels of drawn answers: examples for the judge's prompt, and a threshold.

    One half of the labels teaches, the other one proves. The policy changes only where the judge
    then agrees more with people: where the 95 % interval of the difference lies above 0. Exit code
    1 when that cannot be measured.

    Examples:

    searchqa policy learn --budget 2

    searchqa policy learn --undo
    """
    with connect() as client:
        if undo:
            found = client.post(f"{LEARNING}/{show or _last_applied(client)}/undo")
        else:
            if show:
                begun = client.get(f"{LEARNING}/{show}")
            else:
                body = {"max_cost_usd": budget, "limit": limit, "dry_run": dry_run}
                _confirm_learning(client, body, ask=not (yes or json))
                begun = client.post(LEARNING, body)
            found = _follow(client, begun, quiet=json)
    output.print_result(found, _show_learning, as_json=json)
    if found["result"] is None:
        raise typer.Exit(1)


def _last_applied(client: Api) -> str:
    for one in client.get(LEARNING)["items"]:
        if one["applied_at"] and not one["undone_at"]:
            return str(one["id"])
    raise SetupError(_("The policy has nothing that was learned, so there is nothing to undo."))


def _confirm_learning(client: Api, body: output.View, *, ask: bool) -> None:
    cost = client.post(f"{LEARNING}/estimate", body)
    sentence = _(
        "{learned} labelled answers teach, {proven} prove; {examples} go into the prompt as"
        " examples.",
        learned=cost["learned_on"],
        proven=cost["proven_on"],
        examples=cost["examples"],
    )
    output.confirm_cost(sentence, cost, ask=ask)


def _follow(client: Api, begun: output.View, *, quiet: bool) -> output.View:
    again = f"searchqa policy learn --show {begun['id']}"
    seen = poll(client, f"{LEARNING}/{begun['id']}")
    return output.follow(begun["judge_model"], begun, seen, quiet=quiet, again=again)


def _show_learning(found: output.View) -> None:
    out, result = output.console(), found["result"]
    if found["undone_at"]:
        out.print(_("The policy is as it was before; verdicts stay."))
        return
    if result is None:
        out.print(output.one_line(f"{_(found['status'])}: {found['error_message'] or ''}"))
        return
    sentence = _(_OUTCOMES[result["outcome"]])
    if means := result["agreement"]:
        interval = means["interval"] or {"low": -1, "high": 1}
        sentence += " " + _(
            "{change}: {difference:+.1f} points [{low:+.1f}, {high:+.1f}] of agreement with people"
            " on {labels} labels ({first:.1%} before, {second:.1%} after).",
            change=_(_CHANGES[result["change"]]),
            difference=100 * means["difference"],
            low=100 * interval["low"],
            high=100 * interval["high"],
            labels=result["labels"],
            first=means["first"],
            second=means["second"],
        )
    out.print(sentence)
    if result["spent_usd"] is not None:
        out.print(_("Spent: {spent}.", spent=f"${result['spent_usd']:.4f}"))
    if found["applied_at"]:
        out.print(
            _(
                "High stays from {threshold:.3f} on, where more than {precision:.1%} is right (90 %"
                " confidence; {right} of {labels} labels). Go back with: searchqa policy learn"
                " --undo",
                threshold=result["threshold"],
                precision=result["precision"],
                right=result["highs_right"],
                labels=result["highs"],
            )
        )
    else:
        out.print(_("Nothing changed."))


_OUTCOMES = {
    "better": N_("Better."),
    "not_better": N_("Not better."),
    "policy_changed": N_("Better, but the policy has been changed meanwhile."),
}
_CHANGES = {"examples": N_("Examples"), "threshold": N_("Another threshold")}


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
