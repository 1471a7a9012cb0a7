"""True sentences of notes with what a careless answer makes of them: minimal pairs.

A false sentence is a true one in which one value stands in place of another of its kind that
the notes hold elsewhere. A true variant says the same in another form.
"""

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from kiwipiepy import Token

from app.text.language import Lang
from app.text.morphemes import korean_analyser
from app.text.sentences import split_sentences

SHORTEST, LONGEST = 25, 220
# Without a question only the truth of an answer decides on its confidence.
NO_QUESTION = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An answer to a question about notes. kind: how it was made; source: what decides on
    which half it falls."""

    kind: str
    faithful: bool
    lang: Lang
    question: str
    notes: Sequence[str]
    answer: str
    source: str
    titles: Sequence[str] = ()

    def line(self, notes: Sequence[str] | None = None) -> dict[str, Any]:
        """As a line of labelled answers, perhaps with other notes."""
        return {
            "question": self.question,
            "passages": list(notes or self.notes),
            "titles": list(self.titles),
            "answer": self.answer,
            "hallucinated": not self.faithful,
        }


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with notes beside it. asked: questions about it with their answers."""

    lang: Lang
    source: str
    text: str
    beside: Sequence[str]
    asked: Sequence[tuple[str, str]] = ()


def stable(text: str) -> random.Random:
    """The same random numbers for the same text, in every process."""
    return random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311  (no secret is made of it)


def in_report_half(source: str) -> bool:
    return hashlib.sha256(source.encode()).digest()[0] % 2 == 1


def korean_passages(folder: Path) -> Iterator[Passage]:
    docs = _lines(folder / "corpus.jsonl")
    asked: dict[str, list[tuple[str, str]]] = {doc["id"]: [] for doc in docs}
    queries = {line["id"]: line for line in _lines(folder / "queries.jsonl")}
    for line in _lines(folder / "qrels.jsonl"):
        query = queries[line["qid"]]
        asked[line["doc"]].append((query["question"], query["answer"]))
    for doc in docs:
        others = [one["text"] for one in docs if one is not doc and one["title"] == doc["title"]]
        beside = stable(doc["id"]).sample(others, min(2, len(others)))
        yield Passage("ko", doc["title"], doc["text"], beside, asked[doc["id"]])


def english_passages(path: Path) -> Iterator[Passage]:
    seen: set[str] = set()
    for line in _lines(path):
        if line["source_id"] not in seen:
            seen.add(line["source_id"])
            first, *beside = line["passages"]
            yield Passage("en", line["source_id"], first, beside)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- what is said -------------------------------------------------------------------------


def pairs(passage: Passage) -> Iterator[Item]:
    """The sentences of a passage, true and false."""
    notes = [*passage.beside, passage.text]
    chosen = stable(passage.text)
    chosen.shuffle(notes)
    sentences = [
        span.text
        for span in split_sentences(passage.text)
        if SHORTEST <= len(span.text) <= LONGEST and span.text[-1] in ".다" and '"' not in span.text
    ]
    for text in sentences:
        for kind, answer in _falsified(text, "\n".join(notes), passage, chosen):
            yield Item(
                kind,
                faithful=False,
                lang=passage.lang,
                question=NO_QUESTION,
                notes=notes,
                answer=answer,
                source=passage.source,
            )
        for kind, answer in _reworded(text, passage.lang):
            yield Item(
                kind,
                faithful=True,
                lang=passage.lang,
                question=NO_QUESTION,
                notes=notes,
                answer=answer,
                source=passage.source,
            )
    for first, second in pairwise(sentences):
        if f"{first} {second}" in passage.text:
            for kind, answer in _merged(first, second, passage.lang):
                yield Item(
                    kind,
                    faithful=True,
                    lang=passage.lang,
                    question=NO_QUESTION,
                    notes=notes,
                    answer=answer,
                    source=passage.source,
                )


_KOREAN_DATE = r"(?:\d{4}년 ?)?\d{1,2}월 ?\d{1,2}일|\d{4}년"
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_ENGLISH_DATE = rf"{_MONTH} \d{{1,2}}(?:, \d{{4}})?|\b(?:1[89]|20)\d\d\b"
_NUMBER = r"(?<![\d.,A-Za-z])\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = {"ko": r"(?=( ?(?:%|[a-zA-Z]+|[가-힣]))(?!\d))", "en": r"(?=( ?(?:%|[a-zA-Z]{1,8}\b)))"}
_NAME = r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*"


def _falsified(
    text: str, notes: str, passage: Passage, chosen: random.Random
) -> Iterator[tuple[str, str]]:
    lang = passage.lang
    date = _KOREAN_DATE if lang == "ko" else _ENGLISH_DATE
    dates = [m.span() for m in re.finditer(date, text)]
    yield from _swapped("date", text, dates, _same_form(re.findall(date, notes)), chosen)
    numbers = [
        m
        for m in re.finditer(_NUMBER + _UNIT[lang], text)
        if not any(start <= m.start() < end for start, end in dates)
    ]
    by_unit: dict[str, list[str]] = {}
    for m in re.finditer(_NUMBER + _UNIT[lang], notes):
        by_unit.setdefault(m[1].strip(), []).append(m[0])
    spans = [m.span() for m in numbers]
    units = {m[0]: by_unit.get(m[1].strip(), []) for m in numbers}
    yield from _swapped("number_same_unit", text, spans, units.get, chosen)
    everything = sorted({m[0] for m in re.finditer(_NUMBER, notes)})
    yield from _swapped("number_any", text, spans, lambda _: everything, chosen)
    names, all_names = _names(text, notes, passage)
    yield from _swapped("name", text, names, lambda _: all_names, chosen)


def _same_form(values: Sequence[str]) -> Callable[[str], Sequence[str]]:
    def alike(value: str) -> Sequence[str]:
        form = re.sub(r"\d", "", value)
        return [one for one in values if re.sub(r"\d", "", one) == form]

    return alike


def _names(text: str, notes: str, passage: Passage) -> tuple[list[tuple[int, int]], list[str]]:
    if passage.lang == "en":
        return [m.span() for m in re.finditer(_NAME, text)], sorted(set(re.findall(_NAME, notes)))
    answers = {answer for _, answer in passage.asked if not re.search(r"\d", answer)}
    known = {answer for answer in answers if 2 <= len(answer) <= 12 and answer in notes}
    for token in korean_analyser().tokenize(notes):
        if token.tag == "NNP" and token.len >= 2:
            known.add(token.form)
    names = sorted(known)
    spans = [(text.find(name), text.find(name) + len(name)) for name in names if name in text]
    return spans, names


def _swapped(
    kind: str,
    text: str,
    spans: Sequence[tuple[int, int]],
    others: Callable[[str], Sequence[str] | None],
    chosen: random.Random,
) -> Iterator[tuple[str, str]]:
    """One place at random where another value can stand."""
    for start, end in chosen.sample(spans, len(spans)):
        value = text[start:end]
        free = sorted({one for one in others(value) or () if one not in value and value not in one})
        if free:
            yield f"swap:{kind}", text[:start] + chosen.choice(free) + text[end:]
            return


# --- the same in other words --------------------------------------------------------------

_ENGLISH_CUT = re.compile(r"(?:, (?:and|but|which|while|although|because)|;) ")
_ENGLISH_FRONT = re.compile(r"(?:In|On|At|During|After|Before|For) [^,]{3,60}, ")


def _reworded(text: str, lang: Lang) -> Iterator[tuple[str, str]]:
    yield "true:verbatim", text
    if lang == "ko":
        yield from _reworded_korean(text)
        return
    yield "true:polite", f"According to the notes, {_lowered(text)}"
    if (cut := _ENGLISH_CUT.search(text)) and text[: cut.start()].count(" ") >= 4:
        yield "true:cut", text[: cut.start()] + "."
    if front := _ENGLISH_FRONT.match(text):
        rest = text[front.end() :].rstrip(".")
        yield "true:order", f"{rest[:1].upper()}{rest[1:]} {_lowered(front[0])[:-2]}."


def _lowered(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in _LOWERABLE else text


_LOWERABLE = {"The", "A", "An", "In", "On", "At", "It", "This", "These", "If", "You", "For"} | {
    "There",
    "They",
    "When",
    "During",
    "After",
    "Before",
    "To",
    "As",
    "However",
    "Most",
    "Some",
}


def _reworded_korean(text: str) -> Iterator[tuple[str, str]]:
    kiwi = korean_analyser()
    tokens = kiwi.tokenize(text)
    end = next((t for t in reversed(tokens) if t.tag == "EF"), None)
    if end is None or end.form != "다":
        return
    before = [t for t in tokens if t.start < end.start]
    polite = [(t.form, t.tag) for t in before] + [("습니다", "EF")]
    yield "true:polite", _joined(text, before, polite)
    for turn in (t for t in tokens if t.tag == "EC" and t.form in {"고", "며", "으며", "지만"}):
        head = [t for t in tokens if t.start < turn.start]
        follows = text[turn.end : turn.end + 1]
        if follows == "," and len(head) >= 8 and head[-1].tag[:2] in {"VV", "VA", "EP", "XS", "VC"}:
            yield "true:cut", _joined(text, head, [(t.form, t.tag) for t in head] + [("다", "EF")])
            break
    if moved := _moved(text):
        yield "true:order", moved


def _joined(text: str, head: Sequence[Token], tokens: Sequence[tuple[str, str]]) -> str:
    """The text up to the last predicate as it stands, and that with its new ending."""
    last = max(
        (i for i, t in enumerate(head) if text[t.start - 1 : t.start] in ("", " ")), default=0
    )
    kept = text[: head[last].start]
    ending: str = korean_analyser().join(list(tokens[last:]))
    return f"{kept}{ending}."


def _moved(text: str) -> str | None:
    """A phrase of time or place is put before the first or last word."""
    words = text.split()
    for place in range(1, len(words) - 2):
        if re.search(r"(?:[년월일]에|[가-힣]{2}에서)$", words[place]):
            first = place
            while first and re.search(r"\d[년월]$", words[first - 1]):
                first -= 1
            if words[first - 1].endswith(("의", "한", "된", "는")) or first == 0:
                continue
            phrase = words[first : place + 1]
            return " ".join([*phrase, *words[:first], *words[place + 1 :]])
    return None


def _merged(first: str, second: str, lang: Lang) -> Iterator[tuple[str, str]]:
    if lang == "en":
        yield "true:merged", f"{first.rstrip('.')}, and {_lowered(second)}"
        yield "true:merged_order", f"{second.rstrip('.')}, and {_lowered(first)}"
        return
    for kind, left, right in (("merged", first, second), ("merged_order", second, first)):
        tokens = korean_analyser().tokenize(left)
        end = next((t for t in reversed(tokens) if t.tag == "EF"), None)
        if end is not None and end.form == "다":
            before = [t for t in tokens if t.start < end.start]
            joined = _joined(left, before, [(t.form, t.tag) for t in before] + [("고", "EC")])
            yield f"true:{kind}", f"{joined[:-1]}, {right}"
