"""A verdict, its checklist and its phases from one reply of a model."""

import json
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from app.ai_router.prompts.quoting import fenced
from app.ai_router.providers.failures import failure
from app.ai_router.types import ChatRequest
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import MAX_SENTENCES, PART_CHARS, answer_parts, sentences_of
from app.judges.judge import Evaluators, Judgement
from app.judges.model.one_call import OneCallJudge
from app.judges.prompts.one_call import OPTIONAL
from app.judges.verdict_prompts import ONE_CALL_PROMPTS, with_instructions
from app.platform.errors import MalformedOutput, PermanentProviderError
from app.platform.processes.calls import Limits
from app.text.evidence import Evidence
from app.text.packs.loader import load_pack
from app.text.packs.models import DomainPack
from app.text.turns import Turn
from app.verdicts.judging.rules_judge import RulesJudge
from cases import for_each
from judge_replies import in_short_form, sentences_in
from scripted_router import ScriptedRouter

PCR = "변성은 95도에서 30초 동안 진행합니다. 신장은 72도에서 1분 진행합니다."
INCUBATOR = "CO2 배양기는 37도, CO2 5 %로 유지합니다. 문을 오래 열어 두지 않습니다."
ANSWER = "CO2 배양기의 최적 온도는 72도입니다. [노트 1] 변성은 95도에서 합니다. [노트 2]"
ALL: Evaluators = (
    "quality_gate",
    "search_qa",
    "citation",
    "completeness",
    "groundedness",
    "next_steps",
)

Json = dict[str, Any]


def claim(sentence: int, note: int, quote: str, verdict: str, reasoning: str = "") -> Json:
    return {
        "sentence": sentence,
        "note_index": note,
        "quote": quote,
        "reasoning": reasoning,
        "verdict": verdict,
    }


FALSE = claim(1, 1, "CO2 배양기는 37도", "unsupported", "노트는 37도라고 함")
TRUE = claim(2, 2, "변성은 95도에서 30초", "supported")


def reply(*claims: Json, **changes: object) -> Json:
    whole = {
        "claims": list(claims),
        "grounding_issues": [],
        "used_notes": [],
        "nuggets": [],
        "checklist": [{"item": n, "reason": "예", "passed": n != 4} for n in range(1, 5)],
        "next_steps": {"suggested_queries": [], "action_items": [], "urgency": "low"},
        "summary": "요약",
        "utility": 0.9,
    }
    return whole | changes


def subject(answer: str = ANSWER, **changes: Any) -> AnswerToJudge:
    return AnswerToJudge.from_texts(
        "CO2 배양기의 최적 온도는?", answer, [INCUBATOR, PCR], ["배양기", "PCR"], **changes
    )


class Judged(Protocol):
    async def __call__(
        self,
        given: Json | Callable[[ChatRequest], Json],
        answer: AnswerToJudge | None = None,
        evaluators: Evaluators = ALL,
        pack: DomainPack | None = None,
    ) -> tuple[Judgement, ScriptedRouter]: ...


@pytest.fixture(params=ONE_CALL_PROMPTS)
def judged(request: pytest.FixtureRequest) -> Judged:
    """Judges by a reply in the form of the prompt; what it means is the same for all of them."""
    prompt = ONE_CALL_PROMPTS[request.param]

    async def judge(
        given: Json | Callable[[ChatRequest], Json],
        answer: AnswerToJudge | None = None,
        evaluators: Evaluators = ALL,
        pack: DomainPack | None = None,
    ) -> tuple[Judgement, ScriptedRouter]:
        def respond(request: ChatRequest) -> str:
            reply = given(request) if callable(given) else given
            return json.dumps(in_short_form(reply) if prompt.short else reply, ensure_ascii=False)

        router, pack = ScriptedRouter(respond=respond), pack or load_pack("generic")
        judge = OneCallJudge(router, pack, fence_key=b"key", prompt=prompt.version)
        return await judge.judge(answer or subject(), evaluators), router

    return judge


async def test_one_call_gives_verdict_checklist_and_phases_that_agree(judged):
    nuggets = [
        {"text": "최적 온도", "support": "partly"},
        {"text": "CO2 농도", "support": "supported"},
    ]
    steps = {"suggested_queries": ["농도는?"], "action_items": [], "urgency": "medium"}
    found, router = await judged(reply(FALSE, TRUE, nuggets=nuggets, next_steps=steps))

    assert len(router.asked) == 1
    evaluation, quality, feedback = found.evaluation, found.quality, found.feedback
    assert (evaluation.correctness, evaluation.confidence) == (0.5, "medium")
    assert evaluation.grounding_issues == [
        "CO2 배양기의 최적 온도는 72도입니다. (노트는 37도라고 함)"
    ]
    assert (quality.passed, quality.pass_ratio) == (True, 0.75)
    assert [(c.note_index, c.marked, c.supported) for c in feedback.phase1.citations] == [
        (1, True, False),
        (2, True, True),
    ]
    assert feedback.phase2.completeness == 0.75
    assert feedback.phase3.groundedness == 0.5
    assert [ANSWER[c.start : c.end] for c in feedback.phase3.claims] == [
        "CO2 배양기의 최적 온도는 72도입니다.",
        "변성은 95도에서 합니다.",
    ]
    assert feedback.phase4.suggested_queries == ["농도는?"]
    assert feedback.overall_score == pytest.approx(0.2 + 0.3 * 0.75 + 0.4 * 0.5 + 0.1)
    assert set(feedback.sources.values()) == {"judge"}


async def test_high_confidence_takes_every_claim_supported_with_its_quote(judged):
    both = "CO2 배양기는 37도로 유지합니다. [노트 1] 변성은 95도에서 합니다. [노트 2]"
    first = claim(1, 1, "CO2 배양기는 37도", "supported")
    high, _ = await judged(reply(first, TRUE), subject(both))
    assert (high.evaluation.correctness, high.evaluation.confidence) == (1.0, "high")
    assert [one.cited for one in high.evaluation.source_coverage] == [True, True]

    invented = claim(1, 1, "배양기는 언제나 37도로 맞춘다", "supported")
    doubted, _ = await judged(reply(invented, TRUE), subject(both))
    assert (doubted.evaluation.correctness, doubted.evaluation.confidence) == (0.75, "medium")
    assert doubted.evaluation.flags == ["quote_not_found:1"]


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({"grounding_issues": ["두 노트를 잘못 이어 붙임"]}, ["score_contradicts_issues"]),
        ({"claims": [claim(1, 0, "", "no_claim"), TRUE]}, ["claim_not_judged:1"]),
        (
            {"claims": [claim(1, 0, "", "no_claim"), claim(2, 0, "", "no_claim")]},
            ["claim_not_judged:1", "claim_not_judged:2", "nothing_claimed"],
        ),
    ],
)
async def test_whatever_was_not_compared_is_never_high(judged, changes, flags):
    both = "CO2 배양기는 37도로 유지합니다. [노트 1] 변성은 95도에서 합니다. [노트 2]"
    claims = {"claims": [claim(1, 1, "CO2 배양기는 37도", "supported"), TRUE]}
    found, _ = await judged(reply(**claims | changes), subject(both))

    assert found.evaluation.correctness == 1.0
    assert found.evaluation.confidence == "medium"
    assert found.evaluation.flags == flags


async def test_a_mark_to_a_note_that_does_not_exist_is_an_issue(judged):
    marked = "변성은 95도에서 합니다. [노트 7]"
    found, _ = await judged(reply(TRUE | {"sentence": 1}), subject(marked))

    assert found.evaluation.grounding_issues == ["답변이 없는 노트를 출처로 표시합니다: 7번"]
    assert found.evaluation.confidence == "medium"
    assert found.feedback.phase1.issues == ["citation_unknown_note:7"]


# What the model says of the first sentence of ANSWER, marked with note 1, and its fault.
FAULTS: list[tuple[Json, str | None]] = [
    (FALSE | {"fault": "contradicted"}, "contradicted"),
    (FALSE | {"fault": "not_in_notes"}, "not_in_notes"),
    (FALSE, "contradicted"),
    (FALSE | {"fault": "invented"}, "contradicted"),
    (FALSE | {"fault": None}, "contradicted"),
    (FALSE | {"verdict": "partly"}, "not_in_notes"),
    (FALSE | {"verdict": "partly", "fault": "contradicted"}, "contradicted"),
    # The model names the note, but not its words.
    (FALSE | {"quote": "", "fault": "contradicted"}, "contradicted"),
    (claim(1, 0, "", "unsupported") | {"fault": "contradicted"}, "not_in_notes"),
    (claim(1, 0, "", "unsupported"), "not_in_notes"),
    # Note 2 has the words.
    (claim(1, 2, "신장은 72도에서 1분", "partly"), "misattributed"),
    # A word of the model that its quote does not bear out; what no note says is nobody else's.
    (claim(1, 2, "신장은 72도에서 1분", "unsupported") | {"fault": "not_in_notes"}, "not_in_notes"),
    (FALSE | {"fault": "stitched"}, "not_in_notes"),
    (claim(1, 2, "신장은 72도에서 1분", "unsupported") | {"fault": "contradicted"}, "contradicted"),
    (claim(1, 0, "CO2 배양기는 37도 … 신장은 72도에서", "unsupported"), "stitched"),
    # Nothing but words of one note is joined.
    (claim(1, 0, "CO2 배양기는 37도 … 문을 오래 열어", "unsupported"), "contradicted"),
    (claim(1, 1, "CO2 배양기는 37도", "supported") | {"fault": "contradicted"}, None),
]


@for_each(("first", "fault"), FAULTS, ids=lambda case: str(case))
async def test_doubtful_claims_have_a_fault(judged, first, fault):
    answer = "CO2 배양기의 최적 온도는 37도입니다. [노트 1] 변성은 95도에서 합니다. [노트 2]"
    found, _ = await judged(reply(first, TRUE), subject(answer if fault is None else ANSWER))

    claims = found.feedback.phase3.claims
    assert [claim.fault for claim in claims] == [fault, None]
    assert (claims[0].verdict == "supported") is (fault is None)


REFUSAL = "노트에서 배양기의 최적 온도를 찾을 수 없습니다."
REFUTED = claim(1, 1, "CO2 배양기는 37도", "unsupported", "노트에 37도라고 적혀 있음")


@for_each(
    ("answer", "claims", "outcome", "flags"),
    [
        # By the model's word or the answer's, and among greetings.
        (REFUSAL, [claim(1, 0, "", "no_claim")], "rightly_refused", []),
        (REFUSAL, [claim(1, 0, "", "supported")], "rightly_refused", []),
        ("알 길이 없네요.", [claim(1, 0, "", "no_claim")], None, ["nothing_claimed"]),
        (
            "알 길이 없네요.",
            [claim(1, 0, "", "no_claim") | {"fault": "refusal"}],
            "rightly_refused",
            [],
        ),
        (
            f"안녕하세요! {REFUSAL}",
            [claim(1, 0, "", "no_claim"), claim(2, 0, "", "no_claim")],
            "rightly_refused",
            [],
        ),
        # The notes do tell, and their words are shown.
        (REFUSAL, [REFUTED], "falsely_refused", []),
        (REFUSAL, [REFUTED | {"fault": "refusal"}], "falsely_refused", []),
        # The model says so without their words.
        (
            REFUSAL,
            [claim(1, 1, "", "unsupported") | {"fault": "refusal"}],
            None,
            ["claim_not_judged:1", "nothing_claimed"],
        ),
        # Half of the question, and amidst an answer.
        (f"{REFUSAL} 변성은 95도에서 합니다.", [claim(1, 0, "", "no_claim"), TRUE], None, []),
        (f"{REFUSAL} 변성은 95도에서 합니다.", [REFUTED, TRUE], None, []),
    ],
    ids=lambda case: f"{case[2]}: {case[1][0]}",
)
async def test_a_refusal_is_right_or_false(judged, answer, claims, outcome, flags):
    found, _ = await judged(reply(*claims), subject(answer))

    evaluation = found.evaluation
    assert (evaluation.outcome, evaluation.flags) == (outcome, flags)
    assert (evaluation.confidence == "low") is (outcome == "falsely_refused")
    if outcome == "falsely_refused":
        (said,) = found.feedback.phase3.claims
        assert (said.fault, said.note_index, said.quote) == ("contradicted", 1, REFUTED["quote"])


async def test_a_refusal_beside_an_issue_is_not_called_right(judged):
    refused = reply(claim(1, 0, "", "no_claim"), grounding_issues=["노트에 있음"])
    found, _ = await judged(refused, subject(REFUSAL))
    assert found.evaluation.outcome is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"claims": []}, "each of the 2 sentences"),
        ({"claims": [TRUE, TRUE]}, "each of the 2 sentences"),
        ({"claims": [FALSE | {"verdict": "true"}]}, "claims"),
        ({"checklist": []}, "each of the 4 items"),
        ({"utility": 1.2}, "utility"),
        ({"correctness": 1.0}, "not asked for"),
        ({"grounding_issues": ["\0"]}, "issues"),
    ],
)
async def test_a_reply_that_leaves_something_out_is_asked_for_again(judged, changes, reason):
    with pytest.raises(MalformedOutput, match=reason):
        await judged(reply(**{"claims": [FALSE, TRUE]} | changes))


@pytest.mark.parametrize(
    ("changes", "flags", "issues"),
    [
        ({"claims": [TRUE]}, ["sentence_not_judged:1"], 0),
        ({"claims": [FALSE, TRUE, TRUE]}, ["sentence_not_judged:2"], 1),
        ({"claims": [TRUE, FALSE]}, [], 1),
        ({"claims": [FALSE | {"verdict": "true"}, TRUE]}, ["sentence_not_judged:1"], 0),
        ({"claims": [{"sentence": 1}, TRUE]}, ["sentence_not_judged:1"], 0),
        ({"claims": [FALSE | {"quote": "", "note_index": 3}, TRUE]}, [], 1),
        ({"claims": [FALSE, TRUE | {"quote": "변성은 95도에서 30초 [노트 2]"}]}, [], 1),
        ({"used_notes": [0, 2, 9], "summary": 3}, [], 1),
    ],
)
async def test_an_unusable_part_of_a_reply_leaves_the_rest(judged, changes, flags, issues):
    found, router = await judged(reply(**{"claims": [FALSE, TRUE]} | changes))

    evaluation = found.evaluation
    assert len(router.asked) == 1
    assert (evaluation.flags, len(evaluation.grounding_issues)) == (flags, issues)
    assert evaluation.confidence != "high"


async def test_rules_give_what_a_reply_lacks():
    given = reply(FALSE, TRUE, utility=7, checklist=[], nuggets="none")
    router = ScriptedRouter(json.dumps(given))
    rules = RulesJudge(load_pack("generic"), Limits(10, 1024))
    judge = OneCallJudge(router, load_pack("generic"), fence_key=b"key", rules=rules)

    found = await judge.judge(subject(), ALL)

    by_rules = await rules.judge(subject(), ALL)
    assert len(router.asked) == 1
    assert found.evaluation.correctness == 0.5
    assert found.evaluation.utility == by_rules.evaluation.utility
    assert found.evaluation.flags == ["utility_by_rules"]
    assert (found.quality, found.quality_by_rules) == (by_rules.quality, True)
    sources = {"citation": "judge", "groundedness": "judge", "next_steps": "judge"}
    assert found.feedback.sources == {**sources, "completeness": "rules"}


def short_reply(request: ChatRequest) -> str:
    given = reply(FALSE, TRUE)
    short = '"gap"' in request.messages[0].content
    return json.dumps(in_short_form(given) if short else given, ensure_ascii=False)


TOO_LONG = failure("openai", 400, {}, "This model's maximum context length is 2048 tokens.")


async def test_a_prompt_that_does_not_fit_is_sent_by_the_smallest_without_its_sections():
    small = json.dumps(in_short_form(reply(FALSE, TRUE)), ensure_ascii=False)
    router = ScriptedRouter(TOO_LONG, small, TOO_LONG, TOO_LONG)
    rules = RulesJudge(load_pack("generic"), Limits(10, 1024))
    judge = OneCallJudge(router, load_pack("generic"), fence_key=b"key", rules=rules)

    found = await judge.judge(subject(), ALL)

    whole, short = router.asked
    assert len(short.messages[0].content) < len(whole.messages[0].content) / 2
    assert short.max_tokens < whole.max_tokens
    assert (found.evaluation.correctness, found.quality_by_rules) == (0.5, True)
    assert found.evaluation.flags == ["prompt_shortened"]
    assert found.feedback.sources["completeness"] == "rules"
    assert found.feedback.sources["groundedness"] == "judge"
    with pytest.raises(PermanentProviderError):
        await judge.judge(subject(), ("search_qa",))


@for_each(
    ("context", "prompt", "by_rules", "max_tokens"),
    [
        (None, "search-qa-eval-5", False, 2048),
        (8192, "search-qa-eval-5", False, 2048),
        (3400, "search-qa-eval-6", False, 2048),
        (2048, "search-qa-eval-7", True, 1024),
        (16, "search-qa-eval-7", True, 1024),
    ],
)
async def test_the_form_that_fits_into_a_known_context_is_asked_at_once(
    context, prompt, by_rules, max_tokens
):
    router = ScriptedRouter(respond=short_reply)
    rules = RulesJudge(load_pack("generic"), Limits(10, 1024))
    judge = OneCallJudge(
        router, load_pack("generic"), fence_key=b"key", rules=rules, context=context
    )

    found = await judge.judge(subject(), ALL)

    (asked,) = router.asked
    opening = ONE_CALL_PROMPTS[prompt].system["ko"][:30].split("{")[0]
    assert asked.messages[0].content.startswith(opening)
    assert (asked.max_tokens, found.quality_by_rules) == (max_tokens, by_rules)
    assert (found.evaluation.flags != []) == (prompt != "search-qa-eval-5")


@for_each(("context", "kept"), [(None, True), (16_384, True), (3_400, False)])
async def test_turns_are_left_out_of_a_prompt_that_does_not_fit_with_them(context, kept):
    router = ScriptedRouter(respond=short_reply)
    rules = RulesJudge(load_pack("generic"), Limits(10, 1024))
    judge = OneCallJudge(
        router, load_pack("generic"), fence_key=b"key", rules=rules, context=context
    )

    found = await judge.judge(subject(history=[Turn("온도는?", "37도입니다. " * 400)]), ALL)

    (asked,) = router.asked
    assert ("37도입니다. 37도입니다." in asked.messages[-1].content) is kept
    assert found.evaluation.flags == ([] if kept else ["prompt_shortened"])


async def test_the_instructions_of_a_workspace_stay_in_a_small_context():
    texts = {"ko": "우리 지시문. {about} {form} {sections}"}
    own = with_instructions("workspace:own@1", "search-qa-eval-6", texts)
    router = ScriptedRouter(respond=short_reply)
    rules = RulesJudge(load_pack("generic"), Limits(10, 1024))
    judge = OneCallJudge(
        router, load_pack("generic"), fence_key=b"key", prompt=own, rules=rules, context=512
    )

    found = await judge.judge(subject(), ALL)

    (asked,) = router.asked
    assert asked.messages[0].content.startswith("우리 지시문.")
    assert (asked.max_tokens, found.quality_by_rules) == (1024, True)
    assert found.evaluation.flags == []


async def test_only_what_is_asked_for_is_in_the_prompt(judged):
    found, router = await judged(
        reply(FALSE, TRUE, checklist=[]), evaluators=("search_qa", "completeness:model")
    )

    assert (found.quality, found.feedback) == (None, None)
    system, output = router.asked[0].messages[0].content, router.asked[0].output
    assert output is not None
    for section in OPTIONAL:
        assert section not in system
        assert section not in output.schema["properties"]
    assert {"claims", "summary", "utility"} <= set(output.schema["required"])


async def test_the_schema_of_a_reply_is_made_once_and_holds_what_is_asked_for(judged):
    _, first = await judged(reply(FALSE, TRUE))
    _, second = await judged(reply(FALSE, TRUE))

    output = first.asked[0].output
    assert output is second.asked[0].output
    assert set(OPTIONAL) <= set(output.schema["required"])


@pytest.mark.parametrize("section", OPTIONAL)
async def test_a_section_that_was_asked_for_may_not_be_missing(judged, section):
    given = reply(FALSE, TRUE)
    del given[section]

    with pytest.raises(MalformedOutput, match=f"{section} is missing"):
        await judged(given)


async def test_the_nuggets_of_a_domain_pack_are_looked_for_in_its_order(judged):
    pack = load_pack("waste_sorting")
    names = [nugget.name for nugget in pack.nuggets]
    support = ["supported", "partly", "not", "supported"]
    nuggets = [{"text": "다른 말", "support": one} for one in support]
    found, router = await judged(reply(FALSE, TRUE, nuggets=nuggets), pack=pack)

    assert [one.text for one in found.feedback.phase2.nuggets] == names
    assert found.feedback.phase2.completeness == 0.625
    assert found.feedback.sources["next_steps"] == "rules"
    assert all(name in router.asked[0].messages[0].content for name in names)
    with pytest.raises(MalformedOutput, match="each of the 4"):
        await judged(reply(FALSE, TRUE, nuggets=nuggets[1:]), pack=pack)


async def test_evidence_of_no_note_is_a_source_too(judged):
    quoted = Evidence("web-1", "high", "배양기 문은 30초 안에 닫습니다.")
    answer = subject("배양기 문은 30초 안에 닫습니다.", evidence=[quoted])
    given = claim(1, 3, "배양기 문은 30초 안에 닫습니다", "supported")
    found, _ = await judged(reply(given, used_notes=[3]), answer)

    assert found.evaluation.confidence == "high"
    assert [one.cited for one in found.evaluation.source_coverage] == [False, False]
    assert found.feedback.phase1.cited_chunks == ["web-1"]


async def test_no_call_is_made_without_notes_or_words(judged):
    def refuse(_: ChatRequest) -> Json:
        raise AssertionError("asked")

    nothing, _ = await judged(refuse, AnswerToJudge.from_texts("?", ANSWER, ["  "]))
    blank, _ = await judged(refuse, subject(" … "))

    assert nothing == Judgement()
    assert (blank.evaluation.correctness, blank.evaluation.confidence) == (0.0, "low")


async def test_a_long_answer_is_judged_in_parts_and_counted_as_one(judged):
    true, false = "변성은 95도에서 합니다. ", "배양기는 72도로 유지합니다. "
    text = (true * (PART_CHARS // len(true)) + false * (PART_CHARS // len(false))).strip()
    assert len(answer_parts(text)) == 2

    def respond(request: ChatRequest) -> Json:
        shown = fenced(request.messages[1].content)
        assert isinstance(shown, dict)
        said = [
            (FALSE if "72" in text else TRUE) | {"sentence": number}
            for number, text in sentences_in(shown).items()
        ]
        useful = 0.9 if said[0]["verdict"] == "supported" else 0.2
        ticks = [{"item": n, "reason": "예", "passed": useful > 0.5} for n in range(1, 5)]
        return reply(*said, utility=useful, checklist=ticks)

    found, router = await judged(respond, subject(text))

    assert len(router.asked) == 2
    assert 0.4 < found.evaluation.correctness < 0.6
    assert (found.evaluation.utility, found.evaluation.confidence) == (0.9, "medium")
    assert found.quality.pass_ratio == 1.0
    places = [(c.start, c.end) for c in found.feedback.phase3.claims]
    assert all("72" in text[c.start : c.end] for c in found.feedback.phase3.claims[-5:])
    assert places == sorted(places)


@for_each("count", [1, 20, 21, 150])
def test_no_sentence_is_left_out_however_many_there_are(count):
    answer = "".join(f"\n- 항목 {n}은 {n}도입니다. [노트 1]" for n in range(count))
    (part,) = answer_parts(answer)
    shown = sentences_of(part)

    assert len(shown) <= MAX_SENTENCES
    together = " ".join(one.text for one in shown)
    assert all(f"항목 {n}은 {n}도입니다. [노트 1]" in together for n in range(count))
    assert answer[shown[0].start : shown[0].end].startswith("항목 0은")
