"""The reply of a model, checked against the request, and the claims that it judged.

A prompt asks for its members by their names or, if it is a short one, by their aliases; a reply
with the others is refused. Behind it all replies are alike.

A sentence is supported only with a quote that a source holds; otherwise it is supported in part at
most, whatever the model says.

What of a reply cannot be used is left out and the rest counts: a sentence without a usable claim is
not judged, and a note that does not exist is none.
"""

import logging
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field, JsonValue, ValidationError, create_model

from app.ai_router.types import OutputSchema
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import ShownSentence, cited_notes, without_marks
from app.judges.criteria.criterion import Criterion, CriterionScore
from app.judges.model.ask_judge import (
    MAX_REASONS,
    JudgeReply,
    JudgeText,
    Score,
    ShortText,
    output_schema,
    parse_object,
    schema_reasons,
)
from app.judges.phases.citation import Citation, Phase1Result, cited_result
from app.judges.phases.completeness import Support
from app.judges.phases.groundedness import NO_FAULT, AnswerClaim, QuoteCheck
from app.judges.phases.next_steps import STEPS_ACCEPTED, Urgency
from app.judges.phases.reading import Sources
from app.judges.prompts.one_call import CRITERIA, MAX_NUGGETS, OPTIONAL, Sections
from app.judges.rules.vocabulary import is_refusal
from app.platform.errors import MalformedOutput
from app.text.morphemes import morphemes

logger = logging.getLogger(__name__)

MAX_TOKENS = 2_048
# More for each criterion of the workspace.
CRITERION_TOKENS = 128
# Of a reply without sections, for a model with a small context.
SHORT_MAX_TOKENS = 1_024
# More than the prompt asks for are accepted up to here; beyond it the judge did not listen.
ISSUES_ACCEPTED = 20
# What a server that bounds lists has the model write at most.
MAX_ISSUES = 3
NUGGETS_ACCEPTED = 50

Bearing = Literal["supported", "partly", "unsupported", "no_claim"]
REFUSAL = "refusal"
_Word = Literal["none", "contradicted", "not_in_notes", "stitched", "refusal"]
# A word that is none of them counts as left out.
FaultWord = Annotated[
    _Word, BeforeValidator(lambda said: said if said in get_args(_Word) else NO_FAULT)
]


class SentenceVerdict(JudgeReply):
    """What the model says of one sentence. note_index: 0 for no note. fault: in what way it is
    doubtful, or `refusal` of one that says that the notes do not say."""

    sentence: int
    note_index: Annotated[int, Field(ge=0, alias="note")]
    quote: JudgeText
    reasoning: Annotated[JudgeText, Field(alias="gap")]
    verdict: Bearing
    fault: FaultWord = "none"


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


class CriterionReply(JudgeReply):
    reason: JudgeText
    score: str | float


NO_STEPS = Steps.model_validate({"queries": [], "actions": [], "urgency": "low"})

OUTPUT_NAME = "search_qa_verdict"


class Reply(JudgeReply):
    """Sections that were not asked for have no meaning, whatever they hold, nor has what stands for
    a member that a reply lacks."""

    claims: list[SentenceVerdict] = Field(default_factory=list)
    grounding_issues: Annotated[
        list[JudgeText], Field(default_factory=list, max_length=ISSUES_ACCEPTED, alias="issues")
    ]
    used_notes: Annotated[list[int], Field(default_factory=list, alias="used")]
    nuggets: Annotated[list[NuggetSupport], Field(max_length=NUGGETS_ACCEPTED)] = Field(
        default_factory=list
    )
    checklist: list[Tick] = Field(default_factory=list)
    next_steps: Steps = NO_STEPS
    # Each is read by itself, so that one of no use takes no other with it.
    criteria: dict[str, JsonValue] = Field(default_factory=dict)
    summary: JudgeText = ""
    utility: Score = 0.0


@lru_cache(maxsize=512)
def output_of(
    sections: Sections, *, short: bool, sentences: int = 0, sources: int = 0
) -> OutputSchema:
    """The schema of a reply with these sections: others would be paid for with every request.
    short: with aliases. sentences, sources: how many the model is shown, for servers that hold it
    to that; 0 for any number."""
    left_out = {*OPTIONAL, CRITERIA}.difference(sections.members)
    fields = {
        name: (_criteria_form(sections.criteria) if name == CRITERIA else field.annotation, field)
        for name, field in Reply.model_fields.items()
        if name not in left_out
    }
    asked = create_model("Reply", __base__=JudgeReply, **fields)  # type: ignore[call-overload]
    output = output_schema(OUTPUT_NAME, asked, by_alias=short)
    members = output.schema["properties"]
    nuggets, items = len(sections.nuggets or ()), len(sections.checklist)
    issues = "issues" if short else "grounding_issues"
    bounds = {issues: (0, MAX_ISSUES), "nuggets": (nuggets, nuggets or MAX_NUGGETS)}
    if items:
        bounds["checklist"] = (items, items)
    if sentences:
        bounds["claims"] = (sentences, sentences)
        bounds["used" if short else "used_notes"] = (0, sources)
        claim = members["claims"]["items"]["properties"]
        claim["sentence"] |= {"minimum": 1, "maximum": sentences}
        claim["note" if short else "note_index"]["maximum"] = sources
    for name in bounds.keys() & members.keys():
        members[name] |= dict(zip(("minItems", "maxItems"), bounds[name], strict=True))
    return output


def _criteria_form(criteria: Sequence[Criterion]) -> type[JudgeReply]:
    """An object with a member for each, which holds the model to its scale."""
    members = {}
    for each in criteria:
        scale: object = Literal[each.scale] if each.scale else Score
        score = {"score": (scale, ...)}
        form = create_model("Criterion", __base__=CriterionReply, **score)  # type: ignore[call-overload]
        members[each.name] = (form, ...)
    return create_model("Criteria", __base__=JudgeReply, **members)  # type: ignore[call-overload,no-any-return]


def criteria_of(
    criteria: Sequence[Criterion], replies: Sequence[Reply]
) -> tuple[CriterionScore, ...]:
    """The lowest score of the parts of an answer, and none where a part leaves it out."""
    found = []
    for each in criteria:
        parts = [_criterion(each, reply.criteria.get(each.name)) for reply in replies]
        found.append(min(parts, key=lambda part: -1 if part.value is None else part.value))
    return tuple(found)


def _criterion(criterion: Criterion, said: object) -> CriterionScore:
    try:
        reply = CriterionReply.model_validate(said)
    except ValidationError:
        return criterion.score(None, "")
    return criterion.score(reply.score, reply.reason.strip())


class Asked(NamedTuple):
    """How many sentences and sources the model was shown, and for which sections it was asked.
    short: with aliases. whole: whether sections and utility may not be missing, because nobody else
    can give them."""

    sentences: int
    sources: int
    sections: Sections
    short: bool
    whole: bool = True


class Usable(NamedTuple):
    """What of a reply can be used. claims: one for each sentence, None where it has none. missing:
    the sections that it lacks, and `utility`, whose values in `reply` mean nothing. shortened:
    whether a shorter prompt than the judge's was used."""

    reply: Reply
    claims: tuple[SentenceVerdict | None, ...]
    missing: frozenset[str] = frozenset()
    shortened: bool = False


UTILITY = "utility"


def read_reply(text: str, asked: Asked) -> Usable:
    """Raises MalformedOutput with the reason where nothing is left that can be used."""
    reply, reasons = _readable(text, by_alias=asked.short)
    claims = _by_sentence(reply.claims, asked)
    if not any(claims):
        reasons.append(f"claims must hold each of the {asked.sentences} sentences exactly once")
        raise MalformedOutput("; ".join(reasons[:MAX_REASONS]), body_excerpt=text)
    used = [number for number in reply.used_notes if 1 <= number <= asked.sources]
    missing = dict(_missing(reply, asked))
    if missing and asked.whole:
        reasons += missing.values()
        raise MalformedOutput("; ".join(reasons[:MAX_REASONS]), body_excerpt=text)
    if None in claims or missing or reasons:
        why = reasons or [*missing.values(), "claims lack a sentence, or hold one twice"]
        logger.info("Left out of a reply what cannot be used: %s", "; ".join(why[:MAX_REASONS]))
    if len(used) < len(reply.used_notes):
        reply = reply.model_copy(update={"used_notes": used})
    return Usable(reply, claims, frozenset(missing))


def _readable(text: str, *, by_alias: bool) -> tuple[Reply, list[str]]:
    """The reply without what does not fit its schema, and why that does not. Raises MalformedOutput
    for what is no object, or has members that were not asked for."""
    found = parse_object(text)
    if not isinstance(found, dict):
        raise MalformedOutput("the reply must be a JSON object", body_excerpt=text)
    try:
        return Reply.model_validate(found, by_alias=by_alias, by_name=not by_alias), []
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        reasons = schema_reasons(error)
        if any(_spoils_all(one["type"], one["loc"]) for one in problems):
            raise MalformedOutput("; ".join(reasons), body_excerpt=text) from None
    unusable = {one["loc"][:2] if one["loc"][0] == "claims" else one["loc"][:1] for one in problems}
    kept = {name: value for name, value in found.items() if (name,) not in unusable}
    if isinstance(claims := kept.get("claims"), list):
        kept["claims"] = [
            one for index, one in enumerate(claims) if ("claims", index) not in unusable
        ]
    else:
        kept.pop("claims", None)
    return Reply.model_validate(kept, by_alias=by_alias, by_name=not by_alias), reasons


def _spoils_all(problem: str, place: tuple[str | int, ...]) -> bool:
    """A member that was not asked for may be what a note planted, and issues that are left out
    would make the verdict better."""
    unasked = problem == "extra_forbidden" and len(place) == 1
    return unasked or place[0] in {"grounding_issues", "issues"}


def _by_sentence(
    claims: Sequence[SentenceVerdict], asked: Asked
) -> tuple[SentenceVerdict | None, ...]:
    """The claim of each sentence; None for one that is named by none or several."""
    by_number: dict[int, SentenceVerdict | None] = {}
    for claim in claims:
        if claim.note_index > asked.sources:
            claim = claim.model_copy(update={"note_index": 0})
        by_number[claim.sentence] = None if claim.sentence in by_number else claim
    return tuple(by_number.get(number) for number in range(1, asked.sentences + 1))


def _missing(reply: Reply, asked: Asked) -> Iterator[tuple[str, str]]:
    """The sections, or `utility`, that cannot be used, each with the reason."""
    given = reply.model_fields_set
    for name in (*asked.sections.members, UTILITY):
        if name not in given and name != CRITERIA:
            yield name, f"{name} is missing"
    items, nuggets = len(asked.sections.checklist), len(asked.sections.nuggets or ())
    ticked = [tick.item for tick in reply.checklist]
    if "checklist" in given and items and ticked != list(range(1, items + 1)):
        yield "checklist", f"checklist must hold each of the {items} items exactly once, in order"
    if "nuggets" in given and nuggets and len(reply.nuggets) != nuggets:
        yield "nuggets", f"nuggets must hold each of the {nuggets} that were named, in order"


# A sentence with a value that the model calls no claim was not judged, nor was one of which the
# reply says nothing that can be used.
NOT_JUDGED, NOT_ANSWERED = "claim_not_judged", "sentence_not_judged"


class JudgedSentence(NamedTuple):
    """A sentence with what the model says of it, after its quote was looked up. marks: the notes
    that it names; source: the number of the source that it rests on, 0 for none; claim: None
    where it claims nothing; refusal: whether it only says that the notes do not say, which is a
    claim where they do."""

    shown: ShownSentence
    marks: tuple[int, ...]
    source: int
    claim: AnswerClaim | None
    refusal: bool = False


@dataclass
class Checked:
    """All sentences of an answer in order, with the doubts about what was said of them."""

    sources: Sources
    question: str = ""
    sentences: list[JudgedSentence] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    _quotes: QuoteCheck = field(init=False)

    def __post_init__(self) -> None:
        self._quotes = QuoteCheck(self.sources, self.question, self.flags)

    @property
    def claims(self) -> list[AnswerClaim]:
        return [one.claim for one in self.sentences if one.claim is not None]

    def add(
        self, answer: str, shown: Sequence[ShownSentence], given: Sequence[SentenceVerdict | None]
    ) -> None:
        """given: one for each sentence."""
        for sentence, said in zip(shown, given, strict=True):
            self.sentences.append(self._judged(answer, sentence, said))

    def _judged(
        self, answer: str, shown: ShownSentence, said: SentenceVerdict | None
    ) -> JudgedSentence:
        number, marks = len(self.sentences) + 1, cited_notes(shown.text)
        if said is None:
            self.flags.append(f"{NOT_ANSWERED}:{number}")
            return JudgedSentence(shown, marks, 0, None)
        note = said.note_index
        quote, holder = found = self._quotes.find(said.quote, note)
        refusal = self._is_refusal(shown, said, holder)
        if said.verdict == "no_claim" or (refusal and holder is None):
            # A refusal that is called wrong without words of a note is not judged.
            unjudged = said.verdict == "unsupported" or (
                not refusal and any(char.isdigit() for char in without_marks(shown.text))
            )
            if unjudged:
                self.flags.append(f"{NOT_JUDGED}:{number}")
            return JudgedSentence(shown, marks, note, None, refusal)
        verdict, fault = self._quotes.check(
            number, shown.text, said.verdict, note, found, said.fault
        )
        source = holder or note
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
            fault="contradicted" if refusal else fault,
        )
        return JudgedSentence(shown, marks, source, claim, refusal)

    def _is_refusal(self, shown: ShownSentence, said: SentenceVerdict, holder: int | None) -> bool:
        """By the model's word or, where that is left out, by the sentence's: of one that claims
        nothing, or that a note refutes."""
        if said.verdict == "partly" or (said.verdict == "supported" and holder):
            return False
        if said.fault == REFUSAL:
            return True
        if said.verdict == "unsupported" and holder is None:
            return False
        text = without_marks(shown.text)
        return is_refusal(text, frozenset(morphemes(text)), self.question)


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
