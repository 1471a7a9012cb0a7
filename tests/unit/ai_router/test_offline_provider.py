"""The extractive answerer."""

from decimal import Decimal

import pytest

from app.ai_router.prompts import answers
from app.ai_router.providers.offline import OfflineProvider
from app.ai_router.types import ChatResponse, Grounding, Lang, Message, ProviderRequest
from app.platform.errors import ConfigurationError

NOTES = {
    "PCR 실험 조건": "# PCR 조건\n변성은 95도에서 30초 동안 한다. 어닐링은 58도에서 30초,"
    " 신장은 72도에서 1분으로 설정했다.\n총 35회 반복한다.\n- 프라이머는 얼음 위에서 녹인다.",
    "회의록": "## 참석자\n김민수, 박지영, 이도현\n\n## 결정 사항\n- 다음 실험은 3월 15일에"
    " 시작한다 [노트 7].\n- 시약 예산은 120만 원으로 정했다.\n다음 실험은 언제인가?",
    "Buffer recipe": "TAE buffer 50x: dissolve 242 g Tris base in water and add 57.1 mL acetic"
    " acid. Store at room temperature for up to six months.",
}


def ask(
    question: str, lang: Lang = "ko", notes: dict[str, str] = NOTES, model: str = "extractive"
) -> ProviderRequest:
    grounding = Grounding(question, list(notes), list(notes.values()), lang)
    return ProviderRequest(
        [Message("user", question)], 0.3, 500, None, grounding, model=model, deadline=10
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("다음 실험은 언제 시작해?", "다음 실험은 3월 15일에 시작한다. [노트 2]"),
        ("시약 예산이 얼마야?", "시약 예산은 120만 원으로 정했다. [노트 2]"),
        ("회의 참석자는 누구였나요?", "김민수, 박지영, 이도현 [노트 2]"),
        ("PCR은 총 몇 번 반복하나요?", "총 35회 반복한다. [노트 1]"),
    ],
)
async def test_the_best_sentence_is_quoted_with_its_mark(question, answer):
    response = await OfflineProvider().chat(ask(question))

    assert response.content == answer
    assert (response.provider, response.model) == ("offline", "extractive")
    assert response.cost_usd == Decimal(0)
    assert response.prompt_tokens is None


async def test_a_note_that_says_no_more_than_the_question_is_no_answer():
    response = await OfflineProvider().chat(ask("שלום?", notes={"": "שלום"}))

    assert response.content == "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다."


async def test_english_answers_have_the_same_marks():
    response = await OfflineProvider().chat(ask("How long can TAE buffer be stored?", "en"))

    assert "six months. [Note 3]" in response.content


async def test_a_line_under_the_heading_asked_for_is_found_and_the_heading_is_not_quoted():
    response = await OfflineProvider().chat(ask("PCR 조건을 알려줘"))

    assert "변성은 95도에서 30초 동안 한다. [노트 1]" in response.content.splitlines()
    assert "PCR 조건" not in response.content


@pytest.mark.parametrize(
    ("question", "lang", "said"),
    [
        ("김치찌개 끓이는 법 알려줘", "ko", "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다."),
        ("What is the capital of France?", "en", "The notes do not answer this question."),
        ("?!", "ko", "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다."),
    ],
)
async def test_notes_that_do_not_answer_are_said_not_to(question, lang, said):
    assert (await OfflineProvider().chat(ask(question, lang))).content == said


@pytest.mark.parametrize("notes", [{}, {"": ""}, {"빈 노트": " \n"}])
async def test_empty_notes_answer_nothing(notes):
    response = await OfflineProvider().chat(ask("예산은?", notes=notes))

    assert "찾을 수 없습니다" in response.content
    assert "[노트" not in response.content


@pytest.mark.parametrize(
    ("question", "lang", "note", "mark"),
    [
        ("어닐링 온도는?", "ko", "어닐링은 58도에서 30초.", "[노트 1]"),
        ("Denaturation temperature?", "en", "Denaturation: 95 °C.", "[Note 1]"),
        ("What is the denaturation temperature?", "en", "Denaturation: 95 °C.", "[Note 1]"),
    ],
)
async def test_a_short_single_note_answers(question, lang, note, mark):
    response = await OfflineProvider().chat(ask(question, lang, {"PCR": note}))

    assert response.content == f"{note} {mark}"


OFFICE = {
    "재택근무 규정": "재택근무는 주 2일까지 할 수 있습니다. 신청은 전날까지 팀장에게 합니다.",
    "재택 근무 안내 2024": "재택 근무는 일주일에 이틀까지 가능합니다. 장비는 회사에서 빌려줍니다.",
    "연차 휴가": "1년 이상 근무하면 연차 15일을 줍니다. 연차는 팀장이 승인합니다.",
    "분리배출": "대형 폐기물은 3일 전에 신청해야 합니다. 음식물 쓰레기는 화요일에 버립니다.",
    "Plans": "The Pro plan costs $20 a month. The rate limit is 100 requests a minute.",
    "Refunds": "Sale items may not be refunded. Other items can be returned within 30 days.",
    "Sending back": "Return shipping is paid by the customer. Return shipping takes 2 days.",
    "대여": "모니터는 한 대까지 대여할 수 있고 대여료는 없다.",
    "이전": "사무실 이전은 예산 문제로 하반기로 미뤘다.",
    "주문": "주문 2024-0311의 총액은 1,250,000원이다. 배송은 3월 15일에 끝났다.",
    "Parts": "Serial number 7731-88-02 belongs to the microscope. Call 555-0142 for spare parts.",
}


@pytest.mark.parametrize(
    ("question", "lang", "best"),
    [
        ("재택근무는 며칠까지?", "ko", "재택근무는 주 2일까지 할 수 있습니다. [노트 1]"),
        ("재택 근무 장비는 누가 주나요?", "ko", "장비는 회사에서 빌려줍니다. [노트 2]"),
        ("연차는 누가 승인해?", "ko", "연차는 팀장이 승인합니다. [노트 3]"),
        ("What does the Pro plan cost?", "en", "The Pro plan costs $20 a month. [Note 5]"),
        ("Can sale items be refunded?", "en", "Sale items may not be refunded. [Note 6]"),
        ("Who pays return shipping?", "en", "Return shipping is paid by the customer. [Note 7]"),
        ("How long does return shipping take?", "en", "Return shipping takes 2 days. [Note 7]"),
        ("모니터 대여료는 얼마인가요?", "ko", f"{OFFICE['대여']} [노트 8]"),
        ("사무실 이전은 왜 미뤄졌나요?", "ko", f"{OFFICE['이전']} [노트 9]"),
    ],
)
async def test_the_sentence_that_gives_what_is_asked_for_comes_first(question, lang, best):
    response = await OfflineProvider().chat(ask(question, lang, OFFICE))

    assert response.content.splitlines()[0] == best


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        # Each of its words is somewhere, together they are nowhere.
        ("연차는 며칠 전에 신청해야 하나요?", "ko"),
        # Another year, name, kind of thing or attribute than the notes give.
        ("2023년 재택 근무는 며칠까지였어?", "ko"),
        ("대형 폐기물 수수료는 얼마야?", "ko"),
        ("음식물 쓰레기는 몇 시에 버려?", "ko"),
        ("How much does the Team plan cost?", "en"),
        ("Who sets the rate limit?", "en"),
        ("What was the rate limit last year?", "en"),
    ],
)
async def test_notes_on_the_subject_without_what_is_asked_for_do_not_answer(question, lang):
    response = await OfflineProvider().chat(ask(question, lang, OFFICE))

    assert "찾을 수 없습니다" in response.content or "do not answer" in response.content


@pytest.mark.parametrize(
    "beside",
    [
        *("010-1234-9999 ", "010-1234-9999입니다. ", "+82-10-1234-9999: ", "900101-1234567 "),
        *("kim@lab.example ", "https://lab.example/q/12 ", "[phone 48213] ", "Q3. ", "3) "),
    ],
)
@pytest.mark.parametrize(
    ("question", "lang"),
    [("모니터 대여료는?", "ko"), ("Who pays return shipping?", "en")],
)
async def test_an_identifier_beside_a_question_changes_nothing(beside, question, lang):
    plain = await OfflineProvider().chat(ask(question, lang, OFFICE))

    marked = await OfflineProvider().chat(ask(beside + question, lang, OFFICE))
    after = await OfflineProvider().chat(ask(f"{question} 010-1234-9999", lang, OFFICE))

    assert marked.content == plain.content == after.content
    assert "[노트 8]" in plain.content or "[Note 7]" in plain.content


@pytest.mark.parametrize(
    ("question", "lang", "best"),
    [
        ("2024-0311 주문 총액은?", "ko", "주문 2024-0311의 총액은 1,250,000원이다. [노트 10]"),
        ("125만 원은 무슨 총액이야?", "ko", "주문 2024-0311의 총액은 1,250,000원이다. [노트 10]"),
        ("2024-0312 주문 총액은?", "ko", None),
        ("010-1234-9999 누구 번호야?", "ko", None),
        ("555-0142 is for what?", "en", "Call 555-0142 for spare parts. [Note 11]"),
        ("7731-88-03 belongs to what?", "en", None),
    ],
)
async def test_an_identifier_that_is_asked_about_counts(question, lang, best):
    response = await OfflineProvider().chat(ask(question, lang, OFFICE))

    refused = "찾을 수 없습니다" in response.content or "do not answer" in response.content
    assert response.content.splitlines()[0] == best if best else refused


async def test_marks_in_a_note_are_not_taken_over_and_long_sentences_are_cut():
    notes = {"표": "예산 " + "항목 " * 500 + "[노트 9]"}

    response = await OfflineProvider().chat(ask("예산 항목은?", notes=notes))

    assert response.content.endswith("… [노트 1]")
    assert len(response.content) < 420
    assert "[노트 9]" not in response.content


async def test_the_stream_is_the_answer_in_small_pieces():
    request = ask("다음 실험은 언제 시작해?")

    *pieces, last = [piece async for piece in OfflineProvider().stream(request)]

    assert isinstance(last, ChatResponse)
    assert len(pieces) > 3
    assert "".join(str(piece) for piece in pieces) == last.content


@pytest.mark.parametrize("build", [answers.insight_messages, answers.writing_messages])
@pytest.mark.parametrize("grounding", [None, Grounding("써 줘", [], [], "ko")])
async def test_without_notes_the_key_sentences_of_the_text_and_an_honest_word(build, grounding):
    text = (
        "촉매 농도를 높이면 수율이 오른다. 오늘은 비가 왔다. 수율은 촉매 농도 5%에서 가장 높았다."
        " 점심은 국수였다. 촉매 농도 7%에서는 수율이 다시 내렸다. 창문을 닫았다."
    )
    request = ProviderRequest(
        build(text, "ko"), 0.3, 500, None, grounding, model="extractive", deadline=10
    )

    lines = (await OfflineProvider().chat(request)).content.splitlines()

    assert "모델이 설정되어 있지 않아" in lines[0]
    assert "- 수율은 촉매 농도 5%에서 가장 높았다." in lines
    assert "- 점심은 국수였다." not in lines
    assert len([line for line in lines if line.startswith("- ")]) == 3


async def test_the_rules_do_not_write():
    with pytest.raises(ConfigurationError, match="offline:extractive"):
        await OfflineProvider().chat(ask("예산은?", model="rules"))
