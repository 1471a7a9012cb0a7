"""Judges each claim beside windows of the notes: NLI cross-encoders, and HHEM.

A claim is as well supported as by the window that supports it best. Cross-encoders learn from
short premises, and a run costs what its text is long, so that windows are short and each claim is
held against those that share most with it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.ai_router.local.onnx_model import OnnxModel, Tokens
from app.judges.answer import Note
from app.judges.local.detector import DetectorFolder, Finding
from app.judges.local.draft import Draft
from app.judges.local.windows import windows

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
            return Tokens.of(tokenizer.encode(premise, claim))
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
