"""What true-quality says of real answers after 100, 300 and 1,000 labels.

    .venv/bin/python benchmarks/true_quality.py DATA.jsonl [--labels 100,300,1000] [--repeats 500]

DATA as for rules_judge.py. Every answer of the file is judged by the rules judge, and each has a
label by people, so the truth is known. Answers are drawn at random, as `POST /review/samples`
draws them, and estimated as true-quality does: once as an example, and `--repeats` times to see
how often the interval covers the truth and how wide it is.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from coverage import Floats, covers, one_draw
from rules_judge import lines, score

from app.judges.answer import HIGH_CORRECTNESS
from app.quality.metrics.ppi import Corrected, estimate
from app.text.morphemes import warm_up


def judged(path: Path) -> tuple[Floats, Floats]:
    """Labels, 1 for grounded, and the judge's correctness."""
    data = list(lines(path, "all"))
    warm_up()
    scored = [score(line) for line in data]
    labels = np.array([0.0 if hallucinated else 1.0 for _, hallucinated in scored])
    # score() is 1 - correctness.
    return labels, np.array([1 - doubt for doubt, _ in scored])


def shown(found: Corrected) -> str:
    return f"{found.value:.1%} ({found.interval.low:.1%} to {found.interval.high:.1%})"


def width(found: Corrected) -> float:
    return found.interval.high - found.interval.low


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path, help="JSONL with passages, answer, hallucinated")
    parser.add_argument("--labels", default="100,300,1000", help="how many, comma-separated")
    parser.add_argument("--repeats", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.path.exists():
        sys.exit(f"There is no file {options.path}; name one with passages, answer, hallucinated.")
    labels, scores = judged(options.path)
    truth = float(labels.mean())
    correlation = float(np.corrcoef(labels, scores)[0, 1])
    print(f"{len(labels):,} answers, of which people find {truth:.1%} grounded and the judge")
    high = float((scores >= HIGH_CORRECTNESS).mean())
    print(f"{high:.1%}; the correlation of labels and correctness is {correlation:.2f}.\n")
    print("| labels | corrected (95 %) | labels only (95 %) | covers | width | labels-only width |")
    print("|---|---|---|---|---|---|")
    rng = np.random.default_rng(options.seed)
    for count in (int(each) for each in options.labels.split(",")):
        rows = []
        for _ in range(options.repeats):
            cells = one_draw(rng, labels, scores, count).cells()
            rows.append((estimate(cells), estimate(cells, power=0)))
        found, plain = rows[0]
        share = np.mean([covers(one, truth) for one, _ in rows])
        widths = [float(np.mean([width(row[side]) for row in rows])) for side in (0, 1)]
        cells_shown = f"{shown(found)} | {shown(plain)} | {share:.1%}"
        print(f"| {count:,} | {cells_shown} | {widths[0]:.3f} | {widths[1]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
