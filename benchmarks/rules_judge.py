"""How well the offline judge tells hallucinated answers from grounded ones.

    python benchmarks/rules_judge.py DATA.jsonl [--part all|tuned|held-out] [--by FIELD]

Each line of the file holds `passages` (a list of texts), `answer`, `hallucinated` (true or
false) and perhaps `question`. The score of an answer is 1 - correctness. Lines are divided
into a half that weights may be tuned on and one that is held out, by a hash of `source_id`,
or of the first passage where there is none, so that answers from the same source never fall
on both sides. `--by` prints the AUROC also for each value of a field, for instance `nli`.
"""

import argparse
import bisect
import hashlib
import json
import random
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from app.ai_router.rules_judge import judge
from app.text.language import detect_language
from app.text.morphemes import warm_up

PRODUCT_THRESHOLD = 0.8
BOOTSTRAPS = 1000

Scored = tuple[float, bool]


def auroc(scored: Sequence[Scored]) -> float:
    """Chance that a hallucinated answer scores above a grounded one; ties count half.

    By mean ranks (Mann-Whitney U); NaN when one of the classes is missing.
    """
    positives = sum(label for _, label in scored)
    negatives = len(scored) - positives
    if not positives or not negatives:
        return float("nan")
    rank_sum, rank = 0.0, 0
    for _, group in groupby(sorted(scored), key=lambda pair: pair[0]):
        tied = list(group)
        rank_sum += sum(label for _, label in tied) * (rank + (len(tied) + 1) / 2)
        rank += len(tied)
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def interval(scored: Sequence[Scored]) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the AUROC, resampling each class."""
    rng = random.Random(0)  # noqa: S311 - resampling, not secrets
    positives = [score for score, label in scored if label]
    negatives = sorted(score for score, label in scored if not label)
    # U is a sum over positives, so resampling them is resampling these wins; resampling
    # the negatives changes the wins themselves.
    values = []
    for _ in range(BOOTSTRAPS):
        drawn = sorted(rng.choices(negatives, k=len(negatives)))
        wins = 0.0
        for score in rng.choices(positives, k=len(positives)):
            wins += bisect.bisect_left(drawn, score) + bisect.bisect_right(drawn, score)
        values.append(wins / 2 / len(positives) / len(negatives))
    values.sort()
    return values[int(0.025 * BOOTSTRAPS)], values[int(0.975 * BOOTSTRAPS) - 1]


def f1_and_balance(scored: Sequence[Scored], threshold: float) -> tuple[float, float]:
    """F1 of "hallucinated" and balanced accuracy when scores above `threshold` say so."""
    hits = sum(label for score, label in scored if score > threshold)
    said = sum(score > threshold for score, _ in scored)
    positives = sum(label for _, label in scored)
    negatives = len(scored) - positives
    f1 = 2 * hits / (said + positives)
    return f1, (hits / positives + 1 - (said - hits) / negatives) / 2


def best_f1(scored: Sequence[Scored]) -> tuple[float, float]:
    """The highest F1 and the score above which it is reached."""
    ranked = sorted(scored, reverse=True)
    positives = sum(label for _, label in scored)
    best, hits = (0.0, 1.0), 0
    for said, (score, label) in enumerate(ranked, start=1):
        hits += label
        following = ranked[said][0] if said < len(ranked) else -1.0
        if following < score:
            best = max(best, (2 * hits / (said + positives), following))
    return best


def is_held_out(line: dict[str, Any]) -> bool:
    source = str(line.get("source_id") or line["passages"][0])
    return hashlib.sha256(source.encode()).digest()[0] % 2 == 1


def lines(path: Path, part: str) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if part == "all" or is_held_out(line) == (part == "held-out"):
                yield line


def score(line: dict[str, Any]) -> Scored:
    lang = detect_language(line["answer"])
    verdict = judge(line.get("question", ""), line["passages"], [], line["answer"], lang)
    return 1 - verdict.correctness, bool(line["hallucinated"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the offline judge on labelled answers.")
    parser.add_argument("path", type=Path, help="JSONL with passages, answer, hallucinated")
    parser.add_argument("--part", choices=["all", "tuned", "held-out"], default="held-out")
    parser.add_argument("--by", help="also print the AUROC for each value of this field")
    options = parser.parse_args()

    data = list(lines(options.path, options.part))
    warm_up()
    start = time.perf_counter()
    scored = [score(line) for line in data]
    milliseconds = (time.perf_counter() - start) * 1000 / len(data)

    low, high = interval(scored)
    product_f1, product_balance = f1_and_balance(scored, 1 - PRODUCT_THRESHOLD)
    top_f1, top_threshold = best_f1(scored)
    top_balance = f1_and_balance(scored, top_threshold)[1]
    print(
        f"n                         {len(data)} ({sum(label for _, label in scored)} hallucinated)"
    )
    print(f"AUROC                     {auroc(scored):.3f} (95 % {low:.3f} to {high:.3f})")
    print(f"correctness < {PRODUCT_THRESHOLD:.2f}        ", end="")
    print(f"F1 {product_f1:.3f}, balanced accuracy {product_balance:.3f}")
    print(f"best: correctness < {1 - top_threshold:.2f}  ", end="")
    print(f"F1 {top_f1:.3f}, balanced accuracy {top_balance:.3f}")
    print(f"ms per answer             {milliseconds:.2f}")
    if options.by:
        for value in sorted({str(line.get(options.by)) for line in data}):
            # Against all grounded answers, since a value may hold one class only.
            chosen = [
                one
                for one, line in zip(scored, data, strict=True)
                if str(line.get(options.by)) == value or not one[1]
            ]
            print(f"AUROC {options.by}={value:20s}{auroc(chosen):.3f}")


if __name__ == "__main__":
    main()
