"""What a verdict takes in tokens: everything in one call, or a call for each evaluator.

    python benchmarks/judge_tokens.py DATA.jsonl [--limit 500]

Each line of the file holds `passages`, `answer`, `hallucinated`, and perhaps `question` and `spans`
(the places that people marked). Prompts are those that the product sends. Replies are made from the
labels as a judge would write them: a sentence in a marked place is unsupported, with a reason of
twelve words; all others quote the passage that shares most words with them, with as many words as
the prompt allows. Tokens are bytes / 3, which errs upwards for English and Korean alike, so read
the ratios.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from app.ai_router.estimate import Tokens, tokens_in
from app.ai_router.types import Lang, Message
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import ShownSentence, answer_parts, sentences_of
from app.judges.checklists import CHECKLISTS
from app.judges.model.reply import Reply
from app.judges.model.sections import sections_of
from app.judges.phases.reading import sources_of
from app.judges.prompts import phases, search_qa_eval
from app.judges.prompts.one_call import OPTIONAL, OneCallPrompt, Shown
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from app.text.language import detect_language
from app.text.packs.loader import load_pack

KEY = b"tokens"
USUAL, SHORT = ONE_CALL_PROMPTS[DEFAULT_PROMPT], ONE_CALL_PROMPTS["search-qa-eval-6"]
WORDS = 12
# The longest quote that a prompt wants; the others want one of WORDS.
SHORT_QUOTE_WORDS = 10
ALL = ("quality_gate", "search_qa", "citation", "completeness", "groundedness", "next_steps")
REASON = " ".join(["reason"] * WORDS)
NUGGETS = [" ".join(["nugget"] * 6)] * 3
STEPS = {"suggested_queries": [REASON] * 2, "action_items": [REASON], "urgency": "low"}


class Labelled:
    """One answer with the replies that a judge would give it."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.lang: Lang = detect_language(line["answer"])
        question = line.get("question", "")
        self.subject = AnswerToJudge.from_texts(
            question, line["answer"], line["passages"], lang=self.lang
        )
        (self.part, *_) = answer_parts(line["answer"])
        self.sentences = sentences_of(self.part)
        marked = line.get("spans") or []
        whole = bool(line["hallucinated"]) and not marked
        self.wrong = [
            whole or any(one.start < span["end"] and span["start"] < one.end for span in marked)
            for one in self.sentences
        ]

    def quote(self, sentence: ShownSentence, most_words: int = WORDS) -> tuple[int, str]:
        words = set(sentence.text.lower().split())
        shared = [len(words & set(text.lower().split())) for text in self.subject.contents]
        best = shared.index(max(shared))
        return best + 1, " ".join(self.subject.contents[best].split()[:most_words])

    def claims(self, *, numbered: bool, quote_words: int = WORDS) -> list[dict[str, object]]:
        found = []
        for number, (one, wrong) in enumerate(zip(self.sentences, self.wrong, strict=True), 1):
            note, quote = self.quote(one, quote_words)
            place = {"sentence": number} if numbered else {"text": one.text}
            found.append(
                place
                | {"note_index": note, "quote": "" if wrong else quote}
                | {"reasoning": REASON if wrong or not numbered else ""}
                | {"verdict": "unsupported" if wrong else "supported"}
            )
        return found

    def ticks(self) -> list[dict[str, object]]:
        return [{"item": n, "reason": REASON, "passed": True} for n in range(1, 5)]

    def one_call(self, evaluators: tuple[str, ...] = ALL, prompt: OneCallPrompt = USUAL) -> Tokens:
        sections = sections_of(evaluators, load_pack("generic"), self.lang)
        sources, subject = sources_of(self.subject), self.subject
        texts = [one.text for one in self.sentences]
        shown = Shown(subject.question, sources.titles, sources.texts, texts, self.part)
        sent = prompt.build_messages(shown, sections, self.lang, KEY)
        return tokens(sent, self.one_call_reply(evaluators, prompt), short=prompt.short)

    def one_call_reply(
        self, evaluators: tuple[str, ...] = ALL, prompt: OneCallPrompt = USUAL
    ) -> dict[str, object]:
        """With the names of the prompt."""
        words = SHORT_QUOTE_WORDS if prompt.short else WORDS
        reply = {
            "claims": self.claims(numbered=True, quote_words=words),
            "grounding_issues": [],
            "used_notes": [1],
            "nuggets": [{"text": text, "support": "supported"} for text in NUGGETS],
            "checklist": self.ticks(),
            "next_steps": STEPS,
            "summary": REASON,
            "utility": 0.9,
        }
        asked = sections_of(evaluators, load_pack("generic"), self.lang).members
        left_out = set(OPTIONAL).difference(asked)
        given = {name: value for name, value in reply.items() if name not in left_out}
        read = Reply.model_validate(given, by_alias=False, by_name=True)
        return read.model_dump(by_alias=prompt.short, exclude_unset=True)

    def verdict_and_checklist(self) -> Tokens:
        subject = self.subject
        quotes = dict(self.quote(one) for one in self.sentences)
        coverage = [
            {"note_index": n, "cited": True, "relevant_claim": REASON, "quote": quotes.get(n, "")}
            for n in range(1, len(subject.notes) + 1)
        ]
        verdict = {
            "grounding_issues": [f"{REASON} {REASON}"] * sum(self.wrong),
            "source_coverage": coverage,
            "summary": REASON,
            "correctness": 0.9,
            "utility": 0.9,
        }
        items = CHECKLISTS["search_qa"][self.lang].items
        ticked = phases.build_checklist(subject, items, KEY)
        return tokens(search_qa_eval.build_messages(subject, KEY), verdict) + tokens(
            ticked, {"items": self.ticks()}
        )

    def phases(self) -> Tokens:
        subject, sources = self.subject, sources_of(self.subject)
        given = (sources.texts, sources.titles, KEY)
        wanted = [{"text": text, "importance": "vital"} for text in NUGGETS]
        support = [{"nugget": n, "support": "support"} for n in range(1, len(NUGGETS) + 1)]
        calls = [
            tokens(
                phases.build_claims(subject, *given, self.part),
                {"claims": self.claims(numbered=False)},
            ),
            tokens(phases.build_extraction(subject, *given), {"nuggets": wanted}),
            tokens(phases.build_assignment(subject, NUGGETS, KEY), {"nuggets": support}),
            tokens(phases.build_next_steps(subject, NUGGETS, [], KEY), STEPS),
        ]
        return sum(calls, Tokens())


def written(reply: object, *, short: bool = False) -> str:
    """A reply as a model writes it. short: without blanks, as the short prompt wants it."""
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":") if short else None)


def tokens(sent: list[Message], reply: object, *, short: bool = False) -> Tokens:
    return Tokens(
        sum(tokens_in(len(message.content.encode())) for message in sent),
        tokens_in(len(written(reply, short=short).encode())),
    )


def labelled(path: Path, limit: int) -> Iterator[Labelled]:
    with path.open(encoding="utf-8") as file:
        for line in islice(file, limit):
            one = Labelled(json.loads(line))
            if one.sentences:
                yield one


def main() -> None:
    parser = argparse.ArgumentParser(description="Tokens of one call and of a call for each.")
    parser.add_argument("path", type=Path, help="JSONL with passages, answer, hallucinated")
    parser.add_argument("--limit", type=int, default=500)
    options = parser.parse_args()
    answers = list(labelled(options.path, options.limit))
    print(f"{len(answers)} answers of {options.path.name}; medians\n")
    print("| | calls | tokens sent | tokens written |\n|---|---|---|---|")
    pairs = [(one.verdict_and_checklist(), one.phases()) for one in answers]
    for name, calls, taken in (
        ("verdict, checklist and phases in one call", 1, [one.one_call() for one in answers]),
        ("the same by the short prompt", 1, [one.one_call(ALL, SHORT) for one in answers]),
        ("verdict and checklist in one call", 1, [one.one_call(ALL[:2]) for one in answers]),
        ("the same by the short prompt", 1, [one.one_call(ALL[:2], SHORT) for one in answers]),
        ("verdict and checklist apart", 2, [first for first, _ in pairs]),
        ("the same, and the phases by model", 6, [first + second for first, second in pairs]),
    ):
        sent, replied = (median(getattr(t, f) for t in taken) for f in ("prompt", "completion"))
        print(f"| {name} | {calls} | {sent:,.0f} | {replied:,.0f} |")


if __name__ == "__main__":
    main()
