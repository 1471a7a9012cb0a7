"""Marks the tokens of an answer that the notes do not bear, as LettuceDetect does.

The model reads question, notes and answer together. What is too long for it is read in windows: a
long answer in parts, and each part beside one window of the notes after the other. A token counts
as unsupported only when no window of the notes supports it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding

from app.ai_router.local.onnx_model import Floats, OnnxModel, Tokens
from app.judges.local.detector import DetectorFolder, Finding
from app.judges.local.draft import Draft
from app.judges.local.windows import count_tokens, windows

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
        logits = self._model.run([Tokens.of(one.encoding) for one in readings])
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
