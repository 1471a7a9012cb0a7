"""Fits the weights of the offline judge's learned head and writes them into the package.

    python benchmarks/train_rules_head.py DATA [--check]

DATA is the folder with `ragtruth_qa_train`, `klue_nli_dev`, `kornli_dev` and
`korquad_retrieval`. Only the tuning halves are read. A logistic regression for each language by
accelerated projected gradients, in NumPy alone; weights of faults cannot be negative. The same
data give the same digits; `--check` fails when they are not those of the package.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pairs import made
from rules_judge import lines

from app.judges.answer import AnswerToJudge
from app.judges.rules import grounding, head
from app.judges.rules.features import FREE, answer_features
from app.judges.rules.judge import RULES_VERSION
from app.judges.rules.material import read

Floats = NDArray[np.float64]
Row = tuple[str, dict[str, float], bool]

SETS = {
    "ragtruth_qa_train/train.jsonl": "en",
    "klue_nli_dev/dev.jsonl": "ko",
    "kornli_dev/dev.jsonl": "ko",
}
# Minimal pairs beside the labelled answers: how many of a kind, and what they weigh together.
PAIRS = 120
PAIRS_WEIGHT = {"pairs:en": 0.0, "pairs:ko": 0.05}
# The Korean sets hold single sentences, which say nothing of how longer answers are laid out.
UNSEEN: dict[str, set[str]] = {
    "en": set(),
    "ko": {"refusals", "sentences", "framed", "doubts", "words", "ratio", "source_words"}
    | {"first:new", "last:new", "last:pairs"},
}
RIDGE, STEPS = 1e-3, 2_000
DIGITS = 4


def measured(question: str, notes: list[str], answer: str) -> dict[str, float]:
    material = read(AnswerToJudge.from_texts(question, answer, notes))
    found = [(one.sentence, one.found, one.is_issue) for one in grounding.weigh(material)]
    return answer_features(material, found)


def labelled(data: Path) -> Iterator[Row]:
    """(set, numbers, hallucinated) of the answers for tuning."""
    for name in SETS:
        for line in lines(data / name, "tuned"):
            question = line.get("question", "")
            yield name, measured(question, line["passages"], line["answer"]), line["hallucinated"]
    for number, item in enumerate(made(data, PAIRS, "tuning")):
        notes = list(item.notes)
        if number % 3 == 0:
            notes = shortened(notes, item.answer)
        yield f"pairs:{item.lang}", measured(item.question, notes, item.answer), not item.faithful


def shortened(notes: list[str], answer: str) -> list[str]:
    """The sentences that the answer comes closest to: notes may be that short."""
    material = read(AnswerToJudge.from_texts("", answer, notes))
    closest = [material.closest(sentence) for sentence in material.sentences]
    return list(dict.fromkeys(one.text for one in closest if one is not None)) or notes


def fitted(rows: list[Row], lang: str) -> dict[str, object]:
    ours = [row for row in rows if SETS.get(row[0]) == lang or row[0] == f"pairs:{lang}"]
    names = sorted({name for _, numbers, _ in ours for name in numbers} - UNSEEN[lang])
    table = np.array([[numbers.get(name, 0.0) for name in names] for _, numbers, _ in ours])
    wrong = np.array([float(label) for _, _, label in ours])
    sizes = {name: sum(row[0] == name for row in ours) for name, _, _ in ours}
    share = np.array([PAIRS_WEIGHT.get(row[0], 1.0) / sizes[row[0]] for row in ours])
    spread = table.std(axis=0)
    spread[spread < 1e-9] = 1.0
    free = np.array([name in FREE for name in names])
    weights, bias = descend(table / spread, wrong, share / share.sum(), free)
    kept = {
        name: round(float(weight), DIGITS)
        for name, weight in zip(names, weights / spread, strict=True)
        if abs(weight) >= 1e-4
    }
    return {"bias": round(bias, DIGITS), "weights": kept}


def descend(
    table: Floats, wrong: Floats, share: Floats, free: NDArray[np.bool_]
) -> tuple[Floats, float]:
    """Weights and bias of the logistic regression; only the free weights may be negative."""
    step = 1 / (0.25 * np.linalg.norm(table * np.sqrt(share)[:, None], 2) ** 2 + RIDGE + 0.25)
    weights = ahead = np.zeros(table.shape[1])
    bias = bias_ahead = 0.0
    pace = 1.0
    for _ in range(STEPS):
        miss = share * (1 / (1 + np.exp(-(table @ ahead + bias_ahead))) - wrong)
        new = ahead - step * (table.T @ miss + RIDGE * ahead)
        new = np.where(free, new, np.maximum(0.0, new))
        new_bias = bias_ahead - step * float(miss.sum())
        new_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / new_pace
        ahead, bias_ahead = new + push * (new - weights), new_bias + push * (new_bias - bias)
        weights, bias, pace = new, new_bias, new_pace
    return weights, bias


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits the head of the offline judge.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    rows = list(labelled(options.data))
    weights = {"version": RULES_VERSION, **{lang: fitted(rows, lang) for lang in ("en", "ko")}}
    text = json.dumps(weights, indent=1, sort_keys=True) + "\n"
    path = Path(str(head.__file__)).parent / head.WEIGHTS
    if options.check:
        sys.exit(text != path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
