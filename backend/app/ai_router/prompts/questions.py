"""The prompts that ask a model for questions: to search with, to understand, to test by."""

from collections.abc import Mapping, Sequence

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages
from app.ai_router.types import Lang, Message
from app.text.turns import Turn

# Enough to show what was said already; more would draw the query towards the bad answer.
PREVIOUS_ANSWER_CHARS = 200
QUESTION_BUDGET = 4_000
PROFILE_BUDGET = 1_000
PASSAGE_BUDGET = 8_000
TITLE_BUDGET = 300

_REWRITE = load_texts(__package__, "query_rewrite")
_STANDALONE = load_texts(__package__, "standalone")
_GENERATION = load_texts(__package__, "question_generation")
RE_ASK = _GENERATION["re_ask"]


def rewrite_messages(
    question: str,
    previous_answer: str,
    missing_info: Sequence[str],
    improvement_suggestions: Sequence[str],
    profile: str | None,
    slots: Mapping[str, str],
    iteration: int,
    lang: Lang,
    key: bytes,
) -> list[Message]:
    """To word a search again so that it finds what an answer lacks. slots: values by their name in
    `lang`; `key` seeds the fence."""
    material = {
        "question": question[:QUESTION_BUDGET],
        "previous_answer": previous_answer[:PREVIOUS_ANSWER_CHARS],
        "missing_info": list(missing_info),
        "improvement_suggestions": list(improvement_suggestions),
        "profile": profile[:PROFILE_BUDGET] if profile else None,
        "slots": dict(slots),
        "iteration": iteration,
    }
    return fenced_messages(_REWRITE["system"][lang], _REWRITE["user"][lang], material, key)


def standalone_messages(
    question: str, turns: Sequence[Turn], lang: Lang, key: bytes
) -> list[Message]:
    """To reword a follow-up question so that it stands alone; `key` seeds the fence."""
    history = [{"question": turn.question, "answer": turn.answer} for turn in turns]
    material = {"history": history, "question": question}
    return fenced_messages(_STANDALONE["system"][lang], _STANDALONE["user"][lang], material, key)


def generation_messages(
    title: str, passage: str, count: int, lang: Lang, key: bytes
) -> list[Message]:
    """For test questions that one passage answers. lang: of the questions; `key` seeds the
    fence."""
    material = {"title": title[:TITLE_BUDGET], "passage": passage[:PASSAGE_BUDGET]}
    system = _GENERATION["system"][lang].replace("{count}", str(count))
    return fenced_messages(system, _GENERATION["user"][lang], material, key)
