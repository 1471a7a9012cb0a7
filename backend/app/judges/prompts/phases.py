"""The prompts of single phases: claims and their sources, nuggets, next steps.

Claims: one call finds and verifies them, so that each is judged in the words in which it was found.
The reasoning comes before the verdict, and texts are short, so that twenty claims fit into the
2,048 tokens of the reply.

Nuggets: two calls, as in the AutoNuggetizer of the TREC 2024 RAG Track (Pradeep et al. 2024,
arXiv:2411.09607): the first sees question and notes only, so that the nuggets cannot be made
to fit the answer; the second sees the nuggets and the answer.
"""

from collections.abc import Sequence

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages, notes_as_data
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
