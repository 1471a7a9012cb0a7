"""What the offline judge concludes on halves kept from tuning, both errors side by side.

    python benchmarks/rules_outcomes.py DATA [--part report|tuning] [--limit 400]
        [--curve FILE.svg] [--scores FILE.json]

DATA is the folder of the data sets; each that is missing is left out. Prints, by set, the shares
of true and false answers that are called high and low in percent with Wilson intervals of 95 %,
and the precision and recall of "mismatch". `--curve` draws the share of false answers among those
called high against the share of all answers that are, the surest first, and as a point what is
called high, beside what an earlier version gave (`data/rules3_scores.json`). `--scores` writes the
scores of this version.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from pair_makers import Item, korean_passages
from pairs import DATA, asked_answers, belongs, cases, made, polar_answers, walks, written
from rules_judge import PROCESSES, lines, percent

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import RULES_VERSION, judge
from app.judges.rules.vocabulary import is_refusal
from app.quality.metrics.agreement import auroc
from app.text.language import Lang
from app.text.morphemes import warm_up_to_fork

ITEMS: dict[str, tuple[str, Lang]] = {
    "RAGTruth QA": ("ragtruth_qa_train/train.jsonl", "en"),
    "KLUE-NLI": ("klue_nli_dev/dev.jsonl", "ko"),
    "KorNLI": ("kornli_dev/dev.jsonl", "ko"),
}
BARE = ("bare", "bare other")
EARLIER = DATA / "rules3_scores.json"


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer of a set with its verdict. score: correctness, 0 to 1."""

    group: str
    lang: Lang
    faithful: bool
    score: float
    confidence: str


def items(data: Path, part: str, limit: int) -> Iterator[tuple[str, Item]]:
    """The answers of each set, by its name."""
    half = "held-out" if part == "report" else "tuned"
    for name, (file, lang) in ITEMS.items():
        for line in lines(data / file, half) if (data / file).exists() else ():
            if line.get("nli") != "neutral":
                question = line.get("question", "")
                true, notes, answer = not line["hallucinated"], line["passages"], line["answer"]
                yield name, Item("", true, lang, question, notes, answer, "")
    for item in asked_answers(data, limit, part):
        bare = item.kind.removeprefix("asked:") in BARE
        yield "KorQuAD bare answers" if bare else "KorQuAD sentences", item
    for item in polar_answers(data, limit, part):
        yield "KoBEST BoolQ", item
    for item in made(data, limit // 4, part):
        yield f"pairs, {'Korean' if item.lang == 'ko' else 'English'}", item
    for item in written("report" if part == "report" else "tune"):
        yield f"written {item.kind.partition(':')[0]}", item
    for item in cases():
        if belongs(item.source, part):
            yield "older written cases", item


def judged(group: str, item: Item) -> Judged:
    given = AnswerToJudge.from_texts(
        item.question, item.answer, item.notes, item.titles, lang=item.lang
    )
    verdict = judge(given)
    return Judged(group, item.lang, item.faithful, verdict.correctness, verdict.confidence)


def share(ours: Sequence[Judged], confidence: str) -> str:
    return percent(sum(one.confidence == confidence for one in ours), len(ours)) if ours else "–"


def print_table(results: Sequence[Judged]) -> None:
    print("| | true / false | true high | false high | true low | false low | AUROC |")
    print("|---|---|---|---|---|---|---|")
    for group in dict.fromkeys(one.group for one in results):
        ours = [one for one in results if one.group == group]
        true, false = ([o for o in ours if o.faithful is label] for label in (True, False))
        figures = [share(half, conf) for conf in ("high", "low") for half in (true, false)]
        area = auroc([(1 - one.score, not one.faithful) for one in ours])
        shown = "–" if area is None else f"{area:.3f}"
        print(f"| {group} | {len(true)} / {len(false)} | {' | '.join(figures)} | {shown} |")
    for group, (_, lang) in ITEMS.items():
        low = [one for one in results if one.group == group and one.confidence == "low"]
        wrong = [one for one in results if one.group == group and not one.faithful]
        right = sum(not one.faithful for one in low)
        if low and wrong:
            print(f'{group} ({lang}): "mismatch" precision {percent(right, len(low))}', end=", ")
            print(f"recall {percent(right, len(wrong))}")
    for lang in ("en", "ko"):
        decided = [one for one in results if one.lang == lang and one.confidence != "medium"]
        wrong = [one for one in decided if one.faithful != (one.confidence == "high")]
        if decided:
            of_all = len(decided) / sum(one.lang == lang for one in results)
            print(
                f"{lang}: decided {of_all:.0%}, wrong of these {percent(len(wrong), len(decided))}"
            )


# What answers say that give none.
REFUSALS: dict[Lang, tuple[str, ...]] = {
    "ko": (
        "노트에서 답을 찾을 수 없습니다.",
        "제공된 노트에는 관련 내용이 없습니다.",
        "죄송하지만 노트에 해당 정보가 없습니다.",
    ),
    "en": (
        "The notes do not contain this information.",
        "I could not find the answer in the notes.",
        "Unable to answer based on the given notes.",
    ),
}


def refusals(data: Path, part: str, limit: int) -> Iterator[tuple[str, Item]]:
    """Right and false refusals, by set: the walks, `limit` questions of KorQuAD, and as many of
    RAGTruth that an answer without a fault answers; each beside its own passage, which refutes the
    refusal, and beside one of another matter."""
    for truth in ("right_refusal", "wrong_refusal"):
        for item in walks("report" if part == "report" else "tune", (truth,)):
            yield "walks", item
    questions: list[tuple[Lang, str, Sequence[str]]] = []
    if (folder := data / "korquad_retrieval").exists():
        found = [one for one in korean_passages(folder) if one.asked and belongs(one.source, part)]
        questions += [("ko", one.asked[0][0], [one.text]) for one in found[:limit]]
    if (file := data / ITEMS["RAGTruth QA"][0]).exists():
        half = "held-out" if part == "report" else "tuned"
        answered = {
            line["question"]: line["passages"]
            for line in lines(file, half)
            if not line["hallucinated"] and not is_refusal(line["answer"])
        }
        questions += [("en", *one) for one in list(answered.items())[:limit]]
    for number, (lang, question, own) in enumerate(questions):
        # Far enough for another article.
        others = [passages for other, _, passages in questions if other == lang]
        away = others[(number + len(others) // 2) % len(others)]
        answer, name = REFUSALS[lang][number % 3], "KorQuAD" if lang == "ko" else "RAGTruth QA"
        for faithful, passages in ((True, away), (False, own)):
            yield name, Item("", faithful, lang, question, passages, answer, "")


def print_refusals(data: Path, part: str, limit: int) -> None:
    """Of the right and of the false refusals of each set, what the rules conclude."""
    counts: Counter[tuple[str, bool, str | None]] = Counter()
    for name, i in refusals(data, part, limit):
        given = AnswerToJudge.from_texts(i.question, i.answer, i.notes, i.titles, lang=i.lang)
        counts[name, i.faithful, judge(given).outcome] += 1
    print("| refusals | | called right | cannot tell | called false |")
    print("|---|---|---|---|---|")
    for name, faithful in dict.fromkeys((name, faithful) for name, faithful, _ in counts):
        every = sum(n for (*kind, _), n in counts.items() if kind == [name, faithful])
        shares = [
            percent(counts[name, faithful, outcome], every)
            for outcome in ("rightly_refused", "undecided", "falsely_refused")
        ]
        print(f"| {name} | {every} {'right' if faithful else 'false'} | {' | '.join(shares)} |")


# Pixels of a panel, and how far from the edge its axes stand.
WIDTH, HEIGHT, MARGIN = 330, 240, 44
PANELS = ("RAGTruth QA", "KorQuAD sentences")
MAX_RISK = 0.5
# Share of the answers, 0 to 1, between two points of a curve.
STEP = 0.005
Points = Sequence[tuple[float, float]]
# Of each answer its correctness, whether it is true, and whether it is called high.
Scores = Sequence[tuple[float, bool, bool]]


def risk_curve(scores: Scores) -> Points:
    """(share of the answers called high, share of false ones among them), the surest first; equal
    scores are called high together."""
    points, false = [(0.0, 0.0)], 0
    ordered = sorted(scores, key=lambda one: -one[0])
    for number, (score, faithful, _) in enumerate(ordered, start=1):
        false += not faithful
        share_of_all = number / len(ordered)
        last = number == len(ordered)
        if last or (ordered[number][0] != score and share_of_all - points[-1][0] >= STEP):
            points.append((share_of_all, false / number))
    return points[1:]


def called_high(scores: Scores) -> tuple[float, float]:
    """The point of the product's own threshold."""
    high = [faithful for _, faithful, is_high in scores if is_high]
    return len(high) / len(scores), high.count(False) / max(1, len(high))


def panel(left: int, title: str, versions: dict[str, Scores]) -> str:
    """One coordinate system as SVG."""

    def place(point: tuple[float, float]) -> str:
        x = left + MARGIN + point[0] * (WIDTH - MARGIN - 10)
        y = HEIGHT - MARGIN - min(point[1], MAX_RISK) / MAX_RISK * (HEIGHT - 2 * MARGIN)
        return f"{x:.1f},{y:.1f}"

    (x0, y0), (x1, y1) = (place(p).split(",") for p in ((0.0, 0.0), (1.0, MAX_RISK)))
    parts = [
        f'<text x="{left + MARGIN}" y="20" font-weight="bold">{title}</text>',
        f'<path d="M{x0},{y1} V{y0} H{x1}" fill="none" stroke="#888"/>',
        f'<text x="{left + MARGIN}" y="{HEIGHT - 10}">share of answers called high</text>',
    ]
    for value in (0.0, 0.25, 0.5):
        y = place((0.0, value)).split(",")[1]
        parts.append(f'<text x="{left + MARGIN - 6}" y="{y}" text-anchor="end">{value:.0%}</text>')
    for value in (0.0, 0.5, 1.0):
        x = place((value, 0.0)).split(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - 28}" text-anchor="middle">{value:.0%}</text>')
    for number, (name, scores) in enumerate(versions.items()):
        color = "#0b6e4f" if number else "#b45309"
        line = " ".join(map(place, risk_curve(scores)))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        x, y = place(called_high(scores)).split(",")
        parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"/>')
        at = f'x="{left + MARGIN + 10}" y="{40 + 16 * number}"'
        parts.append(f'<text {at} fill="{color}">{name}</text>')
    return "\n".join(parts)


def scores_of(results: Sequence[Judged]) -> dict[str, Scores]:
    return {
        group: [
            (round(one.score, 3), one.faithful, one.confidence == "high")
            for one in results
            if one.group == group
        ]
        for group in PANELS
    }


def drawing(ours: dict[str, Scores], earlier: dict[str, Scores]) -> str:
    panels = [
        panel(number * WIDTH, group, {"rules-3": earlier[group], RULES_VERSION: ours[group]})
        for number, group in enumerate(PANELS)
    ]
    size = f'width="{len(PANELS) * WIDTH}" height="{HEIGHT}"'
    title = "<title>Share of false answers among those called high</title>"
    body = "\n".join(panels)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12" '
        f'fill="#333">\n{title}\n<rect {size} fill="#fff"/>\n{body}\n</svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what the offline judge concludes.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=["report", "tuning"], default="report")
    parser.add_argument("--limit", type=int, default=400, help="questions of a set")
    parser.add_argument("--curve", type=Path, help="draw risk against share called high")
    parser.add_argument("--scores", type=Path, help="write the scores of the drawn sets")
    options = parser.parse_args()
    warm_up_to_fork()
    with get_context("fork").Pool(PROCESSES) as pool:
        given = items(options.data, options.part, options.limit)
        results = pool.starmap(judged, list(given), chunksize=16)
    print_table(results)
    print_refusals(options.data, options.part, options.limit)
    if options.scores:
        numbers = {
            group: [[score, int(true), int(high)] for score, true, high in scores]
            for group, scores in scores_of(results).items()
        }
        text = json.dumps(numbers, separators=(",", ":"))
        options.scores.write_text(f"{text}\n", encoding="utf-8")
    if options.curve:
        earlier = json.loads(EARLIER.read_text(encoding="utf-8"))
        options.curve.write_text(drawing(scores_of(results), earlier), encoding="utf-8")


if __name__ == "__main__":
    main()
