"""`searchqa judge …`: the successor of a judge of the policy."""

import sys
import uuid
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.text import Text
from searchqa_client import Api

from app.cli import output
from app.cli.language import N_, _, language
from app.cli.server import connect, poll
from app.cli.tables import print_table
from app.experiments.benches.views import BothMeans
from app.experiments.succession.plan import DEFAULT_ANSWERS, SuccessionDetail
from app.experiments.succession.report import Shift, Side, SuccessionReport
from app.experiments.succession.switch import objections_in_words
from app.platform.errors import SetupError
from app.quality.metrics.statistics import Estimate, Interval
from app.quality.review.calibrating import CalibratedJudge

PATH = "/judges/successions"

judge = output.command_group("judge")


@judge.command()
def succeed(
    old: Annotated[str | None, typer.Argument(help="A judge of the policy.")] = None,
    new: Annotated[str | None, typer.Argument(help="Who takes its place.")] = None,
    answers: Annotated[
        int, typer.Option(min=1, max=2_000, help="How many stored answers both judge.")
    ] = DEFAULT_ANSWERS,
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Judge as many answers as cost no more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same answers.")] = 0,
    show: Annotated[
        uuid.UUID | None, typer.Option(metavar="ID", help="Follow or show an earlier one.")
    ] = None,
    switch: Annotated[
        bool, typer.Option("--switch", help="Switch the policy once both have judged.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --switch: in spite of the report's objections.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Go back on the last switch, or that of --show.")
    ] = False,
    yes: output.Yes = False,
    json: output.AsJson = False,
) -> None:
    """Compare a judge of the policy with a successor on stored answers, then switch to it.

    Labelled answers are judged first, then drawn ones; verdicts stay as they are. The switch
    changes policy, cascade, jury and guarantee in one step. Exit code 1 when the comparison does
    not complete, or the switch is refused.

    Examples:

    searchqa judge succeed house:qwen3-8b openai:gpt-6-luna --budget 2

    searchqa judge succeed --show ID --switch

    searchqa judge succeed --undo
    """
    named = old is not None and new is not None
    if (named == (undo or show is not None)) or (undo and switch):
        raise SetupError("Give OLD and NEW, or --show ID, or --undo.")
    with connect() as client:
        if undo:
            found = client.post(f"{PATH}/{show or _last_switched(client)}/undo")
        elif show:
            found = _follow(client, client.get(f"{PATH}/{show}"), quiet=json)
        else:
            sample = {"answers": answers, "max_cost_usd": budget, "seed": seed}
            body: output.View = {"old": old, "new": new, **sample}
            _confirm_cost(client, body, ask=not (yes or json))
            found = _follow(client, client.post(PATH, body), quiet=json)
        if not json and not undo:
            _show(SuccessionDetail.model_validate(found))
        ready = found["summary"] is not None and not undo
        if switched := ready and (switch or _confirm_switch(found, quiet=yes or json)):
            found = client.post(f"{PATH}/{found['id']}/switch", {"force": force})
        notices = _notices(client, found) if switched else []
    output.print_result(found, lambda one: _print_outcome(one, notices, switched), as_json=json)
    if found["summary"] is None and not undo:
        raise typer.Exit(1)


def _last_switched(client: Api) -> str:
    for one in client.get(PATH)["items"]:
        if one["switched_at"] and not one["undone_at"]:
            return str(one["id"])
    raise SetupError(_("No switch of this workspace is in force, so there is nothing to undo."))


def _confirm_cost(client: Api, body: output.View, *, ask: bool) -> None:
    cost = client.post(f"{PATH}/estimate", body)
    text = _(
        "Both judge {answers:,} stored answers, {labelled:,} of them labelled by people.",
        answers=cost["answers"],
        labelled=cost["labelled"],
    )
    if cost["too_dear"]:
        text += " " + _(
            "{too_dear:,} answers exceed the budget and are left out.", too_dear=cost["too_dear"]
        )
    output.confirm_cost(text, cost, ask=ask)


def _follow(client: Api, begun: output.View, *, quiet: bool) -> output.View:
    again = f"searchqa judge succeed --show {begun['id']}"
    title = f"{begun['old_model']} → {begun['new_model']}"
    return output.follow(
        title, begun, poll(client, f"{PATH}/{begun['id']}"), quiet=quiet, again=again
    )


def _confirm_switch(found: output.View, *, quiet: bool) -> bool:
    """Asks at a terminal, where nothing speaks against it."""
    if quiet or found["switched_at"] or found["summary"]["objections"] or not sys.stdin.isatty():
        return False
    return typer.confirm(_("Switch the policy to {model} now?", model=found["new_model"]))


def _notices(client: Api, switched: output.View) -> list[str]:
    """What the switch leaves to do."""
    kept = (switched["summary"]["guarantee"] or {}).get("outcome") == "guaranteed"
    settings = client.get("/settings/evaluation")
    found: list[str] = settings["problems"]
    if not kept and any(each["lapsed"] for each in settings["calibrations"]):
        found = [*found, _(_LAPSED)]
    return found


_LAPSED = N_(
    "Guarantees of the old judge no longer hold: have labelled answers judged again by the new one,"
    " then calibrate with `searchqa api POST /settings/evaluation/calibrations`."
)


def _print_outcome(found: output.View, notices: list[str], switched: bool) -> None:
    out = output.console()
    about = {"old": found["old_model"], "new": found["new_model"]}
    if found["undone_at"]:
        out.print(_("The policy uses {old} again instead of {new}.", **about))
    elif switched:
        text = _("{new} replaces {old} in the policy, from the next answer on.", **about)
        out.print(f"{text} " + _("Go back with: searchqa judge succeed --undo"))
    elif found["summary"] and not found["switched_at"]:
        command = f"searchqa judge succeed --show {found['id']} --switch"
        out.print(_("The policy is unchanged. Switch with: {command}", command=command))
    for notice in notices:
        out.print(output.one_line(notice), style="yellow")


def _show(found: SuccessionDetail) -> None:
    out = output.console()
    summary = found.summary
    if summary is None:
        out.print(Text(f"{_(found.status)}: {found.done:,} / {found.total:,}", "yellow"))
        if found.error_message:
            out.print(Text(output.printable(found.error_message), "red"))
        return
    headers = ("", _("verdicts"), _("failed"), _("$ per 1,000 answers"), _("seconds"))
    print_table([*headers, _("agreement with people (κ)")], map(_side, (summary.old, summary.new)))
    out.print(output.one_line(_agreement(summary)))
    rows = [
        [
            _name(shift),
            f"{_(_GROUPS[shift.group])} {_value(shift)}".strip(),
            f"{shift.answers:,}",
            *_difference(shift),
            _(_COMPARABLE[shift.comparable]),
        ]
        for shift in summary.shifts
    ]
    shown = (_("figure"), _("answers by"), _("answers"), _("old"), _("new"), _("difference"))
    print_table([*shown, _("95 % interval"), _("past comparable")], rows)
    out.print(Text(_(_LEGEND), "dim"))
    if summary.guarantee:
        out.print(output.one_line(_guarantee(summary.guarantee)))
    for text in objections_in_words(summary, language()):
        out.print(output.one_line(text), style="yellow")


def _guarantee(found: CalibratedJudge) -> str:
    if found.threshold and found.stays_high is not None:
        return _(
            "The guarantee carries over: high from a correctness of {score:.2f} on, by {labels:,}"
            " labels of which {right:,} are right; {share:.0%} of the new judge's high verdicts"
            " stay high.",
            score=found.threshold.score,
            labels=found.threshold.labels,
            right=found.threshold.right,
            share=found.stays_high,
        )
    text = _("The guarantee is off after the switch, until the new judge is calibrated.")
    if found.more_labels:
        text += " " + _(
            "{more:,} more labels are needed, all of them “right”.", more=found.more_labels
        )
    return text


def _name(shift: Shift) -> str:
    if shift.figure != "criterion":
        return _(_FIGURES[shift.figure])
    alike = 0 if shift.alike is None else shift.alike
    return _("{name} ({alike:.0%} alike)", name=output.printable(shift.value), alike=alike)


def _value(shift: Shift) -> str:
    if shift.group == "all":
        return ""
    return _(shift.value) if shift.group == "confidence" else output.printable(shift.value)


_FIGURES: Mapping[str, str] = {
    "correctness": N_("correctness"),
    "utility": N_("utility"),
    "overall": N_("overall score"),
    "high": N_("share high"),
}
_GROUPS: Mapping[str, str] = {
    "all": N_("all"),
    "confidence": N_("old confidence"),
    "lang": N_("lang"),
    "notebook": N_("notebook"),
}
_COMPARABLE: Mapping[str, str] = {"yes": N_("yes"), "no": N_("no"), "unclear": N_("unclear")}
_LEGEND = N_(
    "yes: the new judge's figures stay within 0.05 of the old one's; no: they do not; unclear:"
    " more answers are needed. Thresholds of a cascade never carry over."
)


def _side(side: Side) -> list[str]:
    verdicts = f"{side.verdicts:,}"
    if side.stored:
        verdicts += " " + _("({stored:,} stored)", stored=side.stored)
    people = side.with_people
    agrees = Estimate(None, None)
    if people and people.kappa is not None and people.low is not None and people.high is not None:
        agrees = Estimate(people.kappa, Interval(people.low, people.high))
    spent = (_estimate(side.usd_per_1000), _estimate(side.seconds), _estimate(agrees))
    return [side.judge_model, verdicts, f"{side.failed:,}", *spent]


def _agreement(found: SuccessionReport) -> str:
    text = _("Both have a verdict on {pairs:,} answers.", pairs=found.pairs)
    if found.agreement.exact is not None:
        share = _(
            "They grade {exact:.0%} alike (κ {kappa}).",
            exact=found.agreement.exact,
            kappa="–" if found.agreement.kappa is None else f"{found.agreement.kappa:.2f}",
        )
        text += f" {share}"
    if found.people:
        first, second, difference, interval = _difference(found.people)
        text += " " + _(
            "Of {labelled:,} labelled answers the old judge agrees with people on {first}, the new"
            " one on {second} (difference {difference}, 95 % {interval}).",
            labelled=found.labelled,
            first=first,
            second=second,
            difference=difference,
            interval=interval,
        )
    return text


def _difference(means: BothMeans) -> list[str]:
    difference = f"{means.difference:+.2f}"
    return [f"{means.first:.2f}", f"{means.second:.2f}", difference, _interval(means.interval)]


def _estimate(found: Estimate) -> str:
    if found.value is None:
        return "-"
    return f"{found.value:.3g} ({_interval(found.interval)})"


def _interval(found: Interval | None) -> str:
    return "-" if found is None else f"{found.low:.3g} – {found.high:.3g}"
