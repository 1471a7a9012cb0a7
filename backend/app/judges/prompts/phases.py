"""The prompts of single phases, claims and their sources, nuggets, next steps; and of scores beside
a verdict: of runs, of checklists and of what an answer lacks.

Claims: one call finds and verifies them, so that each is judged in the words in which it was found.
The reasoning comes before the verdict, and texts are short, so that twenty claims fit into the
2,048 tokens of the reply.

Nuggets: two calls, as in the AutoNuggetizer of the TREC 2024 RAG Track (Pradeep et al. 2024,
arXiv:2411.09607): the first sees question and notes only, so that the nuggets cannot be made
to fit the answer; the second sees the nuggets and the answer.

Of scores the reasoning, or the gaps, come first, so that the scores follow from them.
"""

from collections.abc import Mapping, Sequence

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages, notes_as_data, share
from app.ai_router.types import Message
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import MAX_ANSWER_CHARS, AnswerPart
from app.judges.prompts.search_qa_eval import (
    ANSWER_BUDGET,
    NOTES_BUDGET,
    QUESTION_BUDGET,
    about_part,
)

CLAIMS_VERSION, NUGGETS_VERSION, NEXT_STEPS_VERSION = "claims-1", "nuggets-1", "next-steps-1"
MAX_CLAIMS, MAX_NUGGETS, MAX_STEPS = 20, 10, 3
TITLES_SHOWN = 20

_CLAIMS = load_texts(__package__, "claims")
_NUGGETS = load_texts(__package__, "nuggets")
_NEXT_STEPS = load_texts(__package__, "next_steps")


def build_claims(
    subject: AnswerToJudge,
    notes: Sequence[str],
    titles: Sequence[str],
    key: bytes,
    part: AnswerPart | None = None,
) -> list[Message]:
    """The request for the claims of an answer and whether the sources bear them. Titles and notes
    have the same length; `key` seeds the fence. part: what of the answer is shown, None for the
    whole."""
    lang = subject.lang
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "notes": notes_as_data(titles, notes, NOTES_BUDGET),
        "answer": (part.text if part else subject.answer)[:ANSWER_BUDGET],
    }
    system = _CLAIMS["system"][lang].replace("{max_claims}", str(MAX_CLAIMS))
    return fenced_messages(system, about_part(part, lang) + _CLAIMS["user"][lang], material, key)


def build_extraction(
    subject: AnswerToJudge, notes: Sequence[str], titles: Sequence[str], key: bytes
) -> list[Message]:
    """The request for what a complete answer would say. Titles and notes have the same length;
    `key` seeds the fence."""
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "notes": notes_as_data(titles, notes, NOTES_BUDGET),
    }
    system = _NUGGETS["extract"][subject.lang].replace("{max_nuggets}", str(MAX_NUGGETS))
    return fenced_messages(system, _NUGGETS["user"][subject.lang], material, key)


def build_assignment(subject: AnswerToJudge, nuggets: Sequence[str], key: bytes) -> list[Message]:
    """The request to look for the nuggets, numbered from 1, in the answer."""
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "nuggets": [{"nugget": n, "text": text} for n, text in enumerate(nuggets, start=1)],
        "answer": subject.answer[:MAX_ANSWER_CHARS],
    }
    lang = subject.lang
    return fenced_messages(_NUGGETS["assign"][lang], _NUGGETS["user"][lang], material, key)


def build_next_steps(
    subject: AnswerToJudge, missing: Sequence[str], tags: Sequence[str], key: bytes
) -> list[Message]:
    """The request for what the reader may want to ask or do next; `key` seeds the fence."""
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "answer": subject.answer[:MAX_ANSWER_CHARS],
        "missing": list(missing),
        "note_titles": subject.titles[:TITLES_SHOWN],
        "tags": list(tags),
    }
    system = _NEXT_STEPS["system"][subject.lang].replace("{max_steps}", str(MAX_STEPS))
    return fenced_messages(system, _NEXT_STEPS["user"][subject.lang], material, key)


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
