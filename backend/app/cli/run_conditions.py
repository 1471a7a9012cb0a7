"""`searchqa run … --against RUN --fail-if CONDITION`: whether a run is worse than a baseline."""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NoReturn

import typer
from searchqa_client import Api
from searchqa_client.errors import Conflict, NotFound

from app.cli.language import _
from app.cli.output import View
from app.cli.run_report import not_compared
from app.experiments.runs.diagnosis import GATED

_CONDITION = re.compile(r"\s*(\w+)\s+(drops by|rises by|below)\s+(0?\.\d+|0|1(?:\.0+)?)\s*")
_MIN_CASES = 2

Against = Annotated[
    str | None,
    typer.Option(metavar="NAME|ID", help="Baseline: a run, or the newest run of that name."),
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CONDITION",
        help="Exit with code 1 if METRIC drops by, rises by, or is below a number; repeatable.",
    ),
]


@dataclass(frozen=True, slots=True)
class Condition:
    """A metric, by its name in `--fail-under`, and how it must not come out."""

    metric: str
    kind: str
    amount: float

    @classmethod
    def parse(cls, written: str) -> "Condition":
        """Raises BadParameter, which ends with exit code 2."""
        match = _CONDITION.fullmatch(written)
        if match is None or match[1] not in GATED:
            raise typer.BadParameter(
                _(
                    "“{written}” cannot be read; write METRIC drops by .03, METRIC rises by .03, or"
                    " METRIC below .8, with a METRIC of {names}.",
                    written=written,
                    names=", ".join(GATED),
                )
            )
        return cls(match[1], match[2], float(match[3]))

    @property
    def compares(self) -> bool:
        return self.kind != "below"

    def is_met(self, difference: float) -> bool:
        change = -difference if self.kind == "drops by" else difference
        # Means of the same scores differ in their last bits.
        return change >= self.amount - 1e-9 and change > 0


def parse_conditions(written: Sequence[str], against: str | None) -> list[Condition]:
    """Raises BadParameter, also where a condition needs a baseline and there is none, or there is
    one that no condition needs."""
    conditions = [Condition.parse(each) for each in written]
    if any(each.compares for each in conditions) != (against is not None):
        raise typer.BadParameter(
            _("--against goes with a --fail-if of “drops by” or “rises by”; give both.")
        )
    return conditions


def with_conditions(
    gates: Mapping[str, float], conditions: Sequence[Condition]
) -> dict[str, float]:
    """The gates, and the conditions that need no baseline; the highest number of each metric."""
    found = dict(gates)
    for each in conditions:
        if not each.compares:
            found[each.metric] = max(each.amount, found.get(each.metric, 0.0))
    return found


def check_baseline(client: Api, dataset_id: uuid.UUID, against: str) -> None:
    """Before anything is spent. Ends with exit code 2 where there is none of the dataset."""
    found = client.items("/evaluation/datasets")
    names = [each["name"] for each in found if each["id"] == str(dataset_id)]
    if names:
        _baseline(client, names[0], against)


def compare(client: Api, run: View, against: str, conditions: Sequence[Condition]) -> list[str]:
    """A sentence for each condition that is met. Ends with exit code 2 where the run cannot be
    compared with the baseline, or in too few cases."""
    baseline = _baseline(client, run["dataset_name"], against, run["id"])
    try:
        comparison = client.get(f"/evaluation/runs/{baseline['id']}/compare/{run['id']}")
    except Conflict as error:
        _end(str(error))
    known = {each["name"]: each for each in comparison["differences"]}
    met = []
    for condition in conditions:
        figures = known.get(GATED[condition.metric])
        if figures is None:
            _end(_why_missing(comparison, condition.metric))
        if figures["cases"] < _MIN_CASES:
            _end(
                _(
                    "{metric}: too few measured cases in common ({cases}); it takes {least}. Add"
                    " cases, or use a baseline over the same dataset.",
                    metric=condition.metric,
                    cases=figures["cases"],
                    least=_MIN_CASES,
                )
            )
        if condition.is_met(figures["difference"]):
            met.append(_sentence(condition, figures, comparison))
    return met


def _baseline(client: Api, dataset: str, against: str, run_id: str | None = None) -> View:
    """The newest completed one of the dataset, in any version, but the run itself."""
    try:
        path = f"/evaluation/runs/{uuid.UUID(against)}/progress"
    except ValueError:
        found: list[View] = list(client.items("/evaluation/runs", name=against))
    else:
        try:
            found = [client.get(path)]
        except NotFound:
            found = []
    wanted = dataset, "completed"
    for each in found:
        if each["id"] != run_id and (each["dataset_name"], each["status"]) == wanted:
            return each
    return _end(
        _(
            "No other completed run of {dataset} is called “{against}”; make one by `searchqa run"
            " start … -n {against}`.",
            dataset=dataset,
            against=against,
        )
    )


def _why_missing(comparison: View, metric: str) -> str:
    reasons = [
        not_compared(each) for each in comparison["not_compared"] if GATED[metric] in each["names"]
    ]
    return (
        reasons[0]
        if reasons
        else _(
            "{metric} was measured in no case of both runs, so there is nothing to compare.",
            metric=metric,
        )
    )


def _sentence(condition: Condition, figures: View, comparison: View) -> str:
    return _(
        "{metric} is {change:.3f} {direction} “{baseline}” (95 % interval of the difference"
        " {low:+.3f} to {high:+.3f}, {cases} cases in common, {others} in one run only).",
        metric=condition.metric,
        change=abs(figures["difference"]),
        direction=_("below") if figures["difference"] < 0 else _("above"),
        baseline=comparison["first_name"],
        low=figures["low"],
        high=figures["high"],
        cases=figures["cases"],
        others=comparison["only_first"] + comparison["only_second"],
    )


def _end(why: str) -> NoReturn:
    typer.echo(why, err=True)
    raise typer.Exit(2)
