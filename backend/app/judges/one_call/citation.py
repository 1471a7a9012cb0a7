"""Phase 1 by what a model says of the sentences: which notes they use, and whether marks hold."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from app.judges.answer import AnswerToJudge
from app.judges.one_call.claims import Checked, JudgedSentence
from app.judges.phases.citation import Citation, Phase1Result, cited_result


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
