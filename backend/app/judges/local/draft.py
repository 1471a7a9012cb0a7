"""What a verdict holds that no detector says: claims and their places, usefulness, use of notes.

A detector says only how well the notes bear what is claimed. Which sentences claim something, how
well they reply to the question and which notes they use is read by the rules, as for their own
verdicts.
"""

from dataclasses import dataclass

from app.ai_router.prompts.quoting import share
from app.judges.answer import AnswerToJudge, Extent, Note
from app.judges.phases.groundedness import claim_place, closest_passage
from app.judges.phases.reading import Reading, claims_something
from app.judges.rules.read import ANSWER_BUDGET, NOTES_BUDGET
from app.judges.rules.utility import utility
from app.judges.rules.weigh import Weighed, source_coverage
from app.judges.verdict import SourceCoverage


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
    notes, and what was quoted of others."""

    subject: AnswerToJudge
    answer: str
    passages: tuple[Note, ...]
    claims: tuple[Claim, ...]
    utility: float
    source_coverage: tuple[SourceCoverage, ...]
    extent: Extent


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
    )
