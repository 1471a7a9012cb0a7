"""Phase 1: which of the found chunks the answer uses, and whether its citations hold.

A chunk counts as cited

- when a mark of the answer names its note ([노트 1], [Note 1], [1], [title of the note]) or
  names the chunk by its id in brackets, or
- when a sentence without marks rests on its text. For the text of a note that is decided as in
  the verdict of the rules (grounding.uses); for a quote alone, when sentence and quote share at
  least half of the shorter one's content morphemes.

Both relevances are 0.0 without evidence or citation, as numbers of their formulas; `score` is
None without evidence, because then there was nothing to cite and nothing is wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.judges.phases.reading import Reading, claim_alone, claims_something
from app.judges.rules.find import MISPLACED, UNRELATED
from app.judges.rules.read import AnswerSentence
from app.judges.rules.weigh import Weighed, uses
from app.text.evidence import Evidence

# How much a citation of a chunk is worth by the relevance with which the chunk was found.
RELEVANCE_WEIGHTS = {"high": 1.0, "medium": 0.7, "low": 0.4}
# Szymkiewicz-Simpson overlap from which a sentence rests on a quote, and the share of the best
# overlap that others must reach: several quotes on one matter share its words.
OVERLAP, NEARLY_BEST = 0.5, 0.8
UNKNOWN_NOTE = "citation_unknown_note"


@dataclass(frozen=True, slots=True)
class Citation:
    """A sentence of the answer that names or uses a note.

    start, end: where the sentence stands in the answer (str offsets); marked: by a mark, not
    only by its words; supported: whether that note bears the sentence, None when words cannot
    tell (another language, or nothing claimed); quote: the sentence of the note that comes
    closest, "" when there is none. A mark to a note that does not exist is never supported.
    """

    note_index: int
    start: int
    end: int
    marked: bool
    supported: bool | None
    quote: str


@dataclass(frozen=True, slots=True)
class Phase1Result:
    """context_relevance: cited / all chunks, 0 to 1. citation_relevance: mean of
    RELEVANCE_WEIGHTS over the cited chunks, 0 to 1. issues: `citation_unknown_note:<number>`.
    """

    context_relevance: float
    cited_chunks: list[str]
    uncited_chunks: list[str]
    citation_relevance: float
    citations: list[Citation]
    issues: list[str]

    @property
    def score(self) -> float | None:
        """What enters the overall score; None when there was no evidence."""
        return self.context_relevance if self.cited_chunks or self.uncited_chunks else None


def cite(reading: Reading) -> Phase1Result:
    """Phase 1. Blocks for some milliseconds where the texts were not analysed before."""
    passages, answer = reading.sources.passages, reading.subject.answer
    citations = [citation for one in reading.weighed for citation in _citations(one, reading)]
    used_notes = {citation.note_index for citation in citations}
    used_quotes = _used_quotes(reading)
    cited = [
        one.note_index in used_notes or f"[{one.chunk_id}]" in answer or place in used_quotes
        for one, place in zip(passages, reading.sources.places, strict=True)
    ]
    return cited_result(passages, cited, citations, reading.sources.note_count)


def cited_result(
    passages: Sequence[Evidence], cited: Sequence[bool], citations: list[Citation], note_count: int
) -> Phase1Result:
    """The result where `cited` says of each passage whether the answer uses it."""
    known = {*range(1, note_count + 1)}
    known |= {one.note_index for one in passages if one.note_index}
    used = [one for one, is_cited in zip(passages, cited, strict=True) if is_cited]
    weights = [RELEVANCE_WEIGHTS[one.relevance] for one in used]
    unknown = dict.fromkeys(c.note_index for c in citations if c.note_index not in known)
    return Phase1Result(
        context_relevance=len(used) / len(passages) if passages else 0.0,
        cited_chunks=[one.chunk_id for one in used],
        uncited_chunks=[
            one.chunk_id for one, is_cited in zip(passages, cited, strict=True) if not is_cited
        ],
        citation_relevance=sum(weights) / len(weights) if weights else 0.0,
        citations=citations,
        issues=[f"{UNKNOWN_NOTE}:{number}" for number in unknown],
    )


def _citations(weighed: Weighed, reading: Reading) -> Iterator[Citation]:
    sentence, material = weighed.sentence, reading.material
    marked = _named_notes(sentence, reading)
    for number in marked or _used_notes(sentence, reading):
        passage = material.closest(sentence, number)
        yield Citation(
            note_index=number,
            start=sentence.start,
            end=sentence.end,
            marked=bool(marked),
            supported=_supported(weighed, number, marked, reading),
            quote=passage.text if passage and material.support(sentence, number) > 0 else "",
        )


def _named_notes(sentence: AnswerSentence, reading: Reading) -> list[int]:
    titled = [
        number
        for number, title in enumerate(reading.sources.titles[: reading.sources.note_count], 1)
        if f"[{title}]" in sentence.text
    ]
    return list(dict.fromkeys([*sentence.marks, *titled]))


def _used_notes(sentence: AnswerSentence, reading: Reading) -> list[int]:
    if not claims_something(sentence, reading.subject.answer):
        return []
    notes = range(1, reading.sources.note_count + 1)
    return [number for number in notes if uses(reading.material, sentence, number)]


def _supported(
    weighed: Weighed, number: int, marked: Sequence[int], reading: Reading
) -> bool | None:
    """A sentence with several marks may rest on each note in part."""
    sentence, material = weighed.sentence, reading.material
    if not 1 <= number <= material.note_count:
        return False
    if sentence.refusal or not sentence.terms:
        return None
    if claim_alone(weighed, material).is_issue:
        return False
    if not material.comparable:
        return None
    if not _numbers_stand_in(marked or [number], sentence, reading):
        return False
    return material.support(sentence, number) >= (MISPLACED if len(marked) > 1 else UNRELATED)


def _numbers_stand_in(notes: Sequence[int], sentence: AnswerSentence, reading: Reading) -> bool:
    """Whether each figure of the sentence stands in one of these notes, in any spelling."""
    material = reading.material
    alignment = material.aligned(sentence)
    return all(
        any(alignment.notes.note_of[number] in notes for number, _ in places)
        for token, places in zip(alignment.claim.tokens, alignment.places, strict=True)
        if token.value is not None and any(char.isdigit() for char in token.term)
    )


def _used_quotes(reading: Reading) -> set[int]:
    """The numbers of the quotes without a note on which some sentence without marks rests."""
    material, first = reading.material, reading.sources.note_count + 1
    quotes: dict[int, frozenset[str]] = {}
    for passage in material.note_sentences:
        if passage.note_index >= first:
            before = quotes.get(passage.note_index, frozenset())
            quotes[passage.note_index] = before | passage.terms
    used: set[int] = set()
    for sentence in material.sentences:
        if quotes and not sentence.marks and claims_something(sentence, reading.subject.answer):
            overlaps = {number: _overlap(sentence.terms, terms) for number, terms in quotes.items()}
            enough = max(OVERLAP, NEARLY_BEST * max(overlaps.values()))
            used.update(number for number, overlap in overlaps.items() if overlap >= enough)
    return used


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared terms by the terms of the shorter, 0 to 1; one shared word among more is none."""
    shorter = min(len(left), len(right))
    shared = len(left & right)
    return shared / shorter if shorter and shared >= min(2, shorter) else 0.0
