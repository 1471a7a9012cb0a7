"""Detectors of unsupported text: pair classifiers (NLI, HHEM) and token classifiers.

A pair classifier holds each claim against short windows of the notes, those that share most with
it; the claim is as well supported as by its best window. Cross-encoders learn from short premises,
and a run costs what its text is long.

A token classifier (as LettuceDetect) reads question, notes and answer together and marks tokens. A
long answer is read in parts, each beside one window of the notes after the other; a token is
unsupported only when no window supports it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding, Tokenizer

from app.ai_router.local.onnx_model import Floats, OnnxModel, Tokens
from app.judges.answer import Note
from app.judges.local.detector import DetectorFolder, Draft, Finding
from app.text.sentences import split_sentences


class Window(NamedTuple):
    """`text[start:end]`, and how many tokens it takes."""

    start: int
    end: int
    tokens: int


def windows(text: str, tokenizer: Tokenizer, budget: int, *, overlap: bool) -> list[Window]:
    """Windows of at most `budget` tokens that hold all sentences of the text, in order.

    A sentence that is too long is cut between two words. overlap: a window begins with the last
    sentence of the one before, so that what two neighbours say together stands in one of them.
    """
    units = list(_units(text, tokenizer, budget))
    found: list[Window] = []
    first = 0
    while first < len(units):
        last, size = first + 1, units[first].tokens
        while last < len(units) and size + units[last].tokens <= budget:
            size += units[last].tokens
            last += 1
        found.append(Window(units[first].start, units[last - 1].end, size))
        if last == len(units):
            break
        again = overlap and last - first > 1
        fits = units[last - 1].tokens + units[last].tokens <= budget
        first = last - 1 if again and fits else last
    return found


def count_tokens(texts: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """Without special tokens."""
    encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [len(encoding.ids) for encoding in encodings]


def _units(text: str, tokenizer: Tokenizer, budget: int) -> Iterator[Window]:
    """Sentences, or parts of them: hardly a character is more than two tokens."""
    places = [
        place
        for sentence in split_sentences(text)
        for place in _parts(text, sentence.start, sentence.end, max(1, budget // 2))
    ]
    counts = count_tokens([text[start:end] for start, end in places], tokenizer)
    for (start, end), tokens in zip(places, counts, strict=True):
        yield Window(start, end, min(tokens, budget))


def _parts(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    while end - start > longest:
        space = text.rfind(" ", start + 1, start + longest)
        cut = space if space > start else start + longest
        yield start, cut
        start = cut
    yield start, end


_PREMISE_TOKENS = 200
# Windows that a claim is held against.
_MAX_PREMISES = 8
# What a claim may take of an input, so that a premise has room beside it.
_CLAIM_SHARE = 0.4
_MAX_TITLE_CHARS = 100
# What HHEM was trained to read; the padding before it is the token whose logits count.
_HHEM_PROMPT = (
    "Determine if the hypothesis is true given the premise?\n\nPremise: {premise}\n\n"
    "Hypothesis: {claim}"
)
_PROMPT_TOKENS = 30


class _Pair(NamedTuple):
    draft: int
    claim: int
    tokens: Tokens


class PairClassifier:
    def __init__(self, found: DetectorFolder, model: OnnxModel) -> None:
        self._found = found
        self._model = model

    def detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        pairs = [pair for number, draft in enumerate(drafts) for pair in self._pairs(number, draft)]
        best: dict[tuple[int, int], float] = {}
        for pair, logits in zip(pairs, self._model.run([p.tokens for p in pairs]), strict=True):
            # HHEM gives logits for each token, of which the first counts.
            support = float(self._found.support(logits if logits.ndim == 1 else logits[0]))
            key = pair.draft, pair.claim
            best[key] = max(best.get(key, 0.0), support)
        return [
            [
                Finding(claim.start, claim.end, best.get((number, place), 0.0), place)
                for place, claim in enumerate(draft.claims)
            ]
            for number, draft in enumerate(drafts)
        ]

    def _pairs(self, number: int, draft: Draft) -> Iterator[_Pair]:
        claims = [self._cut(claim.statement) for claim in draft.claims]
        premises = [premise for note in draft.passages for premise in self._premises(note)]
        ranking = _Ranking([self._ids(premise) for premise in premises])
        for place, claim in enumerate(claims):
            for premise in ranking.order(self._ids(claim))[:_MAX_PREMISES]:
                yield _Pair(number, place, self._tokens(premises[premise], claim))

    def _premises(self, note: Note) -> list[str]:
        """Windows of the note, each under the note's title, which names what it is about."""
        title = note.title.strip()[:_MAX_TITLE_CHARS]
        room = int(self._model.max_tokens * (1 - _CLAIM_SHARE)) - _PROMPT_TOKENS
        budget = max(16, min(_PREMISE_TOKENS, room - len(self._ids(title))))
        found = windows(note.content, self._model.tokenizer, budget, overlap=True)
        return [f"{title}\n{note.content[w.start : w.end]}".strip() for w in found]

    def _tokens(self, premise: str, claim: str) -> Tokens:
        tokenizer = self._model.tokenizer
        if self._found.kind != "hhem":
            return Tokens.from_encoding(tokenizer.encode(premise, claim))
        encoding = tokenizer.encode(_HHEM_PROMPT.format(premise=premise, claim=claim))
        padding = self._found.folder.config.pad_token_id or 0
        return Tokens([padding, *encoding.ids], [0, *encoding.type_ids])

    def _cut(self, claim: str) -> str:
        room = int(self._model.max_tokens * _CLAIM_SHARE) - _PROMPT_TOKENS
        encoding = self._model.tokenizer.encode(claim, add_special_tokens=False)
        return claim if len(encoding.ids) <= room else claim[: encoding.offsets[room][0]]

    def _ids(self, text: str) -> list[int]:
        return self._model.tokenizer.encode(text, add_special_tokens=False).ids


class _Ranking:
    """Orders premises by the tokens that they share with a claim; rare ones weigh more."""

    def __init__(self, premises: Sequence[Sequence[int]]) -> None:
        self._premises = [frozenset(ids) for ids in premises]
        self._holding = Counter(token for ids in self._premises for token in ids)

    def order(self, claim: Sequence[int]) -> list[int]:
        wanted = frozenset(claim)
        shared = [sum(1 / self._holding[token] for token in wanted & ids) for ids in self._premises]
        return sorted(range(len(shared)), key=lambda index: (-shared[index], index))


UNSUPPORTED_BELOW = 0.5

# The prompt of RAGTruth, on which these models were trained; they know no other.
_PROMPT = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {count} passages:\n"
    "{passages}\n"
    "In case the passages do not contain the necessary information to answer the question, please"
    ' reply with: "Unable to answer based on given passages."\noutput:'
)
_PASSAGE = "passage {number}: {text}"
# "passage 12: " and the line break.
_PASSAGE_TOKENS = 8
_ANSWER_SHARE = 0.4
# Sentences side by side may take a few tokens more than each alone.
_FILLED = 0.95
_WORD = re.compile(r"\S+")
_CLOSING = ".,;:!?。"


class _Reading(NamedTuple):
    """A part of the answer that begins at `start`, beside one window of the notes."""

    draft: int
    start: int
    encoding: Encoding


class TokenClassifier:
    def __init__(self, found: DetectorFolder, model: OnnxModel) -> None:
        self._found = found
        self._model = model

    def detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        readings = [one for number, draft in enumerate(drafts) for one in self._read(number, draft)]
        logits = self._model.run([Tokens.from_encoding(one.encoding) for one in readings])
        supports: list[Floats | None] = [None] * len(drafts)
        for one, rows in zip(readings, logits, strict=True):
            size = len(drafts[one.draft].answer)
            read = _by_character(one, self._found.support(rows), size)
            known = supports[one.draft]
            supports[one.draft] = read if known is None else np.fmax(known, read)
        return [
            _findings(draft, np.ones(0, np.float32) if support is None else support)
            for draft, support in zip(drafts, supports, strict=True)
        ]

    def _read(self, number: int, draft: Draft) -> Iterator[_Reading]:
        tokenizer, longest = self._model.tokenizer, int(self._model.max_tokens * _FILLED)
        question = draft.subject.question[: longest // 4]
        frame = _PROMPT.format(question=question, count=len(draft.passages), passages="")
        special = tokenizer.num_special_tokens_to_add(is_pair=True)
        room = longest - count_tokens([frame], tokenizer)[0] - special
        for part in windows(draft.answer, tokenizer, int(longest * _ANSWER_SHARE), overlap=False):
            text = draft.answer[part.start : part.end]
            for passages in self._contexts(draft, max(16, room - part.tokens)):
                prompt = _PROMPT.format(
                    question=question, count=len(draft.passages), passages="\n".join(passages)
                )
                yield _Reading(number, part.start, tokenizer.encode(prompt, text))

    def _contexts(self, draft: Draft, budget: int) -> Iterator[list[str]]:
        """The passages, in as few groups as fit; one that is too long is spread over several."""
        group: list[str] = []
        size = 0
        for number, note in enumerate(draft.passages, start=1):
            whole = f"{note.title}\n{note.content}".strip()
            longest = max(8, budget - _PASSAGE_TOKENS)
            for window in windows(whole, self._model.tokenizer, longest, overlap=True):
                if group and size + window.tokens + _PASSAGE_TOKENS > budget:
                    yield group
                    group, size = [], 0
                text = whole[window.start : window.end]
                group.append(_PASSAGE.format(number=number, text=text))
                size += window.tokens + _PASSAGE_TOKENS
        if group:
            yield group


def _by_character(reading: _Reading, support: Floats, size: int) -> Floats:
    """The support of the token at each character of the answer, the lowest where several tokens
    make one; NaN where none was read."""
    found = np.full(size, np.nan, np.float32)
    encoding = reading.encoding
    for text, (start, end), value in zip(
        encoding.sequence_ids, encoding.offsets, support, strict=True
    ):
        if text == 1 and end > start:
            place = slice(reading.start + start, reading.start + end)
            found[place] = np.fmin(found[place], value)
    return found


def _findings(draft: Draft, support: Floats) -> list[Finding]:
    """Each unsupported span, in whole words, and each claim without one, in their order."""
    spans = _spans(draft.answer, support)
    findings = [Finding(start, end, _lowest(support, start, end)) for start, end in spans]
    for place, claim in enumerate(draft.claims):
        if not any(start < claim.end and claim.start < end for start, end in spans):
            value = _lowest(support, claim.start, claim.end)
            findings.append(Finding(claim.start, claim.end, value, place))
    return sorted(findings, key=lambda one: one.start)


def _spans(answer: str, support: Floats) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    previous = -1
    for number, word in enumerate(_WORD.finditer(answer)):
        start, end = word.span()
        if _lowest(support, start, end) >= UNSUPPORTED_BELOW:
            continue
        if spans and previous == number - 1 and "\n" not in answer[spans[-1][1] : start]:
            start = spans.pop()[0]
        spans.append((start, end))
        previous = number
    return [(start, start + len(answer[start:end].rstrip(_CLOSING))) for start, end in spans]


def _lowest(support: Floats, start: int, end: int) -> float:
    """1 where nothing was read: what is between sentences claims nothing."""
    read = support[start:end]
    read = read[~np.isnan(read)]
    return float(read.min()) if len(read) else 1.0
