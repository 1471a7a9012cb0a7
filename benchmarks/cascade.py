"""How many answers the rules may decide before a judge who is always right.

    python benchmarks/cascade.py LABELLED.jsonl [--limit 1500]

The file is that of `searchqa judge-bench`. The last judge is the label itself, so every verdict in
which the rules are wrong is a worse one: no real judge leaves them less room.
"""

import argparse
from pathlib import Path

import numpy as np

from app.experiments.benches.judging import judge_by_rules
from app.experiments.benches.labelled import read_labelled, sample
from app.quality.metrics.cascade import LEARN_SHARE, JudgedSample, search_cuts

CONFIDENCE = 0.9
CHECK = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--limit", type=int, default=1_500)
    given = parser.parse_args()
    items = sample(read_labelled(given.file.read_bytes()).items, given.limit, 0)
    judged = [judge_by_rules(item) for item in items]
    order = np.random.default_rng(0).permutation(len(items))
    right = np.array([not item.hallucinated for item in items])[order]
    levels = np.array([one.confidence for one in judged])[order]
    every = JudgedSample(
        right,
        np.array([[one.score for one in judged], np.ones(len(items))], dtype=float)[:, order],
        high=np.array([levels == "high", right]),
        low=np.array([levels == "low", ~right]),
        costs=(0.0, 1.0),
    )
    learning = round(every.size * LEARN_SHARE)
    learn, test = (every.part(places) for places in np.split(np.arange(every.size), [learning]))
    print("| `--max-loss` | decided | saved | worse, of tested |\n|--:|--:|--:|--:|")
    for max_loss in (0.01, 0.02, 0.05, 0.1):
        found = search_cuts(learn, test, max_loss=max_loss, confidence=CONFIDENCE, check=CHECK)
        if chosen := found.chosen:
            decided, saved = sum(chosen.decided) / chosen.labels, 1 - chosen.cost
            worse = f"{chosen.worse} of {chosen.labels:,}"
            print(f"| {max_loss:g} | {decided:.1%} | {saved:.1%} | {worse} |")
        else:
            print(f"| {max_loss:g} | – | – | – |")


if __name__ == "__main__":
    main()
