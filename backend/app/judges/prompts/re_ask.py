"""What a judge is told when its reply could not be used."""

from collections.abc import Mapping

from app.ai_router.types import Lang

RE_ASK: Mapping[Lang, str] = {
    "ko": "바로 앞의 출력은 사용할 수 없었습니다. 이유: {reason}. "
    "같은 자료를 다시 평가하여 정해진 형식의 JSON 객체 하나만 출력하세요.",
    "en": "Your previous output could not be used. Reason: {reason}. "
    "Evaluate the same material again and output one JSON object of the given form only.",
}
