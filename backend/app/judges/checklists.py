"""What a good reply of each feature does, as questions that can be answered yes or no."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.ai_router.types import Lang


@dataclass(frozen=True, slots=True)
class QualityChecklist:
    """`min_pass_ratio` is the share of items, 0 to 1, that a good reply must meet."""

    items: tuple[str, ...]
    min_pass_ratio: float


CHECKLISTS: Mapping[str, Mapping[Lang, QualityChecklist]] = {
    "search_qa": {
        "ko": QualityChecklist(
            items=(
                "질문에 직접적으로 답변했는가?",
                "검색 결과를 근거로 활용했는가?",
                "출처(노트 제목 등)를 명시했는가?",
                "불확실한 부분을 솔직히 표시했는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it answer the question directly?",
                "Does it base itself on the search results?",
                "Does it name its sources (note titles or the like)?",
                "Does it say honestly what is uncertain?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "insight": {
        "ko": QualityChecklist(
            items=(
                "요청한 주제에 초점을 맞추었는가?",
                "주어진 내용에 근거한 통찰인가?",
                "핵심을 알아보기 쉽게 정리했는가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it stay on the topic that was asked for?",
                "Do its insights rest on the given content?",
                "Are the main points set out so that they are easy to see?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "writing": {
        "ko": QualityChecklist(
            items=(
                "요청한 주제를 다루었는가?",
                "요청과 같은 언어로 썼는가?",
                "글이 도중에 끊기지 않고 마무리되었는가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it deal with the requested topic?",
                "Is it in the language of the request?",
                "Is the text finished, not broken off?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "summarize": {
        "ko": QualityChecklist(
            items=(
                "원문의 핵심 내용을 담았는가?",
                "원문에 없는 내용을 더하지 않았는가?",
                "원문보다 뚜렷하게 짧은가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it hold the main points of the original?",
                "Is it free of anything that the original does not say?",
                "Is it clearly shorter than the original?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
}
