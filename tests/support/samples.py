"""Two worked examples: a question about a medicine that is answered poorly, and waste sorting."""

import json

from app.answering.profile import Slots
from app.judges.published.refinement import Document
from app.text.evidence import Evidence
from app.text.packs.models import DomainPack

QUESTION = "당뇨병 환자에게 메트포르민의 부작용은 무엇인가요?"
FIRST_ANSWER = "메트포르민은 혈당을 낮추는 약물입니다. 일반적으로 안전합니다."
DOCUMENTS = (
    Document(
        id="effects",
        title="메트포르민",
        content="메트포르민의 주요 부작용: 위장 장애(설사, 구토), 드물게 유산증(lactic acidosis)"
        " 발생 가능.\n금기: 신부전 환자, 심부전 환자는 사용 금지.",
    ),
    Document(
        id="b12",
        title="장기 복용",
        content="메트포르민 복용 시 비타민 B12 결핍 가능. 장기 복용 환자는 정기 검사 필요.",
    ),
)
KIDNEY = Document(
    id="kidney",
    title="신장 기능과 메트포르민",
    content="신장 기능이 낮아진 환자는 유산증 위험이 커지므로 용량을 줄이고 신장 수치를 살핀다.",
)
PROFILE = "60세 남성, 2형 당뇨병, 신장 기능 경미한 저하"
SLOTS = Slots(age=60, sex="남성", conditions=("2형 당뇨병",))

MISSING = [
    "위장 장애(설사, 구토)",
    "유산증(lactic acidosis) 위험",
    "금기 사항(신부전, 심부전)",
    "비타민 B12 결핍",
]
SUGGESTIONS = ["부작용을 하나씩 나열", "금기 사항 추가"]
REWRITTEN = (
    "당뇨병 환자(60세 남성, 신장 기능 경미한 저하)에게 메트포르민의 부작용은 무엇인가요? "
    "위장 장애(설사, 구토), 유산증(lactic acidosis) 위험, 금기 사항(신부전, 심부전), "
    "비타민 B12 결핍을 포함하여 알려 주세요."
)
BETTER_ANSWER = (
    "위장 장애(설사, 구토)가 흔하고 드물게 유산증이 생깁니다 [노트 1]. 신부전과 심부전 환자에게는 "
    "금기입니다 [노트 1]. 오래 복용하면 비타민 B12가 결핍될 수 있습니다 [노트 2]. 신장 기능이 "
    "낮으면 용량을 줄입니다 [노트 3]."
)
# The notes that its sentences cite.
CITED = (1, 1, 2, 3)


def evaluation(**changes: object) -> str:
    """The judge's reply about the first answer, with changes."""
    whole = {
        "missing_info": MISSING,
        "improvement_suggestions": SUGGESTIONS,
        "reason": "문서의 핵심 정보가 답변에 없습니다.",
        "grounding_score": 0.4,
        "completeness_score": 0.3,
        "accuracy_score": 0.7,
        "needs_retrieval": True,
    }
    return json.dumps(whole | changes, ensure_ascii=False)


def praise() -> str:
    """The judge's reply about the better answer: 0.92."""
    return evaluation(
        missing_info=[],
        improvement_suggestions=[],
        reason="빠진 것이 없습니다.",
        grounding_score=1.0,
        completeness_score=0.9,
        accuracy_score=0.8,
        needs_retrieval=False,
    )


def judged(supported: int = len(CITED), utility: float = 0.8) -> str:
    """What the judge of the first answer says of the better one, so many of whose sentences are
    supported."""
    claim = {"reasoning": "", "quote": ""}
    whole = {
        "claims": [
            claim
            | {"sentence": n, "note_index": note}
            | {"verdict": "supported" if n <= supported else "unsupported"}
            for n, note in enumerate(CITED, 1)
        ],
        "grounding_issues": [],
        "used_notes": [1, 2, 3],
        "nuggets": [],
        "checklist": [],
        "next_steps": {"suggested_queries": [], "action_items": [], "urgency": "low"},
        "summary": "노트에 근거한 답변",
        "utility": utility,
    }
    return json.dumps(whole, ensure_ascii=False)


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
