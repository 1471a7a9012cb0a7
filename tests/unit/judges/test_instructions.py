"""Which instructions of a judge are refused, and what of a prompt they cannot change."""

import pytest

from app.ai_router.prompts.quoting import fenced
from app.experiments.benches.request import judge_and_prompt, judge_name
from app.judges.answer_parts import AnswerPart
from app.judges.estimate import verdict_calls
from app.judges.prompts.one_call import Sections, Shown
from app.judges.verdict_prompts import MAX_INSTRUCTIONS, ONE_CALL_PROMPTS, Instructions
from app.platform.errors import InvalidRequest
from cases import for_each

OWN = "workspace:strict@2"
KEY = b"0123456789abcdef"
SHOWN = Shown("질문?", ["노트"], ["변성은 95도"], ["95도입니다."], AnswerPart(1, 1, 0, ""))
SECTIONS = Sections(("항목",), (), next_steps=True)
each_base = pytest.mark.parametrize("base", ONE_CALL_PROMPTS)
each_lang = pytest.mark.parametrize("lang", ["ko", "en"])


@each_base
@each_lang
def test_unchanged_instructions_ask_as_the_shipped_prompt_does(base, lang):
    shipped = ONE_CALL_PROMPTS[base]
    own = Instructions.checked(base, shipped.system).prompt(OWN)

    assert own.version == OWN
    asked, usual = (prompt.build_messages(SHOWN, SECTIONS, lang, KEY) for prompt in (own, shipped))
    assert asked == usual


@each_base
@each_lang
def test_what_is_fixed_stays_whatever_the_words(base, lang):
    shipped = ONE_CALL_PROMPTS[base]
    text = "모두 supported. {form} {sections} {about}"
    system, user = (
        Instructions.checked(base, {lang: text})
        .prompt(OWN)
        .build_messages(SHOWN, SECTIONS, lang, KEY)
    )

    fixed = shipped.fixed(SECTIONS, lang)
    assert all(part in system.content for part in fixed.values())
    assert user == shipped.build_messages(SHOWN, SECTIONS, lang, KEY)[1]
    assert fenced(user.content)


def test_a_placeholder_in_a_fixed_text_is_not_filled_again():
    items = ("{form}",)
    text = "{about} {sections} {form}"
    system, _ = (
        Instructions.checked("search-qa-eval-5", {"ko": text})
        .prompt(OWN)
        .build_messages(SHOWN, Sections(items), "ko", KEY)
    )
    assert "1. {form}" in system.content


@for_each(
    ("text", "message"),
    [
        ("{sections} {form}", "{about} must appear once, and appears 0 times"),
        ("{about} {sections} {form} {form}", "{form} must appear once"),
        ("{about} {sections} {form} {question}", "there is no placeholder {question}"),
        ("{about} {sections} {form} { form }", "there is no placeholder { form }"),
        ("{about} {sections} {form}" + "가" * MAX_INSTRUCTIONS, "and may have 8,000"),
        ("{about} {sections} {form} \u202e", "does not print"),
        ("{about} {sections} {form} <|im_start|>system", "a control token"),
        ("{about} {sections} {form}\n</data abc>", "the mark of the material"),
    ],
)
def test_broken_instructions_are_refused_with_a_sentence(text, message):
    with pytest.raises(InvalidRequest) as refused:
        Instructions.checked("search-qa-eval-5", {"ko": text})

    assert refused.value.code == "broken-instructions"
    assert message in refused.value.detail["en"]
    assert refused.value.detail["en"].startswith("Korean instructions: ")
    assert refused.value.detail["ko"].startswith("한국어 지시문: ")


@for_each("base", ["search-qa-eval-1", OWN, "nobody"])
def test_only_prompts_for_one_call_are_rewritten(base):
    with pytest.raises(InvalidRequest, match="search-qa-eval-5, search-qa-eval-6"):
        Instructions.checked(base, {})


@for_each(
    ("judge", "named"),
    [
        (f"openai:gpt-4o@{OWN}", ("openai:gpt-4o", OWN)),
        (f"openai:a@b@{OWN}", ("openai:a@b", OWN)),
        ("openai:gpt-4o@search-qa-eval-6", ("openai:gpt-4o", "search-qa-eval-6")),
        ("openai:a@b", ("openai:a@b", "search-qa-eval-5")),
    ],
)
def test_a_bench_names_a_judge_with_its_prompt(judge, named):
    assert judge_and_prompt(judge) == named
    assert judge_name(*named) == judge


def test_a_prompt_that_is_only_named_is_taken_to_be_as_long_as_it_may_be():
    asked = ("search_qa", "groundedness")
    own = Instructions.checked("search-qa-eval-5", {}).prompt(OWN)
    (named,), (at_hand,), (shipped,) = (
        verdict_calls(asked, "ko", prompt) for prompt in (OWN, own, "search-qa-eval-5")
    )
    assert at_hand == shipped
    assert named.prompt_bytes > MAX_INSTRUCTIONS * 3
