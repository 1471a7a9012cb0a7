"""How benchmarks/rules_judge.py divides its data."""

import json
import runpy
from pathlib import Path

SCRIPT = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "rules_judge.py"))


def test_answers_from_one_source_fall_on_one_side(tmp_path: Path) -> None:
    lines = [
        {"source_id": str(source), "passages": ["p"], "answer": f"{source}-{n}"}
        for source in range(40)
        for n in range(3)
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tuned, held_out = (
        {line["source_id"] for line in SCRIPT["lines"](path, part)}
        for part in ("tuned", "held-out")
    )
    assert tuned
    assert held_out
    assert not tuned & held_out
    assert len(tuned | held_out) == 40
