"""People's labels of one judge's answers, thinned so that every answer had one chance to have one.

The exact test of a guarantee counts labels as they are, so no part of the answers may have more
than its share of them, as small strata of a draw have.
"""

import datetime as dt
import json
import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.session import refuse_when_too_slow
from app.platform.db.statements import load_sql
from app.platform.errors import InvalidRequest
from app.platform.ids import unit_hash
from app.quality.metrics.calibration import Calibration, isotonic
from app.quality.metrics.inclusion import Cell, Stratum, Thinning, chance_of_label, thin
from app.quality.metrics.statistics import Floats
from app.verdicts.lifecycle.cascade import LOWERED
from app.verdicts.policy.cascade import BELOW_GUARANTEE, PROMPT_UNPROVEN

# Sorts of a hundred thousand answers stay in memory; compiling a query takes longer than it runs.
# The planner takes frames for small and would look up each answer; hashing them all is quicker.
_PREPARE = text(
    "SELECT set_config('statement_timeout', :milliseconds, true),"
    " set_config('work_mem', '64MB', true), set_config('jit', 'off', true),"
    " set_config('enable_nestloop', 'off', true)"
)

_READ = text(load_sql(__package__, "calibration_labels"))
_STATEMENT_TIMEOUT = dt.timedelta(seconds=20)
JudgeVersion = tuple[str, str]
_Row = Mapping[str, Any]
# Their ids.
Strata = tuple[str, ...]


class Label(NamedTuple):
    """high: the judge calls the answer high; answer_right: people call it right,
    all of it. strata: in the order of their draws."""

    answer_id: str
    correctness: float
    high: bool
    strata: Strata
    draw_id: str
    answer_right: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """Every stratum of every draw of a workspace, with its name, and its draw by number, in the
    order in which they were drawn."""

    strata: Mapping[str, Stratum]
    names: Mapping[str, str]
    draws: Mapping[str, int]

    @classmethod
    def from_rows(cls, rows: Sequence[_Row]) -> "Frame":
        draws = {id_: n for n, id_ in enumerate(sorted({row["draw_id"] for row in rows}))}
        strata = {
            row["id"]: Stratum(draws[row["draw_id"]], row["chance"], row["labelled"])
            for row in rows
        }
        return cls(strata, {row["id"]: row["name"] for row in rows}, draws)

    def named(self, strata: Strata) -> tuple[Stratum, ...]:
        return tuple(self.strata[id_] for id_ in strata)


@dataclass(slots=True)
class JudgedAnswers:
    """Of one judge and prompt version. highs: how many of its high verdicts there are by strata;
    candidates: thresholds, with how many of its highs have at least that."""

    highs: dict[Strata, int] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    candidates: dict[float, int] = field(default_factory=dict)


class TrialVerdict(NamedTuple):
    """A verdict that is not stored with its answer. high: by the judge's own rule."""

    judge_model: str
    prompt_version: str
    answer_id: str
    correctness: float
    high: bool


# What lowers a verdict that its judge calls high.
HELD_BACK = (BELOW_GUARANTEE, PROMPT_UNPROVEN)


async def read_labels(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    judge_model: str | None,
    cascade: Sequence[str],
    trials: Sequence[TrialVerdict] | None = None,
) -> tuple[Frame, Mapping[JudgeVersion, JudgedAnswers]]:
    """The draws' labels of each judge of a workspace, or of that one, in verdicts of the
    cascade with its present thresholds, or without one where it is empty. trials: verdicts to read
    in the place of the stored ones. Raises InvalidRequest when that takes too long."""
    about = {
        "workspace_id": workspace_id,
        "judge_model": judge_model,
        "cascade": [*cascade] or None,
        "lowered": LOWERED,
        "held_back": [*HELD_BACK],
        "trials": None if trials is None else json.dumps([each._asdict() for each in trials]),
    }

    judges: defaultdict[JudgeVersion, JudgedAnswers] = defaultdict(JudgedAnswers)
    timeout_ms = str(round(_STATEMENT_TIMEOUT.total_seconds() * 1_000))
    with refuse_when_too_slow(InvalidRequest.worded("labels-too-slow")):
        await session.execute(_PREPARE, {"milliseconds": timeout_ms})
        found = (await session.execute(_READ, about)).mappings().one()
    for row in found["cells"]:
        judges[_version(row)].highs[tuple(row["strata"])] = row["highs"]
    for row in found["candidates"]:
        judges[_version(row)].candidates[row["correctness"]] = row["highs"]
    for row in found["labels"]:
        values = {name: row[name] for name in Label._fields}
        label = Label(**values | {"strata": tuple(row["strata"])})
        judges[_version(row)].labels.append(label)
    return Frame.from_rows(found["strata"]), judges


def _version(row: _Row) -> JudgeVersion:
    return row["judge_model"], row["prompt_version"]


@dataclass(frozen=True, slots=True)
class ThinnedLabels:
    """scores, right: of high verdicts that had one chance. highs: of the judge; covered: of these,
    those whose chance was above 0; missing: names of the strata of the others."""

    scores: Floats
    right: Floats
    highs: int
    covered: int
    missing: list[str]


def thinned(answers: JudgedAnswers, frame: Frame) -> ThinnedLabels:
    cells = list(answers.highs)
    by_cell = {strata: Counter[int]() for strata in cells}
    of_highs = [label for label in answers.labels if label.high]
    for label in of_highs:
        by_cell[label.strata][frame.draws[label.draw_id]] += 1
    found = thin([Cell(frame.named(each), answers.highs[each], by_cell[each]) for each in cells])
    keeps = {strata: found.keeps(place) for place, strata in enumerate(cells)}
    kept = [label for label in of_highs if _is_kept(label, keeps, found, frame)]
    left_out = [strata for strata in cells if not keeps[strata] and answers.highs[strata]]
    return ThinnedLabels(
        np.array([label.correctness for label in kept]),
        np.array([float(label.answer_right) for label in kept]),
        highs=sum(answers.highs.values()),
        covered=sum(count for strata, count in answers.highs.items() if keeps[strata]),
        missing=sorted({frame.names[id_] for strata in left_out for id_ in strata}),
    )


def _is_kept(label: Label, keeps: Mapping[Strata, float], found: Thinning, frame: Frame) -> bool:
    if frame.draws[label.draw_id] not in found.draws:
        return False
    return unit_hash(uuid.UUID(label.answer_id).bytes, b"calibration") < keeps[label.strata]


def chances(answers: JudgedAnswers, frame: Frame) -> Calibration:
    """The chance that people find an answer right, by its score: of all labelled answers of the
    judge, high or not, each weighted by how many it stands for. Raises ValueError without any."""
    every_draw = frozenset(frame.draws.values())
    weights = [
        1 / chance_of_label(frame.named(label.strata), every_draw) for label in answers.labels
    ]
    return isotonic(
        np.array([label.correctness for label in answers.labels]),
        np.array([float(label.answer_right) for label in answers.labels]),
        np.array(weights),
    )
