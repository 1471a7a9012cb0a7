"""The waste-sorting domain as its pack has it, and evidence and answers of that domain."""

from app.text.evidence import Evidence
from app.text.packs.models import DomainPack

PACK = DomainPack.model_validate(
    {
        "name": "waste",
        "lang": "ko",
        "title": {"ko": "분리배출", "en": "Waste sorting"},
        "tags": [{"name": name} for name in ("라벨_부착", "내용물_있음", "오염됨")],
        "nuggets": [
            {"name": "배출 방법", "keywords": ["방법", "하세요", "해주세요", "버리세요"]},
            {"name": "배출 장소", "keywords": ["분리수거함", "배출함", "수거함", "종량제"]},
            {"name": "주의 사항", "keywords": ["주의", "안됩니다", "금지", "조심"]},
            {"name": "분리 여부", "keywords": ["분리", "따로", "별도", "제거"]},
        ],
        "next_steps": {
            "actions": [
                {"tag": "라벨_부착", "action": "라벨 제거 방법 확인하기"},
                {"tag": "오염됨", "action": "올바른 세척 방법 확인하기"},
            ],
            "suggestions": [
                {
                    "query": {
                        "ko": "가까운 분리수거함 위치가 궁금하시면 물어봐주세요!",
                        "en": "Ask me where the nearest recycling bin is!",
                    },
                    "answer_lacks": ["위치"],
                },
                {
                    "query": "대형폐기물 수거 신청 방법도 알려드릴까요?",
                    "question_contains": ["대형"],
                    "answer_lacks": ["신청"],
                },
            ],
            "urgency": {
                "high_keywords": ["유해", "위험"],
                "medium_tags": ["오염됨", "내용물_있음"],
            },
        },
    }
)
GENERIC = DomainPack(name="generic", lang="ko", title="일반")  # type: ignore[arg-type]

PLASTIC = Evidence(
    chunk_id="재활용폐기물_플라스틱류",
    relevance="high",
    quoted_text="플라스틱 용기는 라벨을 제거하고 내용물을 비운 후...",
    matched_tags=("라벨_부착", "내용물_있음"),
    method="contextual",
)
GLASS = Evidence(
    chunk_id="재활용폐기물_유리병류",
    relevance="medium",
    quoted_text="깨진 거울과 도자기는 불연성 마대에 담는다",
    method="contextual",
)
BATTERY = Evidence(
    chunk_id="유해폐기물_전지",
    relevance="low",
    quoted_text="폐건전지는 전용 회수통에 모은다",
    method="keyword",
)

ABOUT_PLASTIC = "플라스틱 용기는 라벨을 제거하고 내용물을 비운 뒤 분리수거함에 버리세요."
ABOUT_ALL = (
    f"{ABOUT_PLASTIC} 깨진 거울은 불연성 마대에 담으세요. 폐건전지는 전용 회수통에 모으세요."
)
