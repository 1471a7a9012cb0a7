"""How well the offline judge tells hallucinated answers from grounded ones.

    python benchmarks/rules_judge.py DATA.jsonl [--part all|tuned|held-out] [--by FIELD]

Each line of the file holds `passages` (a list of texts), `answer`, `hallucinated` (true or
false) and perhaps `question`. The score of an answer is 1 - correctness. Lines are divided
into a half that weights may be tuned on and one that is held out, by a hash of `source_id`,
or of the first passage where there is none, so that answers from the same source never fall
on both sides. `--by` prints the AUROC also for each value of a field, for instance `nli`.
"""

import argparse
import hashlib
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import judge
from app.quality.metrics.agreement import Scored, auroc, auroc_interval, best_f1, confusion
from app.text.language import detect_language
from app.text.morphemes import warm_up

PRODUCT_THRESHOLD = 0.8
# That judge at once.
PROCESSES = 4


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
    verdict = judge(
        AnswerToJudge.from_texts(
            line.get("question", ""), line["answer"], line["passages"], lang=lang
        )
    )
    return 1 - verdict.correctness, bool(line["hallucinated"])


def percent(count: int, total: int) -> str:
    """A share in percent with its Wilson interval of 95 %."""
    z, p = 1.96, count / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * p:.0f} [{100 * (middle - reach):.0f}, {100 * (middle + reach):.0f}]"


def shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"


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

    interval = auroc_interval(scored)
    product = confusion(scored, 1 - PRODUCT_THRESHOLD)
    top_threshold = best_f1(scored)[1]
    top = confusion(scored, top_threshold)
    print(
        f"n                         {len(data)} ({sum(label for _, label in scored)} hallucinated)"
    )
    within = f" (95 % {interval.low:.3f} to {interval.high:.3f})" if interval else ""
    print(f"AUROC                     {shown(auroc(scored))}{within}")
    for name, threshold, counts in (
        ("correctness", PRODUCT_THRESHOLD, product),
        ("best: correctness", 1 - top_threshold, top),
    ):
        label = f"{name} < {threshold:.2f}"
        print(f"{label:<26}F1 {shown(counts.f1)}, balanced accuracy", end=" ")
        print(shown(counts.balanced_accuracy))
    print(f"ms per answer             {milliseconds:.2f}")
    if options.by:
        for value in sorted({str(line.get(options.by)) for line in data}):
            # Against all grounded answers, since a value may hold one class only.
            chosen = [
                one
                for one, line in zip(scored, data, strict=True)
                if str(line.get(options.by)) == value or not one[1]
            ]
            print(f"AUROC {options.by}={value:20s}{shown(auroc(chosen))}")


if __name__ == "__main__":
    main()
