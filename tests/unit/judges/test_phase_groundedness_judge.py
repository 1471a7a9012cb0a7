"""Phase 3 by a model: what it says of claims is held against answer and notes."""

import json
from collections.abc import Sequence

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import MAX_PARTS
from app.judges.phases.groundedness import AnswerClaim, Phase3Result, judge_groundedness
from app.judges.phases.reading import Reading
from app.judges.quotes import Locator
from app.platform.errors import MalformedOutput, TransientProviderError
from app.text.evidence import Evidence
from cases import for_each
from scripted_router import ScriptedRouter

KEY = b"0123456789abcdef"
NOTES = ["어닐링 온도는 58도이다.", "신장은 **72도**에서 1분."]
ANSWER = "어닐링은 58도입니다 [노트 1]. 신장은 72도입니다. 총 40회 반복합니다."


def reading(answer: str = ANSWER, notes: Sequence[str] = NOTES, *evidence: Evidence) -> Reading:
    titles = ["PCR", "신장"]
    return Reading(AnswerToJudge.from_texts("조건은?", answer, notes, titles, evidence=evidence))


def claim(text: str, **changes: object) -> dict[str, object]:
    whole = {
        "text": text,
        "reasoning": "노트 1에 있습니다.",
        "note_index": 1,
        "quote": "온도는 58도",
        "verdict": "supported",
    }
    return whole | changes


FIRST = claim("어닐링은 58도입니다")
SECOND = claim("신장은 72도입니다.", note_index=2, quote="신장은 72도에서")
INVENTED = claim("총 40회 반복합니다.", note_index=0, quote="", verdict="unsupported")


def written(*claims: dict[str, object]) -> str:
    return json.dumps({"claims": claims}, ensure_ascii=False)


async def judged(*claims: dict[str, object], answer: str = ANSWER) -> Phase3Result:
    router = ScriptedRouter(written(*claims))
    return await judge_groundedness(router, reading(answer), KEY)


async def test_claims_with_place_note_and_quote():
    result = await judged(FIRST, SECOND, INVENTED)
    assert result.groundedness == pytest.approx(2 / 3)
    assert result.supported_claims == ["어닐링은 58도입니다", "신장은 72도입니다."]
    assert result.unsupported_claims == ["총 40회 반복합니다."]
    assert result.flags == []
    assert result.claims[0] == AnswerClaim(
        text="어닐링은 58도입니다",
        verdict="supported",
        note_index=1,
        quote="온도는 58도",
        quote_found=True,
        start=0,
        end=11,
        reasoning="노트 1에 있습니다.",
        source="judge",
    )
    assert [ANSWER[one.start : one.end] for one in result.claims] == [
        "어닐링은 58도입니다",
        "신장은 72도입니다.",
        "총 40회 반복합니다.",
    ]
    assert result.claims[2].quote_found is None
    assert result.claims[2].note_index is None


async def test_one_call_is_made_with_the_settings_of_a_judge():
    router = ScriptedRouter(written(FIRST))
    await judge_groundedness(router, reading(), KEY)
    (asked,) = router.asked
    assert (asked.temperature, asked.max_tokens) == (0.1, 2048)
    assert asked.output.name == "claims"


@for_each("quote", ["온도는 62도", "", "...", "는", "도", "도에서", "58"])
async def test_support_without_a_quote_that_is_there_is_partial_at_most(quote):
    result = await judged(FIRST | {"quote": quote}, SECOND)
    assert [one.verdict for one in result.claims] == ["partly", "supported"]
    assert result.claims[0].quote_found is (False if quote else None)
    assert result.flags == ["quote_not_found:1"]
    assert result.groundedness == 0.5


@for_each(
    ("said", "note", "flags"),
    [
        (FIRST | {"note_index": 2}, 1, ["quote_in_other_note:1"]),
        (SECOND | {"note_index": 0}, 2, []),
    ],
)
async def test_a_quote_names_its_note(said, note, flags):
    result = await judged(said)
    assert (result.claims[0].note_index, result.claims[0].quote_found) == (note, True)
    assert result.flags == flags


async def test_a_claim_that_is_not_in_the_answer_has_no_place():
    result = await judged(claim("어닐링 온도가 높다."))
    assert (result.claims[0].start, result.claims[0].end) == (None, None)
    assert result.flags == ["claim_not_in_answer:1"]


async def test_no_claims_are_nothing_to_check():
    result = await judged()
    assert (result.groundedness, result.claims) == (None, [])


@for_each(
    "reply",
    [
        written(FIRST | {"note_index": 3}),
        written(FIRST | {"note_index": -1}),
        written(FIRST | {"verdict": "true"}),
        written(FIRST | {"text": ""}),
        written(*[FIRST] * 41),
        '{"claims": [{"text": "어닐링"',
        f"{written(FIRST)} {written(FIRST)}",
    ],
)
async def test_a_reply_of_another_form_is_asked_for_once_more(reply):
    router = ScriptedRouter(reply, written(FIRST))
    result = await judge_groundedness(router, reading(), KEY)
    assert result.groundedness == 1.0
    with pytest.raises(MalformedOutput):
        await judge_groundedness(ScriptedRouter(reply, reply), reading(), KEY)


async def test_other_failures_of_the_model_are_raised():
    with pytest.raises(TransientProviderError):
        await judge_groundedness(ScriptedRouter(TransientProviderError("busy")), reading(), KEY)


@pytest.mark.parametrize(
    ("answer", "notes", "flags"), [("", NOTES, []), (ANSWER, ["", " "], ["no_sources"])]
)
async def test_no_call_is_made_without_material(answer, notes, flags):
    router = ScriptedRouter()
    result = await judge_groundedness(router, reading(answer, notes), KEY)
    assert (result.groundedness, result.flags, router.asked) == (None, flags, [])


async def test_all_parts_of_a_long_answer_are_judged_and_claims_have_places_in_all_of_it():
    lie = "총 40회 반복합니다."
    answer = ANSWER + " 어닐링은 58도입니다." * 1_000 + f" {lie}"
    router = ScriptedRouter(written(FIRST), written(INVENTED))
    result = await judge_groundedness(router, reading(answer), KEY)
    assert result.flags == []
    assert [one.verdict for one in result.claims] == ["supported", "unsupported"]
    assert (result.claims[1].start, result.claims[1].end) == (len(answer) - len(lie), len(answer))
    assert result.groundedness == 0.5
    assert all("2" in one.messages[1].content.partition("<data")[0] for one in router.asked)


async def test_beyond_the_last_part_the_answer_is_not_judged_and_says_so():
    router = ScriptedRouter(*[written(FIRST)] * MAX_PARTS)
    answer = ANSWER + " 가" * 50_000
    result = await judge_groundedness(router, reading(answer), KEY)
    assert result.flags[0] == "answer_cut"
    assert len(router.asked) == MAX_PARTS


async def test_a_quote_of_evidence_without_a_note_has_no_note_index():
    web = Evidence("web", "low", "총 40회 반복한다", method="client")
    router = ScriptedRouter(written(INVENTED | {"note_index": 3, "quote": "총 40회"}))
    result = await judge_groundedness(router, reading(ANSWER, NOTES, web), KEY)
    assert (result.claims[0].quote_found, result.claims[0].note_index) == (True, None)


@for_each(
    ("text", "passage", "found"),
    [
        ("가나 다라.", "다라", "다라"),
        ("값은 **58도** 이다.", "값은 58도이다", "값은 **58도** 이다"),
        ("값은\n58도", "값은 58도", "값은\n58도"),
        ("값은 58도[노트 1]이다.", "값은 58도이다.", "값은 58도[노트 1]이다"),
        ("값은 “58도”라고 썼다", '값은 "58도"라고', "값은 “58도”라고"),
        ("The Value is 5", "the value", "The Value"),
        ("caf\u0065\u0301 58", "café", "caf\u0065\u0301"),
        ("\u1112\u1161\u11ab글", "한글", "\u1112\u1161\u11ab글"),
    ],
)
def test_copies_are_found_whatever_their_spacing_and_marks(text, passage, found):
    place = Locator(text).find(passage)
    assert place is not None
    assert text[slice(*place)] == found


@for_each("passage", ["", " ", "…", "**", "[노트 1]", "62도"])
def test_what_is_not_there_has_no_place(passage):
    assert Locator("값은 58도이다.").find(passage) is None


def test_repeated_passages_are_found_in_turn():
    locator = Locator("가 나 가 나 가")
    assert [locator.find(passage) for passage in "가나가가"] == [(0, 1), (2, 3), (4, 5), (8, 9)]
    assert locator.find("나") == (6, 7)
    assert locator.find("나") == (2, 3)
