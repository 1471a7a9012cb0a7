"""Questions to ask the sample notes. They answer all but the last."""

from typing import Final

from app.text.language import Lang

SAMPLE_QUESTIONS: Final[list[tuple[Lang, str]]] = [
    ("ko", "PCR 어닐링 온도와 시간은 어떻게 설정하나요?"),
    ("ko", "CO2 배양기의 온도와 습도 설정값은 얼마인가요?"),
    ("ko", "3월 정기 회의에서 시약 주문은 언제 하기로 정했나요?"),
    ("ko", "출장 숙박비는 1박에 얼마까지 정산되나요?"),
    ("en", "How long can cDNA be stored, and at what temperature?"),
    ("en", "How often is the autoclave tested with spore strips?"),
    ("ko", "원심분리기 로터의 제조사는 어디인가요?"),
]
