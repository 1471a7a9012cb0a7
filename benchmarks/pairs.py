"""How often the offline judge takes a false sentence for a true one, by the kind of fault.

    python benchmarks/pairs.py DATA [--part tuning|report|all] [--limit 300] [--json FILE]

DATA is the folder with `korquad_retrieval` and `ragtruth_qa_train`; each is left out where it
is missing. Minimal pairs are made from their sentences (pair_makers.py); the cases of
`data/*_cases.jsonl` and the sample notes are the project's own. Both are divided into a
half for tuning and one for the report, by what they are made from.

For each kind: how many false answers are called `high`, how many true ones are not, and the
AUROC of the correctness over the false answers of the kind and all true ones beside it.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pair_makers import (
    Item,
    Passage,
    english_passages,
    in_report_half,
    korean_passages,
    pairs,
    stable,
)

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import judge
from app.notes import samples
from app.quality.metrics.agreement import auroc
from app.text.language import detect_language
from app.text.morphemes import warm_up
from app.text.sentences import split_sentences

PASSAGES_PER_PAIR = 1.5
DATA = Path(__file__).parent / "data"
# The kind of the written cases of each file: false by a fault, made to share words with the
# notes, or true of the notes but no answer to the question; "unseen" are of the last kind and were
# written after the rules.
CASES = {
    "case": "fault_cases.jsonl",
    "overlap": "overlap_cases.jsonl",
    "question": "question_cases.jsonl",
    "unseen": "unseen_cases.jsonl",
}
NOTES = DATA / "fault_notes.jsonl"


def sample_notes() -> dict[str, str]:
    """The notes of the cases by name: the samples of the laboratory, and a few of their own."""
    root = Path(str(samples.__file__)).parent / "laboratory"
    notes = {
        f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8").split("---\n", 2)[2]
        for path in sorted(root.glob("*/*.md"))
    }
    for line in NOTES.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        notes[note["name"]] = note["text"]
    return notes


def cases() -> Iterator[Item]:
    """The written cases, each with its false and its true answer."""
    notes = sample_notes()
    for group, file in CASES.items():
        for line in (DATA / file).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            given = [notes[name] for name in case["notes"]]
            for faithful, answer in ((False, case["false"]), (True, case["true"])):
                if answer:
                    kind = f"{group}:{case['fault']}"
                    lang = detect_language(answer)
                    source = case["question"]
                    yield Item(kind, faithful, lang, case["question"], given, answer, source)


def written(half: str) -> Iterator[Item]:
    """True answers in other words, and false ones beside true ones; for tuning also faults of
    order, cause and role, and one lie among true sentences. half: "tune" or "report"."""
    for name in ("paraphrases", "falsehoods", "faults"):
        path = DATA / f"{half}_{name}.jsonl"
        for line in read_lines(path) if path.exists() else ():
            notes = [note["content"] for note in line["notes"]]
            titles = [note["title"] for note in line["notes"]]
            answers = [(line["answer"], name == "paraphrases")]
            answers += [(line["true"], True)] if name != "paraphrases" else []
            kind = f"{name}:{line.get('kind') or line['how']}"
            for answer, faithful in answers:
                question, source = line["question"], line["id"]
                yield Item(kind, faithful, line["lang"], question, notes, answer, source, titles)
    yield from own_cases(half)
    yield from walks(half)


def own_cases(half: str) -> Iterator[Item]:
    """Answers by two authors over notes of their own; they had not read the rules."""
    path = DATA / f"{half}_cases.jsonl"
    for line in read_lines(path) if path.exists() else ():
        notes = [note["content"] for note in line["notes"]]
        titles = [note["title"] for note in line["notes"]]
        kind, question, answer = f"own:{line['kind']}", line["question"], line["answer"]
        yield Item(kind, line["true"], line["lang"], question, notes, answer, line["id"], titles)


def walks(half: str, truths: Sequence[str] = ("true", "false")) -> Iterator[Item]:
    """Answers to questions of a first walk through somebody's notes. truths: of "true", "false",
    "right_refusal" and "wrong_refusal"."""
    path = DATA / f"{half}_walks.jsonl"
    for number, line in enumerate(read_lines(path) if path.exists() else ()):
        notes = [note["content"] for note in line["notes"]]
        titles = [note["title"] for note in line["notes"]]
        for row in line["answers"]:
            if row["truth"] in truths:
                kind, faithful = f"walks:{row['truth']}", row["truth"] in ("true", "right_refusal")
                question, answer, source = row["question"], row["answer"], f"{half}-walk-{number}"
                yield Item(kind, faithful, line["lang"], question, notes, answer, source, titles)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def asked_answers(data: Path, limit: int, part: str) -> Iterator[Item]:
    """Answers to the questions of KorQuAD, `limit` of a kind: the sentence that has the answer and
    the bare answer; and the same with another answer of the paragraph or of another one."""
    folder = data / "korquad_retrieval"
    if not folder.exists():
        return
    passages = [one for one in korean_passages(folder) if one.asked and belongs(one.source, part)]
    passages.sort(key=lambda one: stable(one.source).random())
    for number, passage in enumerate(passages[:limit]):
        rest = [answer for _, answer in passage.asked]
        far = passages[number - 1].asked[0][1]
        for question, answer in passage.asked[:1]:
            found = next((s.text for s in split_sentences(passage.text) if answer in s.text), None)
            others = [one for one in rest if one not in answer and answer not in one]
            if found is None or len(found) > MAX_SENTENCE_LENGTH:
                continue
            other = others[0] if others and others[0] not in found else None
            for kind, text, faithful in (
                ("verbatim", found, True),
                ("bare", f"{answer}입니다.", True),
                ("far answer", found.replace(answer, far, 1), False),
                ("other answer", other and found.replace(answer, other, 1), False),
                ("bare other", other and f"{other}입니다.", False),
            ):
                if text:
                    notes = [passage.text]
                    yield Item(
                        f"asked:{kind}", faithful, "ko", question, notes, text, passage.source
                    )


MAX_SENTENCE_LENGTH = 250
_POLAR = {True: ("네.", "네, 그렇습니다."), False: ("아니요.", "아니요, 그렇지 않습니다.")}


def polar_answers(data: Path, limit: int, part: str) -> Iterator[Item]:
    """Yes and no to the questions of KoBEST BoolQ, `limit` questions."""
    path = data / "kobest_boolq_train" / "train.jsonl"
    if not path.exists():
        return
    asked = [line for line in read_lines(path) if belongs(line["passage"], part)]
    asked.sort(key=lambda line: stable(line["question"]).random())
    for line in asked[:limit]:
        question, notes = line["question"], [line["passage"]]
        for said, answers in _POLAR.items():
            for answer in answers:
                faithful, source = said == line["answer"], line["passage"]
                kind = f"polar:{'yes' if said else 'no'}"
                yield Item(kind, faithful, "ko", question, notes, answer, source)


def made(data: Path, limit: int, part: str) -> Iterator[Item]:
    """Minimal pairs, at most `limit` of a kind and language, drawn by a stable hash."""
    passages: list[Passage] = []
    if (folder := data / "korquad_retrieval").exists():
        passages += korean_passages(folder)
    if (path := data / "ragtruth_qa_train" / "train.jsonl").exists():
        passages += english_passages(path)
    passages = [one for one in passages if belongs(one.source, part)]
    passages.sort(key=lambda one: stable(one.source + one.text).random())
    count: dict[tuple[str, str], int] = defaultdict(int)
    read: dict[str, int] = defaultdict(int)
    for passage in passages:
        read[passage.lang] += 1
        # Rare kinds would else have every passage read.
        if read[passage.lang] > PASSAGES_PER_PAIR * limit:
            continue
        taken: set[str] = set()
        for item in pairs(passage):
            key = item.kind, item.lang
            if item.kind not in taken and count[key] < limit:
                taken.add(item.kind)
                count[key] += 1
                yield item


def belongs(source: str, part: str) -> bool:
    return part == "all" or in_report_half(source) == (part == "report")


def judged(item: Item) -> tuple[float, bool]:
    """The correctness, and whether the confidence is high."""
    verdict = judge(
        AnswerToJudge.from_texts(item.question, item.answer, item.notes, lang=item.lang)
    )
    return verdict.correctness, verdict.confidence == "high"


def row(name: str, lang: str, items: list[tuple[Item, tuple[float, bool]]]) -> dict[str, object]:
    false = [verdict for item, verdict in items if not item.faithful]
    true = [verdict for item, verdict in items if item.faithful]
    scored = [(1 - score, True) for score, _ in false] + [(1 - score, False) for score, _ in true]
    return {
        "kind": name,
        "lang": lang,
        "false": len(false),
        "false_high": sum(high for _, high in false) / len(false) if false else None,
        "true": len(true),
        "true_doubted": sum(not high for _, high in true) / len(true) if true else None,
        "auroc": auroc(scored),
    }


def table(results: list[tuple[Item, tuple[float, bool]]]) -> list[dict[str, object]]:
    rows = []
    groups = sorted({(item.lang, item.kind) for item, _ in results})
    for lang, kind in groups:
        ours = [one for one in results if (one[0].lang, one[0].kind) == (lang, kind)]
        beside: list[tuple[Item, tuple[float, bool]]] = []
        if kind.startswith("swap:"):
            plain = ("true:verbatim", "true:polite")
            beside = [one for one in results if one[0].lang == lang and one[0].kind in plain]
        rows.append(row(kind, lang, ours + beside))
    for prefix in ("swap:", "true:", *(f"{group}:" for group in CASES)):
        ours = [one for one in results if one[0].kind.startswith(prefix)]
        rows.append(row(f"{prefix}all", "ko+en", ours))
    return rows


def shown(figure: object) -> str:
    return "–" if figure is None else f"{figure:.2f}" if isinstance(figure, float) else str(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the offline judge on minimal pairs.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=["tuning", "report", "all"], default="report")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", action="store_true", help="print the answers judged wrong")
    parser.add_argument("--only", default="", help="kinds that begin with this")
    options = parser.parse_args()
    warm_up()
    items = [one for one in cases() if belongs(one.source, options.part)]
    items += made(options.data, options.limit, options.part)
    items = [one for one in items if one.kind.startswith(options.only)]
    results = [(item, judged(item)) for item in items]
    rows = table(results)
    print(
        "| kind | | false | called high | true | doubted | AUROC |\n|---|---|---|---|---|---|---|"
    )
    for one in rows:
        print("| " + " | ".join(shown(figure) for figure in one.values()) + " |")
    if options.json:
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    if options.wrong:
        for item, (score, high) in results:
            if high != item.faithful:
                print(item.kind, item.lang, f"{score:.2f}", "|", item.question, "|", item.answer)


if __name__ == "__main__":
    main()
