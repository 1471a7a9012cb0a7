"""The reply of a model, checked against the request, and the claims that it judged.

A prompt asks for its members by their names or, if it is a short one, by their aliases; a reply
with the others is refused. Behind it all replies are alike.

A sentence is supported only with a quote that a source holds; otherwise it is supported in part at
most, whatever the model says.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, create_model

from app.ai_router.types import OutputSchema
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import ShownSentence, cited_notes, without_marks
from app.judges.model.ask_judge import (
    JudgeReply,
    JudgeText,
    Score,
    ShortText,
    output_schema,
    parse_reply,
)
from app.judges.phases.citation import Citation, Phase1Result, cited_result
from app.judges.phases.completeness import Support
from app.judges.phases.groundedness import AnswerClaim, Verdict
from app.judges.phases.next_steps import STEPS_ACCEPTED, Urgency
from app.judges.phases.reading import Sources
from app.judges.prompts.one_call import OPTIONAL, Sections
from app.judges.quotes import QuotedSources
from app.platform.errors import MalformedOutput

MAX_TOKENS = 2_048
# More than the prompt asks for are accepted up to here; beyond it the judge did not listen.
ISSUES_ACCEPTED = 20
NUGGETS_ACCEPTED = 50

Bearing = Literal["supported", "partly", "unsupported", "no_claim"]


class SentenceVerdict(JudgeReply):
    """What the model says of one sentence. note_index: 0 for no note."""

    sentence: int
    note_index: Annotated[int, Field(ge=0, alias="note")]
    quote: JudgeText
    reasoning: Annotated[JudgeText, Field(alias="gap")]
    verdict: Bearing


class NuggetSupport(JudgeReply):
    text: ShortText
    support: Support


class Tick(JudgeReply):
    item: int
    reason: JudgeText
    passed: bool


class Steps(JudgeReply):
    suggested_queries: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED, alias="queries")]
    action_items: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED, alias="actions")]
    urgency: Urgency


NO_STEPS = Steps.model_validate({"queries": [], "actions": [], "urgency": "low"})

OUTPUT_NAME = "search_qa_verdict"


class Reply(JudgeReply):
    """Sections that were not asked for have no meaning, whatever they hold."""

    claims: list[SentenceVerdict]
    grounding_issues: Annotated[list[JudgeText], Field(max_length=ISSUES_ACCEPTED, alias="issues")]
    used_notes: Annotated[list[int], Field(alias="used")]
    nuggets: Annotated[list[NuggetSupport], Field(max_length=NUGGETS_ACCEPTED)] = Field(
        default_factory=list
    )
    checklist: list[Tick] = Field(default_factory=list)
    next_steps: Steps = NO_STEPS
    summary: JudgeText
    utility: Score


def output_of(sections: Sections, *, short: bool) -> OutputSchema:
    """The schema of a reply with these sections: others would be paid for with every request.
    short: with aliases."""
    return _output_without(frozenset(OPTIONAL) - frozenset(sections.members), short=short)


@lru_cache(maxsize=16)
def _output_without(left_out: frozenset[str], *, short: bool) -> OutputSchema:
    fields = {
        name: (field.annotation, field)
        for name, field in Reply.model_fields.items()
        if name not in left_out
    }
    asked = create_model("Reply", __base__=JudgeReply, **fields)  # type: ignore[call-overload]
    return output_schema(OUTPUT_NAME, asked, by_alias=short)


@dataclass(frozen=True, slots=True)
class Asked:
    """How many sentences and sources the model was shown, and for which sections it was asked.
    short: with aliases."""

    sentences: int
    sources: int
    sections: Sections
    short: bool


def read_reply(text: str, asked: Asked) -> Reply:
    """Raises MalformedOutput with the reason."""
    reply = parse_reply(text, Reply, by_alias=asked.short)
    reason = _mismatch(reply, asked)
    if reason:
        raise MalformedOutput(reason, body_excerpt=text)
    return reply


def _mismatch(reply: Reply, asked: Asked) -> str | None:
    if not _numbered([claim.sentence for claim in reply.claims], asked.sentences):
        return f"claims must hold each of the {asked.sentences} sentences exactly once, in order"
    if any(claim.note_index > asked.sources for claim in reply.claims):
        return f"claims name a note that does not exist; there are {asked.sources}, 0 is none"
    if any(not 1 <= number <= asked.sources for number in reply.used_notes):
        return f"a note that is named as used does not exist; there are {asked.sources}"
    if missing := [name for name in asked.sections.members if name not in reply.model_fields_set]:
        return f"{missing[0]} is missing"
    items, nuggets = len(asked.sections.checklist), len(asked.sections.nuggets or ())
    if items and not _numbered([tick.item for tick in reply.checklist], items):
        return f"checklist must hold each of the {items} items exactly once, in order"
    if nuggets and len(reply.nuggets) != nuggets:
        return f"nuggets must hold each of the {nuggets} that were named, in order"
    return None


def _numbered(numbers: Sequence[int], count: int) -> bool:
    return list(numbers) == list(range(1, count + 1))


# A sentence with a value that the model calls no claim was not judged.
NOT_JUDGED = "claim_not_judged"


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence with what the model says of it, after its quote was looked up. marks: the notes
    that it names; source: the number of the source that it rests on, 0 for none; claim: None
    where it claims nothing."""

    shown: ShownSentence
    marks: tuple[int, ...]
    source: int
    claim: AnswerClaim | None


@dataclass
class Checked:
    """All sentences of an answer in order, with the doubts about what was said of them."""

    sources: Sources
    sentences: list[JudgedSentence] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    _quoted: QuotedSources = field(init=False)

    def __post_init__(self) -> None:
        self._quoted = QuotedSources(self.sources.texts)

    @property
    def claims(self) -> list[AnswerClaim]:
        return [one.claim for one in self.sentences if one.claim is not None]

    def add(
        self, answer: str, shown: Sequence[ShownSentence], given: Sequence[SentenceVerdict]
    ) -> None:
        """given: one for each sentence."""
        for sentence, said in zip(shown, given, strict=True):
            self.sentences.append(self._judged(answer, sentence, said))

    def _judged(self, answer: str, shown: ShownSentence, said: SentenceVerdict) -> JudgedSentence:
        number, marks = len(self.sentences) + 1, cited_notes(shown.text)
        if said.verdict == "no_claim":
            if any(char.isdigit() for char in without_marks(shown.text)):
                self.flags.append(f"{NOT_JUDGED}:{number}")
            return JudgedSentence(shown, marks, said.note_index, None)
        quote = said.quote.strip()
        holder = self._quoted.holder(quote, said.note_index)
        verdict: Verdict = said.verdict
        if holder is None and (quote or verdict == "supported"):
            self.flags.append(f"quote_not_found:{number}")
            verdict = "partly" if verdict == "supported" else verdict
        elif holder is not None and said.note_index and holder != said.note_index:
            self.flags.append(f"quote_in_other_note:{number}")
        source = holder or said.note_index
        claim = AnswerClaim(
            text=answer[shown.start : shown.end],
            verdict=verdict,
            note_index=self.sources.note(source or None),
            quote=quote,
            quote_found=holder is not None if quote else None,
            start=shown.start,
            end=shown.end,
            reasoning=said.reasoning.strip(),
            source="judge",
        )
        return JudgedSentence(shown, marks, source, claim)


def supported_claims(checked: Checked) -> Iterator[tuple[int, AnswerClaim]]:
    """The claims that rest on a source at least in part, with its number."""
    for one in checked.sentences:
        if one.source and one.claim is not None and one.claim.verdict != "unsupported":
            yield one.source, one.claim


def citation_of(subject: AnswerToJudge, checked: Checked, used: AbstractSet[int]) -> Phase1Result:
    """used: the sources that the answer uses."""
    sources = checked.sources
    citations = [c for one in checked.sentences for c in _citations(one, checked)]
    named = used | {citation.note_index for citation in citations}
    cited = [
        place in used or passage.note_index in named or f"[{passage.chunk_id}]" in subject.answer
        for passage, place in zip(sources.passages, sources.places, strict=True)
    ]
    return cited_result(sources.passages, cited, citations, sources.note_count)


def _citations(sentence: JudgedSentence, checked: Checked) -> Iterator[Citation]:
    """One for each note that the sentence marks, or else for the note that it rests on."""
    note = checked.sources.note(sentence.source or None)
    resting = [note] if note and sentence.claim and sentence.claim.verdict != "unsupported" else []
    for number in sentence.marks or resting:
        yield Citation(
            note_index=number,
            start=sentence.shown.start,
            end=sentence.shown.end,
            marked=bool(sentence.marks),
            supported=_supported(sentence, number, checked),
            quote=sentence.claim.quote if sentence.claim and number == sentence.source else "",
        )


def _supported(sentence: JudgedSentence, number: int, checked: Checked) -> bool | None:
    """A sentence with several marks may rest on each note in part."""
    if not 1 <= number <= checked.sources.note_count:
        return False
    if sentence.claim is None:
        return None
    if sentence.claim.verdict != "supported":
        return False
    return number == sentence.source or len(sentence.marks) > 1
