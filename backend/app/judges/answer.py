"""The answer under judgement with its notes and evidence, and the verdict on it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Literal, NamedTuple, Self

from pydantic import BaseModel, Field, computed_field

from app.ai_router.types import Lang
from app.text.evidence import Evidence, evidence_of_notes
from app.text.turns import Turn


class Note(NamedTuple):
    """A note that the answer was given, as it was then. The title may be blank."""

    title: str
    content: str


class AnswerToJudge(NamedTuple):
    """One answer. Notes are in the order of their marks; evidence is what a search found in
    them, if one was made. feature: what asked for the answer, which its checklist depends on.

    question: as it stands alone. history: the turns before it, none where it was asked alone: what
    they asked says what is meant, what they answered is no evidence. asked: the question in the
    asker's words, "" where it stands alone in those."""

    question: str
    answer: str
    notes: tuple[Note, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    lang: Lang = "ko"
    feature: str = "search_qa"
    history: tuple[Turn, ...] = ()
    asked: str = ""

    @classmethod
    def from_texts(
        cls,
        question: str,
        answer: str,
        contents: Iterable[str] = (),
        titles: Sequence[str] = (),
        *,
        evidence: Iterable[Evidence] = (),
        lang: Lang = "ko",
        feature: str = "search_qa",
        history: Iterable[Turn] = (),
        stands_alone: str | None = None,
    ) -> Self:
        """titles: of the first notes; the others have none. stands_alone: the question so that it
        can be understood without its history, None where it can."""
        notes = tuple(map(Note, chain(titles, repeat("")), contents))
        asked = question if stands_alone else ""
        return cls(
            *(stands_alone or question, answer, notes, tuple(evidence), lang, feature),
            tuple(history),
            asked,
        )

    @property
    def contents(self) -> list[str]:
        return [note.content for note in self.notes]

    @property
    def titles(self) -> list[str]:
        """One for each note; a blank one becomes `untitled`."""
        return [
            note.title.strip() or untitled(number, self.lang)
            for number, note in enumerate(self.notes, start=1)
        ]

    @property
    def has_notes(self) -> bool:
        """Whether any note has a text to judge by."""
        return any(note.content.strip() for note in self.notes)

    @property
    def passages(self) -> tuple[Evidence, ...]:
        """What the answer may rest on: the evidence, or each note, without a quote: the note
        itself is at hand, and finding its first sentence takes longer than the prompt."""
        return self.evidence or evidence_of_notes(self.contents, lambda _: "")


def untitled(number: int, lang: Lang) -> str:
    """How the note of this number is called where it has no title: "노트 n" or "Note n"."""
    return f"{'노트' if lang == 'ko' else 'Note'} {number}"


class Extent(BaseModel):
    """Lengths in characters. What was judged is the beginning of the answer; of the notes, each
    has its share."""

    answer_chars: int
    judged_answer_chars: int
    note_chars: int
    judged_note_chars: int

    @property
    def whole(self) -> bool:
        """Whether everything was judged. A verdict on less is never called high confidence."""
        return (
            self.judged_answer_chars >= self.answer_chars
            and self.judged_note_chars >= self.note_chars
        )

    @classmethod
    def measure(
        cls, answer: str, notes: Sequence[str], *, judged_answer_chars: int, notes_budget: int
    ) -> Self:
        """notes_budget: characters that the notes share."""
        note_chars = sum(map(len, notes))
        return cls(
            answer_chars=len(answer),
            judged_answer_chars=judged_answer_chars,
            note_chars=note_chars,
            judged_note_chars=min(note_chars, notes_budget),
        )


HIGH_CORRECTNESS = 0.8
HIGH_UTILITY = 0.7
MEDIUM_CORRECTNESS = 0.5
# A verdict at least this correct with issues, or below MEDIUM_CORRECTNESS without any,
# contradicts itself.
SPOTLESS_CORRECTNESS = 0.95

# More is claimed than the judge may write down, so not every claim was judged.
CLAIMS_LIMIT = "claims_limit_reached"

Confidence = Literal["high", "medium", "low"]
# What rules conclude. They cannot distinguish a paraphrase from an invention: "undecided". Every
# judge calls an answer refused, rightly or not, that only says that the notes do not contain it.
Outcome = Literal["matches", "mismatch", "undecided", "rightly_refused", "falsely_refused"]
# How a claim that the notes do not bear out differs from them: a note contradicts it, no note
# states it, another note than the cited one does, or it joins two notes that no note joins.
Fault = Literal["contradicted", "not_in_notes", "misattributed", "stitched"]


class SourceCoverage(BaseModel):
    """Whether the answer used one note. `note_index` counts from 1.

    quote: the passage of the note that bears the claim, "" when the judge gave none;
    quote_found: whether the note holds that passage, checked by code, None without a quote.
    """

    note_index: int
    note_title: str
    cited: bool
    relevant_claim: str
    quote: str = ""
    quote_found: bool | None = None


class SearchQAEvaluation(BaseModel):
    """A verdict on one answer. Scores lie between 0 and 1.

    flags: doubts about the verdict itself, each a key with an optional detail:
    `score_contradicts_issues`, `quote_not_found:<note_index>`, `claims_limit_reached`,
    `confidence_lowered:<reason>`; by the one call, with the number of the sentence from 1,
    `quote_not_found:<n>`, `quote_in_other_note:<n>`, `value_not_stated:<n>`,
    `claim_not_judged:<n>`, `sentence_not_judged:<n>`, `utility_by_rules`, `prompt_shortened` and
    `nothing_claimed`; and what rules could not add: `checklist_ended:<why>`, `phases_ended:<why>`.
    extent: how much was judged, None where it was not stored. outcome: of rules, and of a refusal;
    None of other answers by a model.
    """

    correctness: float
    utility: float
    confidence: Confidence
    source_coverage: list[SourceCoverage]
    grounding_issues: list[str]
    summary: str
    flags: list[str] = Field(default_factory=list)
    extent: Extent | None = None
    outcome: Outcome | None = None

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def decided(self) -> bool:
        """False where rules could not tell whether the answer is grounded."""
        return self.outcome != "undecided"


def confidence_of(correctness: float, utility: float, *, sure: bool = True) -> Confidence:
    """high from .8 correctness with .7 utility, medium from .5 correctness, else low. sure: False
    where something was not judged or is refuted, whatever the scores: then it is never high."""
    if sure and correctness >= HIGH_CORRECTNESS and utility >= HIGH_UTILITY:
        return "high"
    return "medium" if correctness >= MEDIUM_CORRECTNESS else "low"


def score_flags(correctness: float, grounding_issues: Sequence[str]) -> Iterator[str]:
    """`score_contradicts_issues` when the score and its list of issues cannot both be right."""
    if grounding_issues and correctness >= SPOTLESS_CORRECTNESS:
        yield "score_contradicts_issues"
    if not grounding_issues and correctness < MEDIUM_CORRECTNESS:
        yield "score_contradicts_issues"
