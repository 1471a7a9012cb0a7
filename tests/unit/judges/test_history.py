"""Turns before a question: in the judge's prompt and the question as reworded, never evidence."""

import hashlib
import uuid
from typing import Any

import pytest

from app.ai_router.prompts.quoting import fenced
from app.ai_router.types import ChatResponse, Lang
from app.answering import follow_ups
from app.answering.follow_ups import reword
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart
from app.judges.prompts.one_call import HISTORY, HISTORY_VERSION, OneCallPrompt, Sections, Shown
from app.judges.rules.judge import judge
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from app.platform.errors import ProviderError, TransientProviderError
from app.text.standalone import stand_alone
from app.text.turns import Turn
from app.verdicts.answers.queries import with_history
from app.verdicts.policy.evaluation_policy import prompt_version
from scripted_router import ScriptedRouter
from verdict_world import finished_answer

LANGS: tuple[Lang, ...] = ("ko", "en")
TURNS = (Turn("여름에 매장은 몇 시에 열어요?", "여름에는 10시에 엽니다."),)
NOTES = ["매장은 여름에 오전 9시에 엽니다. 겨울에는 오전 11시에 엽니다."]
# SHA-256 of what each prompt sends for an answer without a history.
WITHOUT = {
    "search-qa-eval-5": "80c83dabe8a3ee8c3572629ae580a1851015a1a27c5b12ea2752d795f26981a3",
    "search-qa-eval-6": "8fbd70b29894f8319273521b6355e49745789bb31f36e5252f7aa9488561ba5f",
    "search-qa-eval-7": "8795724962cf33597e37b2845a4342a834040f8394cc42b1307411f3dcbf7168",
}


def sent(prompt: OneCallPrompt, lang: Lang, *history: Turn, asked: str = "") -> list[str]:
    """What the prompt sends, message by message."""
    answer = "변성은 95도."
    part = AnswerPart(1, 1, 0, answer)
    notes = (("PCR",), ("변성은 95도에서 한다.",))
    shown = Shown("몇 도?", *notes, [answer], part, history, asked)
    sections = Sections(("항목",), (), next_steps=True)
    messages = prompt.build_messages(shown, sections, lang, b"key")
    return [f"{message.role}\n{message.content}\n" for message in messages]


@pytest.mark.parametrize("prompt", ONE_CALL_PROMPTS.values(), ids=ONE_CALL_PROMPTS)
class TestThePromptOfAVerdict:
    def test_is_as_it_was_without_a_history(self, prompt):
        written = "".join(text for lang in LANGS for text in sent(prompt, lang))
        assert hashlib.sha256(written.encode()).hexdigest() == WITHOUT[prompt.version]

    @pytest.mark.parametrize("lang", LANGS)
    def test_shows_the_turns_as_context_in_the_material_alone(self, prompt, lang):
        (system, user), (plain, _) = (
            sent(prompt, lang, *TURNS, asked="겨울에는?"),
            sent(prompt, lang),
        )

        assert system == plain
        assert HISTORY[lang] in user
        material = fenced(user)
        shown = [{"question": turn.question, "answer": turn.answer} for turn in TURNS]
        assert (material["history"], material["asked"]) == (shown, "겨울에는?")


@pytest.mark.parametrize(
    ("model", "evaluators", "version"),
    [
        ("openai:m", ("search_qa",), f"{DEFAULT_PROMPT}+{HISTORY_VERSION}"),
        ("openai:m", ("quality_gate",), prompt_version("openai:m", ("quality_gate",))),
        ("offline:rules", ("search_qa",), prompt_version("offline:rules", ("search_qa",))),
    ],
)
def test_the_version_says_that_turns_were_shown(model, evaluators, version):
    assert prompt_version(model, evaluators, history=True) == version


@pytest.mark.parametrize(
    ("question", "answer", "high"),
    [
        ("그럼 겨울에는?", "겨울에는 오전 11시에 엽니다.", True),
        ("그럼 겨울에는?", "겨울에는 오전 9시에 엽니다.", False),
        # What the turn before answered wrongly is no evidence, nor is a question that quotes it.
        ("다시 한 번요?", "여름에는 10시에 엽니다.", False),
        ("10시에 연다고 했죠? 확실해요?", "네, 매장은 여름에 오전 10시에 엽니다.", False),
    ],
)
def test_rules_take_the_question_from_the_turns_and_nothing_else(question, answer, high):
    subject = AnswerToJudge.from_texts(
        question, answer, NOTES, history=TURNS, stands_alone=stand_alone(question, TURNS)
    )
    assert (judge(subject).confidence == "high") is high


@pytest.mark.parametrize(
    ("understood", "stored"),
    [
        (None, "겨울에 매장은 몇 시에 열어요?"),
        ("겨울철 개점 시각은?", "겨울철 개점 시각은?"),
        # A model has found that it stands alone.
        ("그럼 겨울에는?", None),
    ],
)
async def test_what_is_stored_is_what_was_searched_for(understood: str | None, stored: str | None):
    nowhere: Any = None
    answer = finished_answer(
        uuid.uuid4(), question="그럼 겨울에는?", history=TURNS, standalone_question=understood
    )
    assert (await with_history(nowhere, answer)).standalone_question == stored


class TestReword:
    @pytest.mark.parametrize(
        ("reply", "reworded"),
        [
            ("고쳐 쓴 질문: 겨울에 매장은 몇 시에 닫아요?", "겨울에 매장은 몇 시에 닫아요?"),
            # What is no question, in another language or of another matter is done by rules.
            ("I cannot help with that.", "겨울에 매장은 몇 시에 열어요?"),
            ("", "겨울에 매장은 몇 시에 열어요?"),
            (TransientProviderError("away"), "겨울에 매장은 몇 시에 열어요?"),
            ("겨울에는?", None),
        ],
    )
    async def test_asks_the_model_and_falls_back_to_rules(
        self, reply: str | ProviderError, reworded: str | None
    ):
        router = ScriptedRouter(reply)
        assert await reword(router, "겨울에는?", TURNS, "ko") == reworded
        material = fenced(router.asked[0].prompt)
        assert material["history"][0]["question"] == TURNS[0].question

    async def test_waits_no_longer_than_it_may(self, monkeypatch):
        monkeypatch.setattr(follow_ups, "REWRITE_SECONDS", 0.0)
        assert await reword(ScriptedRouter("?"), "겨울에는?", TURNS, "ko") == (
            "겨울에 매장은 몇 시에 열어요?"
        )

    @pytest.mark.parametrize(
        ("router", "question"),
        [
            (ScriptedRouter(), "환불을 받으려면 무엇을 언제까지 어디로 가져가야 하나요?"),
            (ScriptedRouter(like=ChatResponse("", "offline", "extractive")), "그건 왜요?"),
        ],
        ids=["needs no turns", "no model"],
    )
    async def test_asks_no_model_in_vain(self, router: ScriptedRouter, question: str):
        await reword(router, question, TURNS, "ko")
        assert router.asked == []
