"""What a judge is told of an answer that it sees one part of."""

from collections.abc import Mapping

from app.ai_router.types import Lang
from app.judges.answer_parts import AnswerPart

_PART: Mapping[Lang, str] = {
    "ko": "{name}는 긴 답변을 {total}개로 나눈 것 가운데 {number}번째 부분입니다. 다른 부분은 따로 "
    "평가하므로 이 부분에 적힌 내용만 보고 판단하며, 앞뒤가 이어지지 않는 것은 문제로 삼지 "
    "않습니다.\n\n",
    "en": "{name} is part {number} of {total} of a long answer. The other parts are evaluated "
    "apart: judge what this part says only, and do not count it as a problem that it begins or "
    "ends abruptly.\n\n",
}


def about_part(part: AnswerPart | None, lang: Lang, name: str = "answer") -> str:
    """The sentences that stand before the data; "" where the whole answer is shown. name: of the
    member of the data that holds the part."""
    if part is None or part.total == 1:
        return ""
    return _PART[lang].format(name=name, number=part.number, total=part.total)


RE_ASK: Mapping[Lang, str] = {
    "ko": "바로 앞의 출력은 사용할 수 없었습니다. 이유: {reason}. "
    "같은 자료를 다시 평가하여 정해진 형식의 JSON 객체 하나만 출력하세요.",
    "en": "Your previous output could not be used. Reason: {reason}. "
    "Evaluate the same material again and output one JSON object of the given form only.",
}
