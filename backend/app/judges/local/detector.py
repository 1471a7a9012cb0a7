"""Detectors: the kind of a model folder, the draft they read, and the verdict of their findings.

correctness is the mean support of what is claimed, times ISSUE_FACTOR when one claim is
unsupported (support below .5), so that an answer with an unsupported claim is never "high" and one
more of them never raises the score. An answer that claims nothing has nothing wrong in it: 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from app.ai_router.local.model_folder import ModelFolder, open_folder
from app.ai_router.prompts.quoting import share
from app.ai_router.types import Lang
from app.judges.answer import (
    AnswerToJudge,
    Extent,
    Note,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)
from app.judges.phases.groundedness import (
    AnswerClaim,
    Phase3Result,
    claim_place,
    closest_passage,
    summed_up,
)
from app.judges.phases.reading import Reading, claims_something
from app.judges.rules import wording
from app.judges.rules.judge import OFF_TOPIC, empty_verdict, is_refused, refusal_verdict
from app.judges.rules.read import ANSWER_BUDGET, NOTES_BUDGET, Material
from app.judges.rules.utility import utility
from app.judges.rules.weigh import Weighed, source_coverage
from app.platform.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Claim:
    """A claiming sentence at `answer[start:end]`. statement: without citation marks; quote: the
    sentence of note `note_index` that is most like it, "" when none is."""

    start: int
    end: int
    statement: str
    note_index: int | None
    quote: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as a detector reads it. answer: as much of it as is judged; passages: the
    notes, and what was quoted of others. refusal: what rules conclude of an answer that only says
    that the notes do not say, None of others and where they cannot."""

    subject: AnswerToJudge
    answer: str
    passages: tuple[Note, ...]
    claims: tuple[Claim, ...]
    utility: float
    source_coverage: tuple[SourceCoverage, ...]
    extent: Extent
    refusal: SearchQAEvaluation | None = None


def draft_of(subject: AnswerToJudge) -> Draft:
    """Blocks for some milliseconds, and longer when the Korean model has to be loaded."""
    reading = Reading(subject)
    material, sources = reading.material, reading.sources
    claims = []
    for sentence in material.sentences:
        if claims_something(sentence, subject.answer):
            start, end = claim_place(subject.answer, sentence)
            passage = closest_passage(sentence, material)
            note = sources.note(passage.note_index) if passage else None
            quote = passage.text if passage else ""
            claims.append(Claim(start, end, " ".join(sentence.claim.split()), note, quote))
    # Which notes are used is read from marks and words; what speaks against it is not asked here.
    read = [Weighed(sentence, {}, 0.0) for sentence in material.sentences]
    texts = share(sources.texts, NOTES_BUDGET)
    titles = [*(note.title for note in subject.notes), *[""] * len(texts)]
    return Draft(
        subject=subject,
        answer=subject.answer[:ANSWER_BUDGET],
        passages=tuple(map(Note, titles, texts)),
        claims=tuple(claims),
        utility=utility(material),
        source_coverage=tuple(source_coverage(material, subject.titles, read)),
        extent=material.extent,
        refusal=_refusal(subject, material, read),
    )


def _refusal(
    subject: AnswerToJudge, material: Material, read: Sequence[Weighed]
) -> SearchQAEvaluation | None:
    if not material.sentences or not is_refused(material):
        return None
    found = refusal_verdict(subject, material, read)
    return found if found.decided else None


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Names of the label that says "the notes bear this", and of its contraries.
_SUPPORTED_LABELS = frozenset({"entailment", "consistent", "supported", "factual", "grounded"})
_UNSUPPORTED_LABELS = frozenset(
    {"hallucinated", "hallucination", "hallucinations", "unsupported", "inconsistent", "ungrounded"}
)
_UNNAMED = ("label_0", "label_1")

Kind = Literal["tokens", "pairs", "hhem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How well the notes bear `answer[start:end]`: 0 to 1. claim: its number among the claims of
    the draft, None for a span that a detector marked by itself."""

    start: int
    end: int
    support: float
    claim: int | None = None


class Detector(Protocol):
    def detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        """For each answer what it claims, in order. Blocks. Raises ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class DetectorFolder:
    """kind: `tokens` marks unsupported tokens; `pairs` says of two texts whether the first bears
    the second; `hhem` does so with a prompt. supported: the index of the label that says yes, None
    where the model gives one score. labels: how many there are."""

    folder: ModelFolder
    kind: Kind
    labels: int
    supported: int | None

    def support(self, logits: "NDArray[np.float32]") -> "NDArray[np.float32]":
        """P(supported) for each row of logits."""
        import numpy as np

        if logits.shape[-1] != self.labels:
            raise ConfigurationError(
                f"{self.folder.onnx} gives {logits.shape[-1]} scores where config.json names"
                f" {self.labels} labels; the two are of different models."
            )
        if self.supported is None:
            return np.asarray(1 / (1 + np.exp(-logits[..., 0])), np.float32)
        odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(odds[..., self.supported] / odds.sum(axis=-1), np.float32)


def detector_folder(path: str) -> DetectorFolder:
    """The folder, if its files are there and of a kind that can judge. The model is not loaded.
    Raises ConfigurationError."""
    folder = open_folder(path)
    config, labels = folder.config, folder.config.labels
    if config.architecture.startswith("HHEM") or config.model_type.startswith("HHEM"):
        found = DetectorFolder(folder, "hhem", 2, 1)
    elif config.architecture.endswith("ForTokenClassification"):
        # LettuceDetect's models name no labels; 1 is what was trained as hallucinated.
        labels = labels or _UNNAMED
        found = DetectorFolder(folder, "tokens", len(labels), _supported(labels, folder, 0))
    elif config.architecture.endswith("ForSequenceClassification"):
        if len(labels) == 1:
            found = DetectorFolder(folder, "pairs", 1, None)
        else:
            found = DetectorFolder(folder, "pairs", len(labels), _supported(labels, folder, None))
    else:
        raise ConfigurationError(
            f"{folder.path} holds a {config.architecture or config.model_type or 'model'} that"
            " cannot judge; name a token classifier, a cross-encoder of NLI, or HHEM."
        )
    _ = folder.onnx
    return found


def _supported(labels: Sequence[str], folder: ModelFolder, unnamed: int | None) -> int:
    """The label that says yes. unnamed: which it is of two without names."""
    named = [index for index, label in enumerate(labels) if label in _SUPPORTED_LABELS]
    if len(named) == 1:
        return named[0]
    contraries = [index for index, label in enumerate(labels) if label in _UNSUPPORTED_LABELS]
    if len(labels) == 2 and len(contraries) == 1:
        return 1 - contraries[0]
    if unnamed is not None and tuple(labels) == _UNNAMED:
        return unnamed
    raise ConfigurationError(
        f"{folder.path} names its labels {', '.join(labels) or 'nowhere'}, none of which says that"
        " a text is supported; if it is a detector all the same, name them in id2label of"
        " config.json, as in entailment, neutral and contradiction."
    )


SUPPORTED = 0.5
# Below HIGH_CORRECTNESS, as for the rules.
ISSUE_FACTOR = 0.79

_REASON: Mapping[bool, Mapping[Lang, str]] = {
    True: {
        "ko": "노트가 이 내용을 뒷받침합니다 (확률 {percent}%)",
        "en": "the notes support this (probability {percent} %)",
    },
    False: {
        "ko": "노트가 이 내용을 뒷받침하지 않습니다 (뒷받침할 확률 {percent}%)",
        "en": "the notes do not support this (probability of support {percent} %)",
    },
}


@dataclass(frozen=True, slots=True)
class LocalVerdict:
    """groundedness: the claims with their places, as phase 3 gives them."""

    evaluation: SearchQAEvaluation
    groundedness: Phase3Result


def verdict_of(draft: Draft, findings: Sequence[Finding]) -> LocalVerdict:
    """findings: of a detector on this draft."""
    if not draft.answer.strip():
        return LocalVerdict(empty_verdict(draft.subject, draft.extent), summed_up([], []))
    if draft.refusal:
        return LocalVerdict(draft.refusal, summed_up([], []))
    claims = [_claim(draft, finding) for finding in findings]
    issues = [
        f"“{claim.text}” – {claim.reasoning}" for claim in claims if claim.verdict == "unsupported"
    ]
    correct = correctness([finding.support for finding in findings])
    sure = draft.extent.whole and not issues
    evaluation = SearchQAEvaluation(
        correctness=correct,
        utility=draft.utility,
        confidence=confidence_of(correct, draft.utility, sure=sure),
        source_coverage=list(draft.source_coverage),
        grounding_issues=issues,
        summary=_summary(draft, len(claims), len(issues)),
        flags=list(score_flags(correct, issues)),
        extent=draft.extent,
    )
    return LocalVerdict(evaluation, summed_up(claims, []))


def correctness(supports: Sequence[float]) -> float:
    if not supports:
        return 1.0
    mean = sum(supports) / len(supports)
    return round(mean if min(supports) >= SUPPORTED else mean * ISSUE_FACTOR, 4)


def _claim(draft: Draft, finding: Finding) -> AnswerClaim:
    supported = finding.support >= SUPPORTED
    held = draft.claims[finding.claim] if supported and finding.claim is not None else None
    percent = round(100 * finding.support)
    return AnswerClaim(
        text=draft.answer[finding.start : finding.end],
        verdict="supported" if supported else "unsupported",
        note_index=held.note_index if held else None,
        quote=held.quote if held else "",
        quote_found=True if held and held.quote else None,
        start=finding.start,
        end=finding.end,
        reasoning=_REASON[supported][draft.subject.lang].format(percent=percent),
        source="judge",
        fault=None if supported else "not_in_notes",
    )


def _summary(draft: Draft, total: int, bad: int) -> str:
    parts = ["refusal"] if not total else ["issues" if bad else "grounded"]
    if total and draft.utility < OFF_TOPIC:
        parts.append("off_topic")
    return wording.summary(parts, draft.subject.lang, total=total, bad=bad)
