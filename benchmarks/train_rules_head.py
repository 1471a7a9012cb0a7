"""Fits the weights of the offline judge's learned head and writes them into the package.

    python benchmarks/train_rules_head.py DATA [--check]

DATA is the folder with `ragtruth_qa_train`, `klue_nli_dev`, `kornli_dev` and
`korquad_retrieval`. Only the tuning halves are read. For each language a logistic regression of
the claims (in RAGTruth those that people marked a part of), and one of the answers on top of it,
by accelerated projected gradients, in NumPy alone; weights of faults cannot be negative. The
same data give the same digits; `--check` fails when they are not those of the package.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pairs import made
from rules_judge import lines

from app.judges.answer import AnswerToJudge
from app.judges.rules import weigh as grounding
from app.judges.rules import weigh as head
from app.judges.rules.features import FREE, claim_features
from app.judges.rules.judge import RULES_VERSION
from app.judges.rules.read import AnswerSentence, read

Floats = NDArray[np.float64]

SETS = {
    "ragtruth_qa_train/train.jsonl": "en",
    "klue_nli_dev/dev.jsonl": "ko",
    "kornli_dev/dev.jsonl": "ko",
}
# Minimal pairs beside the labelled answers: how many of a kind, and what they weigh together.
PAIRS, PAIRS_WEIGHT = 120, 0.05
# A place that people marked must share this many characters with a claim.
LEAST_MARKED = 4
RIDGE, STEPS = 1e-2, 2_000
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer is from, the numbers of its claims, which of them are hallucinated, and
    whether it is."""

    source: str
    claims: Sequence[dict[str, float]]
    wrong: Sequence[bool]
    hallucinated: bool


def measured(source: str, line: dict[str, Any]) -> Answer:
    """line: passages, answer and hallucinated, perhaps question and spans."""
    given = AnswerToJudge.from_texts(line.get("question", ""), line["answer"], line["passages"])
    material = read(given)
    chosen = [
        one for one in grounding.weigh(material) if one.sentence.terms and not one.sentence.refusal
    ]
    return Answer(
        source,
        [claim_features(one.sentence, one.found, material) for one in chosen],
        [is_marked(one.sentence, line) for one in chosen],
        line["hallucinated"],
    )


def is_marked(sentence: AnswerSentence, line: dict[str, Any]) -> bool:
    """Whether people marked a part of the claim; without marks the label is that of the answer."""
    if "spans" not in line:
        return bool(line["hallucinated"])
    return any(
        min(span["end"], sentence.end) - max(span["start"], sentence.start) >= LEAST_MARKED
        for span in line["spans"]
    )


def labelled(data: Path) -> Iterator[Answer]:
    """The answers for tuning."""
    for name in SETS:
        for line in lines(data / name, "tuned"):
            yield measured(name, line)
    for number, item in enumerate(made(data, PAIRS, "tuning")):
        notes = list(item.notes)
        if number % 3 == 0:
            notes = shortened(notes, item.answer)
        line = {"passages": notes, "answer": item.answer, "hallucinated": not item.faithful}
        yield measured(f"pairs:{item.lang}", line)


def shortened(notes: list[str], answer: str) -> list[str]:
    """The sentences that the answer comes closest to: notes may be that short."""
    material = read(AnswerToJudge.from_texts("", answer, notes))
    closest = [material.closest(sentence) for sentence in material.sentences]
    return list(dict.fromkeys(one.text for one in closest if one is not None)) or notes


def fitted(answers: Sequence[Answer], lang: str, others: float | None) -> dict[str, Any]:
    """The head of a language. others: the weight of the other claims, where the answers of the
    language have one claim each."""
    ours = [one for one in answers if one.claims and weight_of(one, lang)]
    sizes: dict[str, int] = {}
    for one in ours:
        sizes[one.source] = sizes.get(one.source, 0) + 1
    share = np.array([weight_of(one, lang) / sizes[one.source] for one in ours])
    share /= share.sum()
    weights, claim_bias = of_claims(ours, share)
    part = head.Head(claim_bias, weights, 0, 0, 0)
    table = np.array([head.worst_and_others([part.odds(c) for c in one.claims]) for one in ours])
    wrong = np.array([float(one.hallucinated) for one in ours])
    fixed = table[:, 1] * (others or 0.0)
    seen = table if others is None else table[:, :1]
    found, bias = descend(seen, wrong, share, np.zeros(seen.shape[1], dtype=bool), fixed)
    return {
        "claim_bias": claim_bias,
        "weights": weights,
        "bias": round(bias, DIGITS),
        "worst": round(float(found[0]), DIGITS),
        "others": round(float(found[1]), DIGITS) if others is None else others,
    }


def weight_of(answer: Answer, lang: str) -> float:
    if answer.source == "pairs:ko" and lang == "ko":
        return PAIRS_WEIGHT
    return float(SETS.get(answer.source) == lang)


def of_claims(answers: Sequence[Answer], share: Floats) -> tuple[dict[str, float], float]:
    """Weights and bias of the log odds that a claim is hallucinated."""
    rows = [row for one in answers for row in one.claims]
    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    wrong = np.array([float(label) for one in answers for label in one.wrong])
    each = np.repeat(share, [len(one.claims) for one in answers])
    spread = table.std(axis=0)
    spread[spread < 1e-9] = 1.0
    free = np.array([name in FREE for name in names])
    weights, bias = descend(table / spread, wrong, each / each.sum(), free, np.zeros(len(rows)))
    kept = {
        name: round(float(weight), DIGITS)
        for name, weight in zip(names, weights / spread, strict=True)
        if abs(weight) >= 1e-3
    }
    return kept, round(bias, DIGITS)


def descend(
    table: Floats, wrong: Floats, share: Floats, free: NDArray[np.bool_], fixed: Floats
) -> tuple[Floats, float]:
    """Weights and bias of the logistic regression; only the free weights may be negative. fixed:
    log odds that are given."""
    steepest = float(np.linalg.norm(table * np.sqrt(share)[:, None], 2)) ** 2
    step = 1 / (0.25 * steepest + RIDGE + 0.25)
    weights = ahead = np.zeros(table.shape[1])
    bias = bias_ahead = 0.0
    pace = 1.0
    for _ in range(STEPS):
        miss = share * (1 / (1 + np.exp(-(table @ ahead + bias_ahead + fixed))) - wrong)
        new = ahead - step * (table.T @ miss + RIDGE * ahead)
        new = np.where(free, new, np.maximum(0.0, new))
        new_bias = bias_ahead - step * float(miss.sum())
        new_pace = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / new_pace
        ahead, bias_ahead = new + push * (new - weights), new_bias + push * (new_bias - bias)
        weights, bias, pace = new, new_bias, new_pace
    return weights, bias


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits the head of the offline judge.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    answers = list(labelled(options.data))
    english = fitted(answers, "en", None)
    korean = fitted(answers, "ko", english["others"])
    weights = {"version": RULES_VERSION, "en": english, "ko": korean}
    text = json.dumps(weights, indent=1, sort_keys=True) + "\n"
    path = Path(str(head.__file__)).parent / head.WEIGHTS
    if options.check:
        sys.exit(text != path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
