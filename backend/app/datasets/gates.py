"""Means that a run must reach, for scripts that fail when quality falls."""

import re
from collections.abc import Mapping
from typing import Any

from app.errors import SetupError

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


def parse_gates(written: str) -> dict[str, float]:
    """`faithfulness=0.8,recall=0.85` as numbers by name. Raises SetupError."""
    gates: dict[str, float] = {}
    for part in written.split(","):
        match = _GATE.fullmatch(part)
        if match is None or match[1] not in _NAMES:
            raise SetupError(
                f"--fail-under cannot be read at {part!r}; write NAME=VALUE with a value of 0 to 1"
                f" and a name of {', '.join(_NAMES)}."
            )
        gates[match[1]] = float(match[2])
    return gates


def failed_gates(run: Mapping[str, Any], gates: Mapping[str, float]) -> list[str]:
    """One sentence for each mean of the run that lies below its gate, or is not there."""
    told = []
    for name, least in gates.items():
        field = _NAMES[name]
        figures = run if field.startswith("mean_") else run["metrics"] or {}
        value = figures.get(field)
        if value is None:
            told.append(f"{name} was not measured, so it is not at least {least:g}.")
        elif value < least:
            told.append(f"{name} is {value:.4f}, below {least:g}.")
    return told
