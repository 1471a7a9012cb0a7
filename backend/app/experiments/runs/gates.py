"""Means that a run must reach, for scripts that fail when quality falls."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.platform.errors import InvalidRequest

# The short names that people write, and where the figure stands in a run.
_NAMES = {
    "precision": "precision_at_k",
    "recall": "recall_at_k",
    "hit_rate": "hit_rate_at_k",
    "mrr": "mrr",
    "map": "map",
    "ndcg": "ndcg_at_k",
    "faithfulness": "mean_faithfulness",
    "answer_relevancy": "mean_answer_relevancy",
}
_GATE = re.compile(r"\s*([a-z_]+)\s*=\s*(0(?:\.\d+)?|1(?:\.0+)?)\s*")


@dataclass(frozen=True, slots=True)
class Gate:
    """A mean of a run, and the least it must be. `value` is None where nothing was measured."""

    name: str
    least: float
    value: float | None

    @property
    def passed(self) -> bool:
        return self.value is not None and self.value >= self.least

    @property
    def told(self) -> str:
        if self.value is None:
            return f"{self.name} was not measured, so it is not at least {self.least:g}."
        where = "at least" if self.passed else "below"
        return f"{self.name} is {self.value:.4f}, {where} {self.least:g}."


def parse_gates(written: str) -> dict[str, float]:
    """`faithfulness=0.8,recall=0.85` as numbers by name. Raises InvalidRequest."""
    gates: dict[str, float] = {}
    for part in written.split(","):
        match = _GATE.fullmatch(part)
        if match is None or match[1] not in _NAMES:
            raise InvalidRequest(
                f"fail-under cannot be read at {part!r}; write NAME=VALUE with a value of 0 to 1"
                f" and a name of {', '.join(_NAMES)}.",
                ko=f"fail-under의 {part!r}을(를) 읽을 수 없습니다. 이름=값으로 쓰되 값은 0~1,"
                f" 이름은 {', '.join(_NAMES)} 중 하나여야 합니다.",
            )
        gates[match[1]] = float(match[2])
    return gates


def check_gates(run: Mapping[str, Any], gates: Mapping[str, float]) -> list[Gate]:
    """The gates with what `run`, as GET /evaluation/runs/{id} gives it, has of them."""
    return [Gate(name, least, _value(run, _NAMES[name])) for name, least in gates.items()]


def _value(run: Mapping[str, Any], field: str) -> float | None:
    value: float | None
    if not field.startswith("mean_"):
        value = (run["metrics"] or {}).get(field)
        return value
    generation = run["summary"] and run["summary"]["generation"]
    # A mean of nothing but unusable replies says nothing of the answers.
    if generation is None or not generation[field.removeprefix("mean_")]["parsed"]:
        return None
    value = run[field]
    return value
