"""Asks a model for everything about an answer in one call, and makes the verdict of its reply.

Evaluation, checklist and phases of a verdict then speak with one voice: the claims of the reply
give correctness, groundedness and citation, and what it says of nuggets gives completeness. Next
steps are by the rules of the domain pack where it has some."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import (
    AnswerToJudge,
    Extent,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)
from app.judges.answer_parts import (
    AnswerPart,
    ShownSentence,
    answer_parts,
    judged_chars,
    sentences_of,
)
from app.judges.checklists import CHECKLISTS, QualityResult, quality_result
from app.judges.judge import Evaluators, Judgement, phases_by_model, phases_of
from app.judges.model.ask_judge import all_of, ask_judge
from app.judges.model.reply import (
    MAX_TOKENS,
    NOT_JUDGED,
    Asked,
    Checked,
    Reply,
    citation_of,
    output_of,
    read_reply,
    supported_claims,
)
from app.judges.phases.completeness import (
    NuggetVerdict,
    Phase2Result,
    Support,
    completeness_of,
)
from app.judges.phases.groundedness import AnswerClaim, Verdict, summed_up
from app.judges.phases.next_steps import Phase4Result, evaluate_next_steps
from app.judges.phases.reading import Sources, sources_of
from app.judges.phases.run import FeedbackResult, Phase
from app.judges.prompts.one_call import MAX_NUGGETS, MAX_STEPS, OneCallPrompt, Sections, Shown
from app.judges.prompts.search_qa_eval import NOTES_BUDGET
from app.judges.rules.judge import empty_verdict
from app.judges.verdict_prompts import resolve_prompt
from app.text.packs.models import DomainPack

_WORTH: Mapping[Verdict, float] = {"supported": 1.0, "partly": 0.5, "unsupported": 0.0}

# A judge that found nothing to compare has compared nothing.
NOTHING_CLAIMED = "nothing_claimed"

_NO_SUCH_NOTE: Mapping[Lang, str] = {
    "ko": "답변이 없는 노트를 출처로 표시합니다: {number}번",
    "en": "The answer cites a note that does not exist: number {number}",
}


def evaluation_of(
    subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply], extent: Extent
) -> SearchQAEvaluation:
    """replies: one for each part of the answer; the most useful part makes it useful.

    correctness is the mean worth of the claims: 1 supported, .5 partly, 0 unsupported. An answer
    that claims nothing has nothing wrong in it: 1. High confidence needs a claim, each of them
    supported, and no other issue.
    """
    claims = checked.claims
    correctness = sum(_WORTH[claim.verdict] for claim in claims) / len(claims) if claims else 1.0
    utility = max(reply.utility for reply in replies)
    issues = list(_issues(subject, checked, replies))
    flags = [*checked.flags, *([] if claims else [NOTHING_CLAIMED])]
    unjudged = any(flag.startswith((NOT_JUDGED, NOTHING_CLAIMED)) for flag in flags)
    sure = extent.whole and not issues and not unjudged
    return SearchQAEvaluation(
        correctness=correctness,
        utility=utility,
        confidence=confidence_of(correctness, utility, sure=sure),
        source_coverage=list(_coverage(subject, checked, replies)),
        grounding_issues=issues,
        summary="\n".join(summary for reply in replies if (summary := reply.summary.strip())),
        flags=[*score_flags(correctness, issues), *flags],
        extent=extent,
    )


def used_sources(checked: Checked, replies: Sequence[Reply]) -> set[int]:
    """The numbers of the sources that the answer uses: those that bear a claim, and those that
    the model names besides."""
    named = {number for reply in replies for number in reply.used_notes}
    return named | {source for source, _ in supported_claims(checked)}


def _issues(subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply]) -> Iterator[str]:
    for claim in checked.claims:
        if claim.verdict != "supported":
            yield f"{claim.text} ({claim.reasoning})" if claim.reasoning else claim.text
    for reply in replies:
        yield from filter(None, map(str.strip, reply.grounding_issues))
    marked = dict.fromkeys(number for one in checked.sentences for number in one.marks)
    for number in marked:
        if not 1 <= number <= checked.sources.note_count:
            yield _NO_SUCH_NOTE[subject.lang].format(number=number)


def _coverage(
    subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply]
) -> Iterator[SourceCoverage]:
    """Each note with the first claim that it bears, one with a quote before the rest."""
    used = used_sources(checked, replies)
    by_note: dict[int, AnswerClaim] = {}
    for number, claim in supported_claims(checked):
        held = by_note.get(number)
        if held is None or (claim.quote and not held.quote):
            by_note[number] = claim
    for index, title in enumerate(subject.titles, start=1):
        first = by_note.get(index)
        yield SourceCoverage(
            note_index=index,
            note_title=title,
            cited=index in used,
            relevant_claim=first.text if first else "",
            quote=first.quote if first else "",
            quote_found=first.quote_found if first else None,
        )


_BEST_FIRST: Sequence[Support] = ("supported", "partly", "not")


def checklist_of(replies: Sequence[Reply], lang: Lang) -> QualityResult:
    """An item that one part of a long answer meets is met: the answer holds that part."""
    by_item = zip(*(reply.checklist for reply in replies), strict=True)
    ticks = [next((tick for tick in given if tick.passed), given[0]) for given in by_item]
    return quality_result(
        CHECKLISTS["search_qa"][lang], [(tick.passed, tick.reason.strip()) for tick in ticks]
    )


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the phases are made of. replies: one for each part of the answer."""

    pack: DomainPack
    subject: AnswerToJudge
    checked: Checked
    replies: Sequence[Reply]

    def of(self, phases: AbstractSet[Phase]) -> FeedbackResult:
        used = used_sources(self.checked, self.replies)
        phase2 = self._completeness() if "completeness" in phases else None
        missing = phase2.missing_nuggets if phase2 else []
        by_rules = {"next_steps"} if self.pack.next_steps.has_any else set()
        return FeedbackResult(
            phase1=citation_of(self.subject, self.checked, used) if "citation" in phases else None,
            phase2=phase2,
            phase3=summed_up(self.checked.claims, list(self.checked.flags))
            if "groundedness" in phases
            else None,
            phase4=self._next_steps(missing) if "next_steps" in phases else None,
            sources={phase: "rules" if phase in by_rules else "judge" for phase in sorted(phases)},
        )

    @property
    def _most_useful(self) -> Reply:
        return max(self.replies, key=lambda reply: reply.utility)

    def _completeness(self) -> Phase2Result:
        """By the nuggets of the most useful part, each with the best support that a part gives."""
        given = self._most_useful.nuggets
        names = [one.name for one in self.pack.nuggets] or [one.text for one in given][:MAX_NUGGETS]
        support: dict[str, list[Support]] = {name: [] for name in names}
        for reply in self.replies:
            texts = names if self.pack.nuggets else [one.text for one in reply.nuggets]
            for name, one in zip(texts, reply.nuggets, strict=False):
                if name in support:
                    support[name].append(one.support)
        return completeness_of(
            [
                NuggetVerdict(name, "vital", min(found, key=_BEST_FIRST.index), "judge")
                for name, found in support.items()
            ]
        )

    def _next_steps(self, missing: Sequence[str]) -> Phase4Result:
        if self.pack.next_steps.has_any:
            return evaluate_next_steps(self.pack.next_steps, self.subject, missing)
        steps = self._most_useful.next_steps
        return Phase4Result(
            suggested_queries=steps.suggested_queries[:MAX_STEPS],
            action_items=steps.action_items[:MAX_STEPS],
            urgency=steps.urgency,
        )


def sections_of(evaluators: Evaluators, pack: DomainPack, lang: Lang) -> Sections:
    """What the evaluators want of the one call. Phases that they give a call of their own
    (`:model`) are no part of it."""
    phases = phases_of(evaluators) - phases_by_model(evaluators)
    return Sections(
        checklist=CHECKLISTS["search_qa"][lang].items if "quality_gate" in evaluators else (),
        nuggets=tuple(one.name for one in pack.nuggets) if "completeness" in phases else None,
        next_steps="next_steps" in phases and not pack.next_steps.has_any,
    )


class OneCallJudge:
    """A Judge of answers from notes with the model behind `router`: one call, or one for each
    part of a long answer. fence_key: 1 to 64 secret bytes, as for SearchQAJudge. prompt: see
    resolve_prompt."""

    def __init__(
        self,
        router: ChatRouter,
        pack: DomainPack,
        *,
        fence_key: bytes,
        prompt: str | OneCallPrompt | None = None,
    ) -> None:
        self._router = router
        self._prompt = resolve_prompt(prompt)
        self._pack = pack
        self._fence_key = fence_key

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Nothing when there is no note to judge by. Evaluators with a call of their own are left
        to others. Raises MalformedOutput when the model fails twice to reply as asked, and any
        other ProviderError of the router."""
        if not subject.has_notes:
            return Judgement()
        sections = sections_of(evaluators, self._pack, subject.lang)
        parts = answer_parts(subject.answer)
        shown = [sentences_of(part) for part in parts]
        extent = Extent.of(
            subject.answer,
            subject.contents,
            judged_answer_chars=judged_chars(subject.answer, parts),
            notes_budget=NOTES_BUDGET,
        )
        if not any(shown):
            return Judgement(empty_verdict(subject, extent))
        sources = sources_of(subject)
        asking = (
            self._ask(subject, sources, part, sentences, sections)
            for part, sentences in zip(parts, shown, strict=True)
        )
        replies = await all_of(asking)
        checked = Checked(sources)
        for sentences, reply in zip(shown, replies, strict=True):
            checked.add(subject.answer, sentences, reply.claims)
        phases = phases_of(evaluators) - phases_by_model(evaluators)
        return Judgement(
            evaluation_of(subject, checked, replies, extent),
            checklist_of(replies, subject.lang) if sections.checklist else None,
            Feedback(self._pack, subject, checked, replies).of(phases) if phases else None,
        )

    async def _ask(
        self,
        subject: AnswerToJudge,
        sources: Sources,
        part: AnswerPart,
        sentences: Sequence[ShownSentence],
        sections: Sections,
    ) -> Reply:
        texts = [sentence.text for sentence in sentences]
        shown = Shown(subject.question, sources.titles, sources.texts, texts, part)
        short = self._prompt.short
        asked = Asked(len(texts), len(sources.texts), sections, short=short)
        return await ask_judge(
            self._router,
            self._prompt.build_messages(shown, sections, subject.lang, self._fence_key),
            output=output_of(sections, short=short),
            max_tokens=MAX_TOKENS,
            parse=lambda text: read_reply(text, asked),
            lang=subject.lang,
        )
