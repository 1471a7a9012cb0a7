"""Asks a model for everything about an answer in one call, and makes the verdict of its reply.

Evaluation, checklist and phases of a verdict then speak with one voice: the claims of the reply
give correctness, groundedness and citation, and what it says of nuggets gives completeness. Next
steps are by the rules of the domain pack where it has some."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from app.ai_router.estimate import tokens_in
from app.ai_router.providers.failures import TOO_LONG
from app.ai_router.types import ChatRouter, Lang, Message
from app.judges.answer import (
    AnswerToJudge,
    Extent,
    Outcome,
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
from app.judges.criteria.criterion import Criterion
from app.judges.judge import Evaluators, Judge, Judgement, phases_by_model, phases_of
from app.judges.model.ask_judge import all_of, ask_judge
from app.judges.model.reply import (
    CRITERION_TOKENS,
    MAX_TOKENS,
    NOT_ANSWERED,
    NOT_JUDGED,
    SHORT_MAX_TOKENS,
    UTILITY,
    Asked,
    Checked,
    Reply,
    Usable,
    criteria_of,
    output_of,
    read_reply,
    supported_claims,
)
from app.judges.model.sections import PHASE_OF, Feedback, checklist_of, sections_of, used_sources
from app.judges.phases.groundedness import AnswerClaim, Verdict
from app.judges.phases.reading import Sources, sources_of
from app.judges.phases.run import Phase, united
from app.judges.prompts.one_call import SHORT, SMALL, OneCallPrompt, Sections, Shown
from app.judges.prompts.search_qa_eval import NOTES_BUDGET
from app.judges.rules.judge import empty_verdict
from app.judges.verdict_prompts import is_of_workspace, resolve_prompt
from app.platform.errors import MalformedOutput, PermanentProviderError
from app.platform.processes.calls import LimitExceeded
from app.text.packs.models import DomainPack

_WORTH: Mapping[Verdict, float] = {"supported": 1.0, "partly": 0.5, "unsupported": 0.0}

# A judge that found nothing to compare has compared nothing.
NOTHING_CLAIMED = "nothing_claimed"
# The judge gave no utility that can be used.
UTILITY_BY_RULES = "utility_by_rules"
# Asked by a shorter prompt than the policy's, which does not fit into the model's context.
PROMPT_SHORTENED = "prompt_shortened"

_NO_QUOTE: Mapping[Lang, str] = {
    "ko": "평가 모델의 인용문이 노트에 없습니다",
    "en": "the judge's quote is not in the notes",
}
_NO_SUCH_NOTE: Mapping[Lang, str] = {
    "ko": "답변이 없는 노트를 출처로 표시합니다: {number}번",
    "en": "The answer cites a note that does not exist: number {number}",
}


def evaluation_of(
    subject: AnswerToJudge,
    checked: Checked,
    replies: Sequence[Reply],
    extent: Extent,
    utility_by_rules: float | None = None,
    *,
    shortened: bool = False,
) -> SearchQAEvaluation:
    """replies: one for each part of the answer; the most useful part makes it useful.
    utility_by_rules: where the replies have none.

    correctness is the mean worth of the claims: 1 supported, .5 partly, 0 unsupported. An answer
    that claims nothing has nothing wrong in it: 1. High confidence needs a claim, each of them
    supported, and no other issue. One that only says that the notes do not say is refused: rightly
    where nothing speaks against it, falsely where the notes' words do.
    """
    claims = checked.claims
    correctness = sum(_WORTH[claim.verdict] for claim in claims) / len(claims) if claims else 1.0
    utility = utility_by_rules
    if utility is None:
        utility = max(reply.utility for reply in replies)
    issues = list(_issues(subject, checked, replies))
    unjudged = any(flag.startswith((NOT_JUDGED, NOT_ANSWERED)) for flag in checked.flags)
    outcome = _outcome_of_refusal(checked, sure=extent.whole and not issues and not unjudged)
    flags = [*checked.flags, *([] if claims or outcome else [NOTHING_CLAIMED])]
    if utility_by_rules is not None:
        flags.append(UTILITY_BY_RULES)
    if shortened:
        flags.append(PROMPT_SHORTENED)
    sure = extent.whole and not issues and not unjudged and bool(claims)
    return SearchQAEvaluation(
        correctness=correctness,
        utility=utility,
        confidence=confidence_of(correctness, utility, sure=sure),
        source_coverage=list(_coverage(subject, checked, replies)),
        grounding_issues=issues,
        summary="\n".join(summary for reply in replies if (summary := reply.summary.strip())),
        flags=[*score_flags(correctness, issues), *flags],
        extent=extent,
        outcome=outcome,
    )


def _outcome_of_refusal(checked: Checked, *, sure: bool) -> Outcome | None:
    """None of an answer that says something else, and of a refusal of which the judge is not
    sure."""
    refusals = [one for one in checked.sentences if one.refusal]
    if not refusals or any(one.claim and not one.refusal for one in checked.sentences):
        return None
    if any(one.claim for one in refusals):
        return "falsely_refused"
    return "rightly_refused" if sure else None


def _issues(subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply]) -> Iterator[str]:
    for number, claim in enumerate((one.claim for one in checked.sentences), 1):
        if claim is None or claim.verdict == "supported":
            continue
        # The judge's reason is for what it said before its quote was looked up.
        doubted = claim.verdict == "partly" and f"quote_not_found:{number}" in checked.flags
        why = _NO_QUOTE[subject.lang] if doubted else claim.reasoning
        yield f"{claim.text} ({why})" if why else claim.text
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


class _Form(NamedTuple):
    """What a part of an answer is asked about by, and the length of its reply. history: whether
    with the turns before it."""

    prompt: OneCallPrompt
    sections: Sections
    max_tokens: int
    history: bool = True

    def messages(self, shown: Shown, lang: Lang, key: bytes) -> list[Message]:
        """key: as fence_key of OneCallJudge."""
        shown = shown if self.history else shown._replace(history=(), asked="")
        return self.prompt.build_messages(shown, self.sections, lang, key)


class OneCallJudge:
    """A Judge of answers from notes with the model behind `router`: one call, or one for each
    part of a long answer. fence_key: 1 to 64 secret bytes, as for SearchQAJudge. prompt: see
    resolve_prompt. rules: give the sections and the utility that a reply lacks; without them such a
    reply is of no use. criteria: the workspace's own. context: tokens that the model's context
    holds, None where that is unknown."""

    def __init__(
        self,
        router: ChatRouter,
        pack: DomainPack,
        *,
        fence_key: bytes,
        prompt: str | OneCallPrompt | None = None,
        rules: Judge | None = None,
        criteria: Sequence[Criterion] = (),
        context: int | None = None,
    ) -> None:
        self._router = router
        self._prompt = resolve_prompt(prompt)
        self._pack = pack
        self._fence_key = fence_key
        self._rules = rules
        self._criteria = criteria
        self._context = context

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Nothing when there is no note to judge by. Evaluators with a call of their own are left
        to others. Raises MalformedOutput when the model fails twice to reply as asked, and any
        other ProviderError of the router."""
        if not subject.has_notes:
            return Judgement()
        wanted = [each for each in self._criteria if each.applies_to(subject)]
        sections = sections_of(evaluators, self._pack, subject.lang, wanted)
        parts = answer_parts(subject.answer)
        shown = [sentences_of(part) for part in parts]
        extent = Extent.measure(
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
        usable = await all_of(asking)
        replies = [one.reply for one in usable]
        missing = frozenset[str]().union(*(one.missing for one in usable))
        checked = Checked(sources, subject.question)
        for sentences, one in zip(shown, usable, strict=True):
            checked.add(subject.answer, sentences, one.claims)
        phases = phases_of(evaluators) - phases_by_model(evaluators)
        by_rules = await self._judge_by_rules(subject, missing, phases)
        own = phases - {PHASE_OF[name] for name in missing if name in PHASE_OF}
        quality = by_rules.quality
        if sections.checklist and "checklist" not in missing:
            quality = checklist_of(replies, subject.lang)
        utility = by_rules.evaluation.utility if by_rules.evaluation else None
        return Judgement(
            evaluation_of(
                subject,
                checked,
                replies,
                extent,
                utility,
                shortened=any(one.shortened for one in usable),
            ),
            quality,
            united(
                Feedback(self._pack, subject, checked, replies).result(own) if phases else None,
                by_rules.feedback,
            ),
            quality_by_rules="checklist" in missing,
            criteria=criteria_of(sections.criteria, replies),
        )

    async def _judge_by_rules(
        self, subject: AnswerToJudge, missing: AbstractSet[str], phases: AbstractSet[Phase]
    ) -> Judgement:
        """What replies lack. Raises MalformedOutput where rules take more than they may."""
        evaluators = [
            *(["search_qa"] if UTILITY in missing else []),
            *(["quality_gate"] if "checklist" in missing else []),
            *sorted(PHASE_OF[name] for name in missing if PHASE_OF.get(name) in phases),
        ]
        if not evaluators or self._rules is None:
            return Judgement()
        checked = subject._replace(feature="search_qa")
        try:
            return await self._rules.judge(checked, tuple(evaluators))
        except LimitExceeded as exceeded:
            lacking = ", ".join(sorted(missing))
            raise MalformedOutput(f"{lacking} missing, and rules {exceeded.what}") from exceeded

    async def _ask(
        self,
        subject: AnswerToJudge,
        sources: Sources,
        part: AnswerPart,
        sentences: Sequence[ShownSentence],
        sections: Sections,
    ) -> Usable:
        """In the first form that fits into the model's context, and in the last where the model
        refuses that as too long."""
        texts = [sentence.text for sentence in sentences]
        shown = Shown(
            *(subject.question, sources.titles, sources.texts, texts, part),
            *(subject.history, subject.asked),
        )
        forms = self._forms(sections, bool(subject.history))
        form = next((each for each in forms if self._fits(each, shown, subject.lang)), forms[-1])
        try:
            usable = await self._ask_in(form, shown, subject.lang)
        except PermanentProviderError as error:
            if error.cause != TOO_LONG or form is forms[-1]:
                raise
            form = forms[-1]
            usable = await self._ask_in(form, shown, subject.lang)
        if form is forms[0]:
            return usable
        left_out = {*sections.members}.difference(form.sections.members)
        return usable._replace(
            missing=usable.missing | left_out,
            shortened=form.prompt is not self._prompt or not form.history,
        )

    def _forms(self, sections: Sections, history: bool) -> list[_Form]:
        """From the usual one to the shortest. Sections are left out where rules can give them, and
        the instructions of a workspace stay. The last is without the turns before, which the
        question, as it stands alone, needs least."""
        max_tokens = MAX_TOKENS + CRITERION_TOKENS * len(sections.criteria)
        own = is_of_workspace(self._prompt.version)
        shorter = [] if own or self._prompt.short else [SHORT]
        forms = [_Form(each, sections, max_tokens) for each in (self._prompt, *shorter)]
        if self._rules is not None or not sections.members:
            smallest = self._prompt if own else SMALL
            forms.append(_Form(smallest, Sections(), SHORT_MAX_TOKENS))
        return [*forms, forms[-1]._replace(history=False)] if history else forms

    def _fits(self, form: _Form, shown: Shown, lang: Lang) -> bool:
        if self._context is None:
            return True
        messages = form.messages(shown, lang, self._fence_key)
        length = sum(len(message.content.encode()) for message in messages)
        return tokens_in(length) + form.max_tokens <= self._context

    async def _ask_in(self, form: _Form, shown: Shown, lang: Lang) -> Usable:
        short, whole = form.prompt.short, self._rules is None
        sentences, sources = len(shown.sentences), len(shown.texts)
        asked = Asked(sentences, sources, form.sections, short=short, whole=whole)
        return await ask_judge(
            self._router,
            form.messages(shown, lang, self._fence_key),
            output=output_of(form.sections, short=short, sentences=sentences, sources=sources),
            max_tokens=form.max_tokens,
            parse=lambda text: read_reply(text, asked),
            lang=lang,
        )
