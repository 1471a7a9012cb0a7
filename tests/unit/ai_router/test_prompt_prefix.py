"""What vendors can cache of a prompt: all that comes before the material, which is byte for byte
the same for every answer."""

from collections.abc import Sequence

from app.ai_router.prompts.quoting import fence, without_nonce
from app.ai_router.types import Lang, Message
from cases import for_each
from foreign_prompts import FENCED, QUOTED, Foreign

LANGS: tuple[Lang, ...] = ("ko", "en")
PCR = Foreign(
    question="변성 온도는?",
    answer="변성은 95도에서 합니다. [노트 1]",
    notes=("변성은 95도에서 30초 동안 한다.", "배양기는 37도로 맞춘다."),
    titles=("PCR 조건", "배양기"),
    profile="연구원",
    remarks=("온도", "시간"),
)
LEAVE = Foreign(
    question="How many days of leave are there?",
    answer="There are 15 days.",
    notes=("Everybody has 15 days of leave.",) * 3,
    titles=("Leave", "Holidays", ""),
    profile="new here",
    remarks=("carried over",),
)
# What comes after it are the nonce and the material.
FENCE = "<data "


def sent(messages: Sequence[Message]) -> str:
    return "".join(f"{message.role}\n{message.content}\n" for message in messages)


@for_each("lang", LANGS)
@for_each("name", FENCED)
def test_all_before_the_fence_is_the_same_for_two_answers(name, lang):
    one, other = (sent(FENCED[name](given, lang)) for given in (PCR, LEAVE))

    fixed = one[: one.rindex(f"\n{FENCE}") + 1 + len(FENCE)]
    assert other.startswith(fixed)
    assert fixed.startswith("system\n")


@for_each("lang", LANGS)
@for_each("name", QUOTED)
def test_prompts_that_write_begin_with_the_same_instructions(name, lang):
    _, build = QUOTED[name]
    (system, *_), (other, *_) = build(PCR, lang), build(LEAVE, lang)

    assert system.role == "system"
    assert system == other


@for_each("lang", LANGS)
@for_each("name", FENCED)
def test_most_of_the_instructions_come_before_the_material(name, lang):
    whole = sent(FENCED[name](PCR, lang))

    before, after = whole.index(f"\n{FENCE}"), whole[whole.rindex("</data ") :]
    assert before > 5 * len(after)


def test_without_its_nonce_a_prompt_is_the_same_whatever_the_key():
    material = {"answer": "<data 0123456789abcdef01234567>\n</data>"}
    one, other = (f"Judge:\n\n{fence(material, key)}\n\nNow." for key in (b"one", b"other"))

    assert one != other
    assert without_nonce(one) == without_nonce(other)


def test_material_that_differs_in_what_looks_like_a_nonce_stays_different():
    prompts = [f"Judge:\n\n{fence({'answer': f'<data {digit * 24}>'}, b'key')}" for digit in "ab"]

    assert len(set(map(without_nonce, prompts))) == 2


def test_a_prompt_without_a_fence_is_left_as_it_is():
    prompt = "Judge what stands between a <data …> line and a </data …> line."
    assert without_nonce(prompt) == prompt
