"""The prompts of answers: from notes and from nothing else, insights, and help with writing; and
those that ask a model for questions: to search with, to understand, to test by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages, one_line, quote, without_tags
from app.ai_router.types import Lang, Message
from app.text.language import note_mark
from app.text.turns import Turn

_SEARCH_QA = load_texts(__package__, "search_qa")
_INSIGHT = load_texts(__package__, "insight")
_WRITING = load_texts(__package__, "writing")

_QUESTION: Mapping[Lang, str] = {"ko": "질문", "en": "Question"}
_TOPIC: Mapping[Lang, str] = {"ko": "주제", "en": "Topic"}
_NO_NOTES: Mapping[Lang, str] = {"ko": "(찾은 노트가 없습니다.)", "en": "(No notes were found.)"}


@dataclass(frozen=True, slots=True)
class Revision:
    """An answer that is to be written anew, and what it lacks, one line each."""

    answer: str
    feedback: Sequence[str]


def search_qa_messages(
    question: str,
    notes: Sequence[tuple[str, str]],
    lang: Lang,
    guidance: str = "",
    revises: Revision | None = None,
) -> list[Message]:
    """notes: (title, content) pairs; the first is [노트 1], in English [Note 1]. guidance: what a
    domain pack says of the situation, and the passages it says it of. revises: the answer before
    this one."""
    asked = _about_notes(question, notes, lang, guidance, _QUESTION[lang])
    if revises:
        asked += f"\n\n{_revision(revises, lang)}"
    return [Message("system", _SEARCH_QA["system"][lang]), Message("user", asked)]


def insight_messages(content: str, lang: Lang) -> list[Message]:
    """content: the text to read."""
    return _insight(lang, "of_text", quote("text", content))


def insight_messages_from_notes(
    topic: str, notes: Sequence[tuple[str, str]], lang: Lang, guidance: str = ""
) -> list[Message]:
    """As search_qa_messages; topic: what was asked."""
    user = _about_notes(topic, notes, lang, guidance, _TOPIC[lang])
    return _insight(lang, "of_notes", user)


def writing_messages(content: str, lang: Lang) -> list[Message]:
    """content: what the user wrote, a draft or a request."""
    return [Message("system", _WRITING["system"][lang]), Message("user", quote("text", content))]


def _insight(lang: Lang, material: str, user: str) -> list[Message]:
    system = f"{_INSIGHT['system'][lang]}\n{_INSIGHT[material][lang]}"
    return [Message("system", system), Message("user", user)]


def _about_notes(
    question: str, notes: Sequence[tuple[str, str]], lang: Lang, guidance: str, label: str
) -> str:
    """Notes and guidance, then the question behind its label."""
    material = _note_blocks(notes, lang) or _NO_NOTES[lang]
    if guidance:
        # It quotes notes, so it is material too.
        material += f"\n\n{without_tags('note', guidance)}"
    return f"{material}\n\n{label}: {without_tags('note', question)}"


def _revision(revises: Revision, lang: Lang) -> str:
    """What a judge found is as untrusted as the answer that it read."""
    feedback = "\n".join(f"- {one_line(each)}" for each in revises.feedback)
    draft = quote("draft", without_tags("note", revises.answer))
    found = quote("feedback", without_tags("note", feedback))
    return f"{_SEARCH_QA['revise'][lang]}\n{draft}\n{found}"


def _note_blocks(notes: Sequence[tuple[str, str]], lang: Lang) -> str:
    """The notes as prompts show them: mark and title, then the quoted content."""
    return "\n\n".join(
        f"{note_mark(number, lang)} {without_tags('note', one_line(title))}".rstrip()
        + f"\n{quote('note', content)}"
        for number, (title, content) in enumerate(notes, 1)
    )


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
