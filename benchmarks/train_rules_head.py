"""Fits what the offline judge has learned and writes it into the package.

    python benchmarks/train_rules_head.py DATA [--check | --findings]

DATA is the folder with `ragtruth_qa_train`, `klue_nli_dev`, `kornli_dev`, `korquad_retrieval` and
`kobest_boolq_train`. Only the tuning halves are read. For each language and finding a logistic
regression of its being right, from sentences that people marked ("real"), from pairs and answers
made of real text ("made") and from the written cases ("written"); then one of the claims, and one
of the answers on top of it, by accelerated projected gradients, in NumPy alone. Weights of faults
cannot be negative. The thresholds were chosen by the shares of error that rules_outcomes.py prints
of the tuning halves. The same data give the same digits; `--check` fails when they are not those of
the package, and `--findings` prints the counts that it rests on.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pair_makers import in_report_half
from pairs import asked_answers, cases, made, polar_answers, written
from rules_judge import PROCESSES, lines

from app.judges.answer import AnswerToJudge
from app.judges.rules import weigh as head
from app.judges.rules.chances import TELLING, Chance, context_of, surroundings
from app.judges.rules.features import FREE, claim_features
from app.judges.rules.find import OF_THE_QUESTION, findings
from app.judges.rules.judge import RULES_VERSION
from app.judges.rules.read import AnswerSentence, read
from app.text.morphemes import warm_up_to_fork

Floats = NDArray[np.float64]

SETS = {
    "ragtruth_qa_train/train.jsonl": "en",
    "klue_nli_dev/dev.jsonl": "ko",
    "kornli_dev/dev.jsonl": "ko",
}
# Pairs and answers made of real text: how many of a kind.
PAIRS, ASKED, POLAR = 120, 400, 200
# What the answers of a source weigh together in the regressions of claims and answers.
WEIGHTS = {"real": 1.0, "pairs": 0.05}
# Where the examples of a finding are from, and what an example of each counts beside the others'.
GROUPS = {"real": 1.0, "made": 1.0, "written": 1.0, "walks": 0.25}
# A place that people marked must share this many characters with a claim.
LEAST_MARKED = 4
RIDGE, STEPS = 1e-2, 1_500
DIGITS = 4
# Ridge of a finding: in any case, and shared by its examples.
FINDING_RIDGE, DOUBT = 3e-3, 0.3
# Examples of either kind assumed beside those over catchwords.
PRIOR = 2.0
SURROUNDINGS = (
    "copied", "verbatim", "departs", "replaced", "agreeing", "long", "several", "hedged", "brief",
    "amount",
)  # fmt: skip
# Kinds of answers that are true of the notes but do not say what was asked.
BESIDE_THE_QUESTION = (
    "asked:bare other", "question:", "unseen:", "case:other_subject", "falsehoods:no_answer",
    "falsehoods:attribute", "falsehoods:other_asked", "walks:false",
)  # fmt: skip
# These say what kind of sentence it is; and where all is new, nothing of it is copied.
FREE_SURROUNDINGS = frozenset({"long", "several", "hedged", "brief"})
OF_NEW_THINGS = frozenset({"new_numbers", "new_names", "stitched"})


@dataclass(frozen=True, slots=True)
class Claim:
    """The numbers of a claim, what was found in it and what surrounds that, and whether it is
    hallucinated."""

    row: dict[str, float]
    found: Mapping[str, float]
    around: Mapping[str, float]
    wrong: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer is from, its language, its claims, whether it is hallucinated, and how it was
    made, where people did not mark it."""

    source: str
    lang: str
    claims: Sequence[Claim]
    hallucinated: bool
    kind: str = ""

    @property
    def is_of_another_fault(self) -> bool:
        """Whether it is false for another reason than that it does not say what was asked."""
        return self.hallucinated and not self.kind.startswith(BESIDE_THE_QUESTION)


# Source, language, line, kind, and whether the notes are only the closest sentences.
Given = tuple[str, str, dict[str, Any], str, bool]


def measured(source: str, lang: str, line: dict[str, Any], kind: str = "") -> Answer:
    """line: passages, answer and hallucinated, perhaps question, titles and spans."""
    given = AnswerToJudge.from_texts(
        line.get("question", ""), line["answer"], line["passages"], line.get("titles", ())
    )
    material = read(given)
    claims = []
    for sentence in material.sentences:
        if sentence.terms and not sentence.refusal:
            found = findings(sentence, material)
            row = claim_features(sentence, found, material)
            amounts = {name: one.amount for name, one in found.items()}
            around = surroundings(sentence, found, material)
            claims.append(Claim(row, amounts, around, is_marked(sentence, line)))
    return Answer(source, lang, claims, line["hallucinated"], kind)


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
    warm_up_to_fork()
    with get_context("fork").Pool(PROCESSES) as pool:
        yield from pool.imap(_measured, _given(data), chunksize=32)


def _measured(given: Given) -> Answer:
    source, lang, line, kind, short = given
    if short:
        line = line | {"passages": shortened(line["passages"], line["answer"])}
    return measured(source, lang, line, kind)


def _given(data: Path) -> Iterator[Given]:
    for name, lang in SETS.items():
        for line in lines(data / name, "tuned"):
            yield "real", lang, line, "", False
    for number, item in enumerate(made(data, PAIRS, "tuning")):
        yield "pairs", item.lang, item.line(list(item.notes)), item.kind, number % 3 == 0
    for item in asked_answers(data, ASKED, "tuning"):
        yield "asked", item.lang, item.line(), item.kind, False
    for item in polar_answers(data, POLAR, "tuning"):
        yield "polar", item.lang, item.line(), item.kind, False
    for item in [*(one for one in cases() if not in_report_half(one.source)), *written("tune")]:
        source = "walks" if item.kind.startswith("walks:") else "written"
        yield source, item.lang, item.line(), item.kind, False


def shortened(notes: list[str], answer: str) -> list[str]:
    """The sentences that the answer comes closest to: notes may be that short."""
    material = read(AnswerToJudge.from_texts("", answer, notes))
    closest = [material.closest(sentence) for sentence in material.sentences]
    return list(dict.fromkeys(one.text for one in closest if one is not None)) or notes


def fitted(answers: Sequence[Answer], lang: str, others: float | None) -> dict[str, Any]:
    """What is learned for a language. others: the weight of the other claims, where the answers
    of the language have one claim each."""
    spoken = [one for one in answers if one.claims and one.lang == lang]
    table = {name: chance for name in TELLING if (chance := of_finding(name, spoken))}
    ours = [one for one in spoken if one.source in WEIGHTS]
    sizes = Counter(one.source for one in ours)
    share = np.array([WEIGHTS[one.source] / sizes[one.source] for one in ours])
    share /= share.sum()
    rows = [[claim.row for claim in one.claims] for one in ours]
    weights, claim_bias = of_claims(rows, ours, share)
    part = head.Head(claim_bias, weights, 0, 0, 0, table, head.NOTHING_LEARNED)
    odds = np.array([head.worst_and_others([part.odds(row) for row in one]) for one in rows])
    wrong = np.array([float(one.hallucinated) for one in ours])
    fixed = odds[:, 1] * (others or 0.0)
    seen = odds if others is None else odds[:, :1]
    found, bias = descend(seen, wrong, share, np.zeros(seen.shape[1], dtype=bool), fixed)
    learned = {
        "claim_bias": claim_bias,
        "weights": weights,
        "bias": round(bias, DIGITS),
        "worst": round(float(found[0]), DIGITS),
        "others": round(float(found[1]), DIGITS) if others is None else others,
        "findings": {name: asdict(chance) for name, chance in table.items()},
    }
    return learned | {"thresholds": thresholds(lang)}


# Probabilities, 0 to 1, from which on a finding makes a claim unsure and refutes it, and of an
# answer being grounded below which it is not and from which on it is, by the shares of error that
# `rules_outcomes.py --part tuning` prints.
THRESHOLDS = {
    "en": head.Thresholds(unsure=0.38, refuted=0.86, low=0.35, high=0.7, high_unasked=0.7),
    "ko": head.Thresholds(unsure=0.38, refuted=0.85, low=0.005, high=0.42, high_unasked=0.83),
}


def thresholds(lang: str) -> dict[str, float]:
    return asdict(THRESHOLDS[lang])


def of_finding(name: str, answers: Sequence[Answer]) -> Chance | None:
    """How likely a finding is right; one of the question, where nothing else is wrong. Where its
    examples are from counts by the square root of how many there are, so that neither real text
    nor pairs outvote the other."""
    rows, wrong, groups = [], [], []
    for one in answers:
        if name in OF_THE_QUESTION and (one.source == "real" or one.is_of_another_fault):
            continue
        group = one.source if one.source in GROUPS else "made"
        for claim in one.claims:
            if name in claim.found:
                rows.append(context_of(name, claim.found[name], claim.around))
                wrong.append(float(claim.wrong))
                groups.append(group)
    if not rows:
        return None
    seen = Counter(groups)
    share = np.array([GROUPS[group] / math.sqrt(seen[group]) for group in groups])
    table = np.array([[row.get(key, 0.0) for key in SURROUNDINGS] for row in rows])
    copying = {"copied", "verbatim"} if name in OF_NEW_THINGS else set()
    free = np.array([key in FREE_SURROUNDINGS or key in copying for key in SURROUNDINGS])
    ridge = FINDING_RIDGE + DOUBT / len(rows)
    weights, bias = descend(
        table, np.array(wrong), share / share.sum(), free, np.zeros(len(rows)), ridge
    )
    kept = {
        key: round(float(weight), DIGITS)
        for key, weight in zip(SURROUNDINGS, weights, strict=True)
        if abs(weight) >= 1e-3
    }
    right = Counter(group for group, label in zip(groups, wrong, strict=True) if label)
    chance = Chance(round(bias, DIGITS), kept, dict(right), dict(seen))
    if loss := of_catchwords(chance, rows, wrong):
        kept["terse"] = loss
    return chance


def of_catchwords(
    chance: Chance, rows: Sequence[Mapping[str, float]], wrong: Sequence[float]
) -> float:
    """What the log odds of a finding lose, 0 or less, over catchwords: how often it is right there
    against what its chance expects. Fitted apart, so that whole sentences keep their chances."""
    there = [
        (label, chance.of(row)) for row, label in zip(rows, wrong, strict=True) if row.get("terse")
    ]
    right, expected = (PRIOR + math.fsum(column) for column in zip((0, 0), *there, strict=True))
    odds = [one / (2 * PRIOR + len(there) - one) for one in (right, expected)]
    return min(0.0, round(math.log(odds[0] / odds[1]), DIGITS))


def of_claims(
    rows: Sequence[Sequence[dict[str, float]]], answers: Sequence[Answer], share: Floats
) -> tuple[dict[str, float], float]:
    """Weights and bias of the log odds that a claim is hallucinated."""
    flat = [row for one in rows for row in one]
    names = sorted({name for row in flat for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in flat])
    wrong = np.array([float(claim.wrong) for one in answers for claim in one.claims])
    each = np.repeat(share, [len(one.claims) for one in answers])
    spread = table.std(axis=0)
    spread[spread < 1e-9] = 1.0
    free = np.array([name in FREE for name in names])
    none = np.zeros(len(flat))
    weights, bias = descend(table / spread, wrong, each / each.sum(), free, none)
    kept = {
        name: round(float(weight), DIGITS)
        for name, weight in zip(names, weights / spread, strict=True)
        if abs(weight) >= 1e-3
    }
    return kept, round(bias, DIGITS)


def descend(
    table: Floats,
    wrong: Floats,
    share: Floats,
    free: NDArray[np.bool_],
    fixed: Floats,
    ridge: float = RIDGE,
) -> tuple[Floats, float]:
    """Weights and bias of the logistic regression; only the free weights may be negative. fixed:
    log odds that are given."""
    steepest = float(np.linalg.norm(table * np.sqrt(share)[:, None], 2)) ** 2
    step = 1 / (0.25 * steepest + ridge + 0.25)
    weights = ahead = np.zeros(table.shape[1])
    bias = bias_ahead = 0.0
    pace = 1.0
    for _ in range(STEPS):
        miss = share * (1 / (1 + np.exp(-(table @ ahead + bias_ahead + fixed))) - wrong)
        new = ahead - step * (table.T @ miss + ridge * ahead)
        new = np.where(free, new, np.maximum(0.0, new))
        new_bias = bias_ahead - step * float(miss.sum())
        new_pace = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / new_pace
        ahead, bias_ahead = new + push * (new - weights), new_bias + push * (new_bias - bias)
        weights, bias, pace = new, new_bias, new_pace
    return weights, bias


def print_findings(tables: dict[str, Any]) -> None:
    """For each finding and language, right of all sentences with it, by where they are from."""
    print(f"{'':18}{'English real':>13}{'made':>9}{'written':>9}{'Korean real':>13}", end="")
    print(f"{'made':>9}{'written':>9}")
    for name in TELLING:
        counts = []
        for lang in ("en", "ko"):
            chance = tables[lang]["findings"].get(name, {"right": {}, "seen": {}})
            for group, width in (("real", 13), ("made", 9), ("written", 9), ("walks", 9)):
                seen = chance["seen"].get(group)
                right = chance["right"].get(group, 0)
                counts.append(f"{f'{right}/{seen}' if seen else '-':>{width}}")
        print(f"{name:18}{''.join(counts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits the head of the offline judge.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--findings", action="store_true", help="print the counts of head.json")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    path = Path(str(head.__file__)).parent / head.WEIGHTS
    if options.findings:
        print_findings(json.loads(path.read_text(encoding="utf-8")))
        return
    answers = list(labelled(options.data))
    english = fitted(answers, "en", None)
    korean = fitted(answers, "ko", english["others"])
    weights = {"version": RULES_VERSION, "en": english, "ko": korean}
    text = json.dumps(weights, indent=1, sort_keys=True) + "\n"
    if options.check:
        sys.exit(text != path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
