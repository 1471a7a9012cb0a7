"""Whether searching again found what was missing, and what is relevant.

    targeted retrieval   missing information that the search made for it found / all of it, over
                         all searches after the first
    precision            relevant notes found by a search / notes found by it
    recall               relevant notes found by a search / relevant notes

Relevant are the notes that a dataset with this question names. Where none does, relevance is read
from words: a note is relevant that holds the question's matter or something that an evaluation
found missing. Recall then counts only the notes that some round has found, as pooling does in TREC
(Voorhees and Harman 2005), so it compares rounds and says nothing of notes that no search found.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from app.answering.refine.state import Iteration, RefinementState
from app.judges.published.refinement import Document
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.morphemes import morphemes_of_many

# A note holds a text when it has this share of its content words.
HELD = 0.5

Relevance = Literal["ground_truth", "words"]


@dataclass(frozen=True, slots=True)
class RetrievalGain:
    """Figures from 0 to 1. None: not to be measured, as where no search was made again, a search
    found nothing, or no note is relevant."""

    relevance: Relevance | None = None
    targeted_retrieval: float | None = None
    first_precision: float | None = None
    first_recall: float | None = None
    last_precision: float | None = None
    last_recall: float | None = None


def retrieval_gain(state: RefinementState, relevant: frozenset[str] | None = None) -> RetrievalGain:
    """What the searches of a refinement found. relevant: ids of the notes that answer the question,
    None where nobody knows. Blocks for some milliseconds for each note."""
    words = _Words()
    searches = [each.documents or () for each in state.iterations if _has_searched(each)]
    if relevant is None:
        found = [_by_content(documents) for documents in searches]
        matter = [state.question, *_all_missing(state)]
        pool = {content: one for each in found for content, one in each.items()}
        relevant = frozenset(
            content
            for content, one in pool.items()
            if any(words.held(text, one) for text in matter)
        )
        relevance: Relevance = "words"
    else:
        found = [{one.id: one for one in documents} for documents in searches]
        relevance = "ground_truth"
    return RetrievalGain(
        relevance if relevant and found else None,
        _targeted(state, words.held),
        *_precision_and_recall(found[0] if found else None, relevant),
        *_precision_and_recall(found[-1] if len(found) > 1 else None, relevant),
    )


def _has_searched(iteration: Iteration) -> bool:
    return iteration.searched and iteration.documents is not None


def _by_content(documents: Iterable[Document]) -> dict[str, Document]:
    """Not by id: notes that another application sent have none of ours."""
    return {one.content: one for one in documents}


def _precision_and_recall(
    found: Collection[str] | None, relevant: frozenset[str]
) -> tuple[float | None, float | None]:
    if found is None or not relevant:
        return None, None
    hits = len(relevant.intersection(found))
    return hits / len(found) if found else None, hits / len(relevant)


def _targeted(state: RefinementState, held: Callable[[str, Document], bool]) -> float | None:
    wanted = found = 0
    for before, after in zip(state.iterations, state.iterations[1:], strict=False):
        if not after.searched or after.documents is None or before.evaluation is None:
            continue
        missing = before.evaluation.missing_info
        wanted += len(missing)
        found += sum(any(held(item, one) for one in after.documents) for item in missing)
    return found / wanted if wanted else None


def _all_missing(state: RefinementState) -> Iterable[str]:
    for _, evaluation in state.evaluations:
        yield from evaluation.missing_info


class _Words:
    """The content words of texts, each analysed once."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def held(self, text: str, document: Document) -> bool:
        wanted = self._of(text) - FRAMING - ASKING
        return bool(wanted) and len(wanted & self._of(_whole(document))) >= HELD * len(wanted)

    def _of(self, text: str) -> frozenset[str]:
        if text not in self._known:
            (terms,) = morphemes_of_many([text])
            self._known[text] = frozenset(terms)
        return self._known[text]


def _whole(document: Document) -> str:
    return f"{document.title}\n{document.content}"
