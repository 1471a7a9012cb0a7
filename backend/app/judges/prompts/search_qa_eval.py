"""The prompt that asks a model to judge one answer against the notes it was given.

Notes share NOTES_BUDGET characters; what is cut is marked `"cut": true`, so that the judge does
not call a claim invented whose source it cannot see. An answer longer than ANSWER_BUDGET is
judged in parts (`app.judges.answer_parts`), each with a request of its own. The order of the
fields makes the judge name the problems before the scores, and the limits on texts let the reply
for five notes fit into its 768 tokens.
"""

from app.ai_router.prompts import load_texts
from app.ai_router.prompts.quoting import fenced_messages, notes_as_data
from app.ai_router.types import Lang, Message
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import PART_CHARS, AnswerPart

PROMPT_VERSION = "search-qa-eval-1"

NOTES_BUDGET = 24_000
ANSWER_BUDGET = PART_CHARS
QUESTION_BUDGET = 4_000

_TEXTS = load_texts(__package__, "search_qa_eval")
# What several prompts have in common.
SHARED = load_texts(__package__, "shared")
RE_ASK = SHARED["re_ask"]


def about_part(part: AnswerPart | None, lang: Lang, name: str = "answer") -> str:
    """The sentences that stand before the data; "" where the whole answer is shown. name: of the
    member of the data that holds the part."""
    if part is None or part.total == 1:
        return ""
    about = SHARED["part"][lang].format(name=name, number=part.number, total=part.total)
    return f"{about}\n\n"


def build_messages(
    subject: AnswerToJudge, key: bytes, part: AnswerPart | None = None
) -> list[Message]:
    """System and user message. `key` seeds the fence. part: what of the answer is shown, None
    for the whole."""
    lang = subject.lang
    material = {
        "question": subject.question[:QUESTION_BUDGET],
        "notes": notes_as_data(subject.titles, subject.contents, NOTES_BUDGET),
        "answer": (part.text if part else subject.answer)[:ANSWER_BUDGET],
    }
    user = about_part(part, lang) + _TEXTS["user"][lang]
    return fenced_messages(_TEXTS["system"][lang], user, material, key)
