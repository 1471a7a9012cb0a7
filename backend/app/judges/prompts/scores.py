"""The prompts of scores beside a verdict: of runs, of checklists and of what an answer lacks.

In each the reasoning, or the gaps, come before the scores, so that those follow from them.
"""

from collections.abc import Mapping, Sequence

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages, share
from app.ai_router.types import Message
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import MAX_ANSWER_CHARS, AnswerPart
from app.judges.prompts.search_qa_eval import (
    ANSWER_BUDGET,
    NOTES_BUDGET,
    QUESTION_BUDGET,
    about_part,
)

FAITHFULNESS_VERSION, RELEVANCY_VERSION = "faithfulness-1", "answer-relevancy-1"
CHECKLIST_VERSION, REFINEMENT_VERSION = "quality-eval-1", "refine-eval-1"

# A checklist is of requests too, which are longer than questions.
REQUEST_BUDGET = 12_000
# At most so many documents are shown to a refinement, so much of each.
TOP_DOCUMENTS = 5
DOCUMENT_CHARS = 500
TITLE_CHARS = 200
PROFILE_BUDGET = 1_000

_FAITHFULNESS = load_texts(__package__, "faithfulness")
_RELEVANCY = load_texts(__package__, "answer_relevancy")
_CHECKLIST = load_texts(__package__, "quality_eval")
_REFINEMENT = load_texts(__package__, "refine_eval")


def build_faithfulness(
    subject: AnswerToJudge, key: bytes, part: AnswerPart | None = None
) -> list[Message]:
    """How far an answer rests on the chunks that a search found: the notes, best first. `key` seeds
    the fence. part: what of the answer is shown, None for the whole."""
    chunks, lang = subject.contents, subject.lang
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "context": [
            {"chunk": number, "content": cut, "cut": len(cut) < len(chunk)}
            for number, (cut, chunk) in enumerate(
                zip(share(chunks, NOTES_BUDGET), chunks, strict=True), start=1
            )
        ],
        "answer": (part.text if part else subject.answer)[:ANSWER_BUDGET],
    }
    user = about_part(part, lang) + _FAITHFULNESS["user"][lang]
    return fenced_messages(_FAITHFULNESS["system"][lang], user, material, key)


def build_relevancy(subject: AnswerToJudge, key: bytes) -> list[Message]:
    """How well an answer replies to its question. The model does not see what the answer was made
    from, so that it judges nothing else."""
    lang = subject.lang
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "answer": subject.answer[:MAX_ANSWER_CHARS],
    }
    return fenced_messages(_RELEVANCY["system"][lang], _RELEVANCY["user"][lang], material, key)


def build_checklist(subject: AnswerToJudge, items: Sequence[str], key: bytes) -> list[Message]:
    """The request to tick a checklist; `items` are numbered from 1."""
    numbered = "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))
    material = {
        "feature": subject.feature,
        "request": subject.question[:REQUEST_BUDGET],
        "note_titles": [note.title for note in subject.notes],
        "answer": subject.answer[:MAX_ANSWER_CHARS],
    }
    system = _CHECKLIST["system"][subject.lang].replace("{items}", numbered)
    return fenced_messages(system, _CHECKLIST["user"][subject.lang], material, key)


def build_refinement(
    subject: AnswerToJudge,
    profile: str | None,
    previous_feedback: Mapping[str, Sequence[str]] | None,
    key: bytes,
) -> list[Message]:
    """What an answer lacks, so that a better search can find it. The notes are the documents, best
    first; previous_feedback: lists of texts by name."""
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "documents": [
            {
                "number": number,
                "title": note.title[:TITLE_CHARS],
                "content": note.content[:DOCUMENT_CHARS],
                "cut": len(note.content) > DOCUMENT_CHARS,
            }
            for number, note in enumerate(subject.notes[:TOP_DOCUMENTS], start=1)
        ],
        "profile": profile[:PROFILE_BUDGET] if profile else None,
        "previous_feedback": previous_feedback,
        "answer": subject.answer[:MAX_ANSWER_CHARS],
    }
    lang = subject.lang
    return fenced_messages(_REFINEMENT["system"][lang], _REFINEMENT["user"][lang], material, key)
