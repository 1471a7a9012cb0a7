"""The verdict that follows from how well each claim is supported.

correctness is the mean support of what is claimed, times ISSUE_FACTOR when one claim is
unsupported (support below .5), so that an answer with an unsupported claim is never "high" and one
more of them never raises the score. An answer that claims nothing has nothing wrong in it: 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.ai_router.types import Lang
from app.judges.local.detector import Finding
from app.judges.local.draft import Draft
from app.judges.phases.groundedness import AnswerClaim, Phase3Result, summed_up
from app.judges.rules import wording
from app.judges.rules.judge import OFF_TOPIC, empty_verdict
from app.judges.verdict import SearchQAEvaluation, confidence_of, score_flags

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
    )


def _summary(draft: Draft, total: int, bad: int) -> str:
    parts = ["refusal"] if not total else ["issues" if bad else "grounded"]
    if total and draft.utility < OFF_TOPIC:
        parts.append("off_topic")
    return wording.summary(parts, draft.subject.lang, total=total, bad=bad)
