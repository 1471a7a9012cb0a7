"""What the phases send to a model."""

from app.ai_router.prompts.quoting import notes_as_data
from app.ai_router.types import Lang, Message
from app.judges.answer import AnswerToJudge
from app.judges.prompts import phases

KEY = b"0123456789abcdef"


def requests(text: str, lang: Lang) -> list[list[Message]]:
    given = AnswerToJudge.from_texts(text, text, [text], [text], lang=lang)
    return [
        phases.build_claims(given, [text, "b"], [text, "t"], KEY),
        phases.build_extraction(given, [text, "b"], [text, "t"], KEY),
        phases.build_assignment(given, [text], KEY),
        phases.build_next_steps(given, [text], [text], KEY),
    ]


def test_equal_requests_are_equal_byte_for_byte():
    assert requests("질문", "ko") == requests("질문", "ko")


def test_notes_that_are_cut_say_so():
    assert notes_as_data(["가", "나"], ["짧다", "길다" * 10], 8) == [
        {"note_index": 1, "title": "가", "content": "짧다", "cut": False},
        {"note_index": 2, "title": "나", "content": "길다길다길다", "cut": True},
    ]
