"""What rules conclude of the last answer of written dialogues, with and without the turns before.

    python benchmarks/dialogues.py [--part report|tuning] [--each]

`data/dialogues.jsonl` has 60 dialogues, half of them Korean, whose last answer is right, wrong, or
refuses. Rules were tuned on the even lines; the odd ones are for reports. Prints the verdicts side
by side; `--each` prints every dialogue with its question as it was understood, too.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.rules.judge import judge
from app.text.morphemes import warm_up
from app.text.standalone import stand_alone
from app.text.turns import Turn

DATA = Path(__file__).parent / "data" / "dialogues.jsonl"


@dataclass(frozen=True, slots=True)
class Judged:
    """A dialogue's last answer. understood: its question as it stands alone, None where it does
    already."""

    lang: str
    expected: str
    question: str
    understood: str | None
    without: SearchQAEvaluation
    given: SearchQAEvaluation


def judged(line: str) -> Judged:
    case = json.loads(line)
    understood = stand_alone(case["question"], [Turn.from_json(turn) for turn in case["history"]])

    def verdict(question: str) -> SearchQAEvaluation:
        notes = [note["content"] for note in case["notes"]]
        titles = [note["title"] for note in case["notes"]]
        lang = case["lang"]
        return judge(AnswerToJudge.from_texts(question, case["answer"], notes, titles, lang=lang))

    without = verdict(case["question"])
    given = verdict(understood) if understood else without
    return Judged(case["lang"], case["expected"], case["question"], understood, without, given)


def counts(verdicts: Sequence[SearchQAEvaluation], *, refusals: bool) -> str:
    """Of refusals, how many are found right and how many false; else how many high and low."""
    outcomes = [one.outcome for one in verdicts]
    good = outcomes.count("rightly_refused" if refusals else "matches")
    return f"{good} | {outcomes.count('mismatch')}"


def print_table(results: Sequence[Judged]) -> None:
    print("| | answers | high, without turns | low | high, with turns | low |")
    print("|---|---|---|---|---|---|")
    for lang in ("ko", "en"):
        for expected in ("right", "wrong", "right_refusal", "false_refusal"):
            ours = [one for one in results if (one.lang, one.expected) == (lang, expected)]
            refusals = expected.endswith("refusal")
            figures = " | ".join(
                counts([getattr(one, name) for one in ours], refusals=refusals)
                for name in ("without", "given")
            )
            print(f"| {lang}, {expected.replace('_', ' ')} | {len(ours)} | {figures} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures rules on following turns.")
    parser.add_argument("--part", choices=["report", "tuning"], default="report")
    parser.add_argument("--each", action="store_true", help="print every dialogue")
    options = parser.parse_args()
    warm_up()
    odd = options.part == "report"
    lines = DATA.read_text("utf-8").splitlines()
    results = [judged(line) for n, line in enumerate(lines, 1) if (n % 2 == 1) is odd]
    for one in results if options.each else ():
        verdicts = f"{one.without.outcome} → {one.given.outcome}"
        print(f"{one.expected}: {one.question} [{one.understood or '='}] {verdicts}")
    print_table(results)


if __name__ == "__main__":
    main()
