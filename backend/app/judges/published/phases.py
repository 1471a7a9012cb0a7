"""The four phases under their published names, with their published signatures.

evidence: what the answer was to rest on, as a search found it. llm: the model that extracts and
verifies claims; anything with `chat`. pack: the domain whose nuggets and next steps hold, by
default the sorting of waste that these functions were first published for; with
`load_pack("generic")` the parts of the query are the nuggets."""

import secrets
from collections.abc import Sequence

from app.ai_router.types import ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.phases.citation import Phase1Result
from app.judges.phases.completeness import Phase2Result
from app.judges.phases.groundedness import Phase3Result, claims_of, judge_groundedness
from app.judges.phases.next_steps import Phase4Result
from app.judges.phases.reading import Reading
from app.judges.phases.run import ALL_PHASES, FeedbackResult, Phase, PhasesJudge
from app.text.evidence import Evidence
from app.text.language import detect_language
from app.text.packs.loader import load_pack
from app.text.packs.models import DomainPack

__all__ = [
    "Evidence",
    "FeedbackResult",
    "Phase1Result",
    "Phase2Result",
    "Phase3Result",
    "Phase4Result",
    "evaluate_all_phases",
    "evaluate_phase1",
    "evaluate_phase2",
    "evaluate_phase3",
    "evaluate_phase4",
    "extract_claims",
    "verify_claim",
]

DEFAULT_PACK = "waste_sorting"
_KEY_BYTES = 32


async def evaluate_phase1(answer: str, evidence: Sequence[Evidence]) -> Phase1Result:
    """Citation: which chunks the answer uses. By rules."""
    found = (await _by_rules("citation", "", answer, evidence, None)).phase1
    assert found is not None
    return found


async def evaluate_phase2(query: str, answer: str, pack: DomainPack | None = None) -> Phase2Result:
    """Completeness: which nuggets the answer covers. By rules."""
    found = (await _by_rules("completeness", query, answer, (), pack)).phase2
    assert found is not None
    return found


async def evaluate_phase3(
    answer: str, evidence: Sequence[Evidence], llm: ChatRouter
) -> Phase3Result:
    """Groundedness: which claims the evidence supports, in one call (one for each part of a long
    answer). Its score is None, never 1.0, when nothing is claimed. Raises ProviderError."""
    return await judge_groundedness(llm, Reading(_subject("", answer, evidence)), _key())


async def evaluate_phase4(
    query: str, answer: str, evidence: Sequence[Evidence], pack: DomainPack | None = None
) -> Phase4Result:
    """Next steps, by the tags of the evidence and the words of query and answer. By rules."""
    found = (await _by_rules("next_steps", query, answer, evidence, pack)).phase4
    assert found is not None
    return found


async def evaluate_all_phases(
    query: str,
    answer: str,
    evidence: Sequence[Evidence],
    llm: ChatRouter,
    pack: DomainPack | None = None,
) -> FeedbackResult:
    """All four, groundedness by the model. Where that fails, rules stand in, and `fallbacks` of the
    result says why."""
    judge = PhasesJudge(
        pack or load_pack(DEFAULT_PACK), ALL_PHASES, frozenset({"groundedness"}), llm, _key()
    )
    return await judge.judge(_subject(query, answer, evidence))


async def extract_claims(answer: str, llm: ChatRouter) -> list[str]:
    """The factual claims of the answer, in its own words. Raises ProviderError."""
    return await claims_of(llm, _subject("", answer, ()), _key())


async def verify_claim(claim: str, source_text: str, llm: ChatRouter) -> bool:
    """Whether the text supports the whole claim, by a quote that stands there. False without
    asking when there is no text. Raises ProviderError."""
    subject = AnswerToJudge.from_texts("", claim, [source_text], lang=detect_language(claim))
    found = await judge_groundedness(llm, Reading(subject), _key())
    return bool(found.claims) and not found.unsupported_claims


async def _by_rules(
    phase: Phase, query: str, answer: str, evidence: Sequence[Evidence], pack: DomainPack | None
) -> FeedbackResult:
    judge = PhasesJudge(pack or load_pack(DEFAULT_PACK), frozenset({phase}))
    return await judge.judge(_subject(query, answer, evidence))


def _subject(query: str, answer: str, evidence: Sequence[Evidence]) -> AnswerToJudge:
    lang = detect_language(query or answer)
    return AnswerToJudge(query, answer, evidence=tuple(evidence), lang=lang)


def _key() -> bytes:
    return secrets.token_bytes(_KEY_BYTES)
