"""The prompt of one call in fewer tokens: what it sends, and the names that its replies have."""

import json
from typing import Any

import pytest

from app.ai_router.estimate import tokens_in
from app.ai_router.prompts.quoting import fenced
from app.ai_router.providers.forms import strict_output
from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge, untitled
from app.judges.answer_parts import AnswerPart
from app.judges.model.reply import Asked, output_of, read_reply
from app.judges.prompts.one_call import OneCallPrompt, Sections, Shown
from app.judges.prompts.search_qa_eval import NOTES_BUDGET
from app.judges.verdict_prompts import ONE_CALL_PROMPTS
from app.platform.errors import MalformedOutput
from cases import for_each

USUAL, SHORT = ONE_CALL_PROMPTS["search-qa-eval-5"], ONE_CALL_PROMPTS["search-qa-eval-6"]
ALL = Sections(("항목",), (), next_steps=True)
LANGS: tuple[Lang, ...] = ("ko", "en")
each_prompt = pytest.mark.parametrize("prompt", ONE_CALL_PROMPTS.values(), ids=ONE_CALL_PROMPTS)


def sent(
    prompt: OneCallPrompt,
    lang: Lang,
    sections: Sections = ALL,
    titles: tuple[str, ...] = ("PCR",),
    texts: tuple[str, ...] = ("변성은 95도에서 한다.",),
) -> tuple[str, str]:
    """System and user message."""
    answer = "변성은 95도. 신장은 72도."
    shown = Shown("몇 도?", titles, texts, answer.split(" 신"), AnswerPart(1, 1, 0, answer))
    system, user = prompt.build_messages(shown, sections, lang, b"key")
    return system.content, user.content


def form_of(prompt: OneCallPrompt, lang: Lang, sections: Sections) -> str:
    """The example of a reply that its instructions hold."""
    system, _ = sent(prompt, lang, sections)
    return next(line for line in system.splitlines() if line.startswith('{"claims"'))


@each_prompt
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("sections", [Sections(), ALL], ids=["verdict", "all"])
def test_the_form_in_the_instructions_is_that_of_the_schema_and_is_read(prompt, lang, sections):
    form = form_of(prompt, lang, sections)

    reply = read_reply(form, Asked(1, 1, sections, short=prompt.short))
    assert reply.claims[0].note_index == 1
    properties = output_of(sections, short=prompt.short).schema["properties"]
    written: dict[str, Any] = json.loads(form)
    assert list(written) == list(properties)
    assert list(written["claims"][0]) == list(properties["claims"]["items"]["properties"])


@each_prompt
def test_a_reply_in_the_names_of_the_other_prompt_is_refused(prompt):
    form = form_of(prompt, "en", ALL)

    with pytest.raises(MalformedOutput, match=r"not asked for|required"):
        read_reply(form, Asked(1, 1, ALL, short=not prompt.short))


@for_each("name", ["note", "gap", "issues", "used", "queries"])
def test_a_member_under_both_of_its_names_is_refused(name):
    long = {
        "note": "note_index",
        "gap": "reasoning",
        "issues": "grounding_issues",
        "used": "used_notes",
        "queries": "suggested_queries",
    }[name]
    form = form_of(SHORT, "en", ALL)
    both = form.replace(f'"{name}":', f'"{long}":0,"{name}":')

    assert both != form
    with pytest.raises(MalformedOutput, match="not asked for"):
        read_reply(both, Asked(1, 1, ALL, short=True))


@for_each("lang", LANGS)
def test_instructions_and_schema_are_much_shorter(lang):
    def size(prompt: OneCallPrompt, sections: Sections) -> int:
        schema = strict_output(output_of(sections, short=prompt.short))
        messages = "".join(sent(prompt, lang, sections))
        return len(messages.encode()) + len(json.dumps(schema).encode())

    for sections in (Sections(), ALL):
        assert size(SHORT, sections) < 0.75 * size(USUAL, sections)


def test_the_smallest_prompt_for_one_sentence_and_two_notes_takes_at_most_450_tokens():
    notes = (
        "Opening hours of the library.\nMonday to Friday 9 to 20, Saturday 10 to 16.",
        "Loans.\nBooks are lent for four weeks and can be renewed twice.",
    )
    answer = "The library is open from 10 to 16 on Saturdays [note 1]."
    shown = Shown("When does it open?", ("a", "b"), notes, [answer], AnswerPart(1, 1, 0, answer))
    small = ONE_CALL_PROMPTS["search-qa-eval-7"]

    sizes = {
        lang: sum(
            len(message.content.encode())
            for message in small.build_messages(shown, Sections(), lang, b"key")
        )
        for lang in LANGS
    }

    # A vocabulary of 49,152 tokens, that of SmolLM2, has 3.1 bytes of this to a token.
    assert sizes["en"] / 3.1 <= 450
    # As estimates count.
    assert tokens_in(sizes["ko"]) <= 530


@for_each("lang", LANGS)
def test_notes_and_sentences_are_shown_by_number_and_titles_where_there_are_some(lang):
    blank = AnswerToJudge.from_texts("?", "x", ["a", "b"], ["  ", "PCR"], lang=lang)
    _, user = sent(SHORT, lang, titles=tuple(blank.titles), texts=("a", "b"))

    assert blank.titles[0] == untitled(1, lang)
    assert fenced(user) == {
        "question": "몇 도?",
        "notes": {"1": {"text": "a"}, "2": {"title": "PCR", "text": "b"}},
        "sentences": {"1": "변성은 95도.", "2": "장은 72도."},
    }


@for_each("lang", LANGS)
def test_what_a_cut_note_means_is_said_where_one_is_cut_and_not_in_the_instructions(lang):
    long = ("n" * NOTES_BUDGET, "short")
    system, whole = sent(SHORT, lang)
    same, cut = sent(SHORT, lang, titles=("", "b"), texts=long)

    shown = fenced(cut)
    assert isinstance(shown, dict)
    assert [note.get("cut") for note in shown["notes"].values()] == [True, None]
    assert sum(len(note["text"]) for note in shown["notes"].values()) <= NOTES_BUDGET
    assert ('"cut"' in cut[: cut.index("<data ")], '"cut"' in whole) == (True, False)
    assert same == system
