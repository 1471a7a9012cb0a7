"""Asks a model for everything about an answer in one call, and makes the verdict of its reply.

Evaluation, checklist and phases of a verdict then speak with one voice: the claims of the reply
give correctness, groundedness and citation, and what it says of nuggets gives completeness. Next
steps are by the rules of the domain pack where it has some.
"""

from collections.abc import Sequence

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge, Extent
from app.judges.answer_parts import (
    AnswerPart,
    ShownSentence,
    answer_parts,
    judged_chars,
    sentences_of,
)
from app.judges.checklists import CHECKLISTS
from app.judges.judge import Evaluators, Judgement, phases_by_model, phases_of
from app.judges.model.ask_judge import all_of, ask_judge
from app.judges.model.claims import Checked
from app.judges.model.evaluation import Feedback, checklist_of, evaluation_of
from app.judges.model.reply import MAX_TOKENS, Asked, Reply, output_of, read_reply
from app.judges.phases.reading import Sources, sources_of
from app.judges.prompts.one_call import OneCallPrompt, Sections, Shown
from app.judges.prompts.search_qa_eval import NOTES_BUDGET
from app.judges.rules.judge import empty_verdict
from app.judges.verdict_prompts import resolve_prompt
from app.text.packs.models import DomainPack


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
