"""The words of app.experiments.runs.diagnosis, in Korean and English."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from app.ai_router.types import Lang

Texts: TypeAlias = Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Advice:
    """For readers: a title, what is seen, why it may be so, and what to do, in this order."""

    title: Texts
    symptom: Texts
    cause: Texts
    actions: tuple[Texts, ...]


def _both(ko: str, en: str) -> Texts:
    return {"ko": ko, "en": en}


BAND_NAMES: Mapping[str, Texts] = {
    "excellent": _both("우수", "Excellent"),
    "good": _both("양호", "Good"),
    "fair": _both("보통", "Fair"),
    "poor": _both("개선 필요", "Needs work"),
}

FAITHFULNESS_TEXTS: Mapping[str, Texts] = {
    "excellent": _both(
        "답변이 검색된 내용에 단단히 근거합니다.", "Answers rest firmly on what was found."
    ),
    "good": _both(
        "대부분 근거가 있지만 확실하지 않은 주장이 조금 섞여 있습니다.",
        "Mostly grounded, with a few claims that are not certain.",
    ),
    "fair": _both(
        "답변의 많은 부분을 검색된 내용에서 확인할 수 없습니다.",
        "Much of the answers cannot be found in the context.",
    ),
    "poor": _both(
        "없는 내용을 지어내는 일이 심각합니다.",
        "Answers invent a great deal: serious hallucination.",
    ),
}

ANSWER_RELEVANCY_TEXTS: Mapping[str, Texts] = {
    "excellent": _both("질문이 묻는 바에 정확히 답합니다.", "Answers meet the question exactly."),
    "good": _both(
        "대체로 맞게 답하지만 빠뜨리거나 돌려 말하는 부분이 있습니다.",
        "Mostly to the point, but something is left out or said in a roundabout way.",
    ),
    "fair": _both(
        "질문의 핵심 중 일부에만 답합니다.",
        "Only a part of what matters in the question is answered.",
    ),
    "poor": _both(
        "답변이 질문과 거의 상관이 없습니다.", "Answers have little to do with the question."
    ),
}

PATTERN_TEXTS: Mapping[str, Advice] = {
    "hallucination_risk": Advice(
        title=_both("환각 위험", "Risk of hallucination"),
        symptom=_both(
            "질문에는 잘 답하지만 검색된 내용에 없는 말을 합니다.",
            "Answers fit the question but say what the context does not.",
        ),
        cause=_both(
            "모델이 컨텍스트보다 자기 지식을 앞세우거나, 프롬프트가 컨텍스트만 쓰도록 묶어 두지 "
            "못합니다.",
            "The model prefers what it knows to the context, or the prompt does not hold it to the "
            "context.",
        ),
        actions=(
            _both(
                "주어진 컨텍스트 밖의 내용은 쓰지 말라고 프롬프트에서 더 분명히 요구하세요.",
                "Tell the prompt more firmly to use nothing but the given context.",
            ),
            _both(
                "컨텍스트에 답이 없으면 답할 수 없다고 말하게 하세요.",
                "Have it say that it cannot answer when the context does not tell.",
            ),
            _both("온도(temperature)를 낮추세요.", "Lower the temperature."),
        ),
    ),
    "unsuitable_context": Advice(
        title=_both("컨텍스트 부적합", "Unsuitable context"),
        symptom=_both(
            "검색된 내용에는 충실하지만 물은 것에 답하지 못합니다.",
            "Answers keep to the context but do not answer what was asked.",
        ),
        cause=_both(
            "질문과 맞지 않는 청크가 검색되었거나, 모델이 컨텍스트에서 상관없는 부분을 따라갑니다.",
            "The search brought chunks that do not fit, or the model follows the wrong part of "
            "them.",
        ),
        actions=(
            _both(
                "Recall과 Hit Rate를 보고 검색 문제인지 먼저 가려내세요.",
                "Look at recall and hit rate first: is it the search?",
            ),
            _both(
                "검색이 약하면 임베딩 모델이나 청크를 나누는 방식을 바꾸어 보세요.",
                "If the search is weak, try another embedding model or another way to cut chunks.",
            ),
            _both(
                "검색이 충분하면 프롬프트가 질문을 중심으로 답하게 하세요.",
                "If it is not, have the prompt put the question first.",
            ),
        ),
    ),
    "ideal": Advice(
        title=_both("이상적", "Ideal"),
        symptom=_both(
            "검색된 내용에 근거하면서 질문에도 정확히 답합니다.",
            "Answers rest on the context and meet the question.",
        ),
        cause=_both(
            "검색과 생성이 모두 제 몫을 하고 있습니다.", "Search and generation both do their part."
        ),
        actions=(
            _both(
                "지금 설정을 유지하고 조금씩 다듬으세요.",
                "Keep the settings and refine in small steps.",
            ),
        ),
    ),
    "overall_problem": Advice(
        title=_both("전반적 문제", "Trouble all over"),
        symptom=_both(
            "검색된 내용에 근거하지도 않고 질문에 답하지도 못합니다.",
            "Answers neither rest on the context nor meet the question.",
        ),
        cause=_both(
            "검색 품질이 낮거나, 프롬프트가 맞지 않거나, 모델의 능력이 모자랍니다.",
            "The search is poor, the prompt does not fit, or the model is not able enough.",
        ),
        actions=(
            _both(
                "검색 메트릭부터 확인하여 검색 문제를 먼저 배제하세요.",
                "Look at the retrieval metrics first, to rule out the search.",
            ),
            _both("답변 프롬프트를 처음부터 다시 설계하세요.", "Write the answer prompt anew."),
            _both("더 뛰어난 모델로 바꾸는 것을 고려하세요.", "Consider a more capable model."),
        ),
    ),
}

DIAGNOSIS_TEXTS: Mapping[str, Advice] = {
    "healthy": Advice(
        title=_both("정상", "Healthy"),
        symptom=_both("검색과 답변이 모두 좋습니다.", "Search and answers are both good."),
        cause=_both("시스템이 의도대로 동작합니다.", "The system works as it should."),
        actions=(
            _both(
                "이 실행을 기준으로 삼아 다음 변경과 비교하세요.",
                "Keep this run to compare the next change with.",
            ),
        ),
    ),
    "generation_problem": Advice(
        title=_both("생성 단계 문제", "Generation is the problem"),
        symptom=_both(
            "필요한 청크는 찾지만 답변의 품질이 낮습니다.",
            "The chunks are found, the answers are poor.",
        ),
        cause=_both(
            "프롬프트나 답변 모델이 찾은 내용을 제대로 쓰지 못합니다.",
            "The prompt or the answering model does not use what was found.",
        ),
        actions=(
            _both(
                "프롬프트를 고치거나 다른 답변 모델을 시험하세요.",
                "Change the prompt, or try another answering model.",
            ),
        ),
    ),
    "model_fills_in": Advice(
        title=_both("모델의 자체 지식에 의존", "The model fills in"),
        symptom=_both(
            "필요한 청크를 찾지 못했는데도 답변은 그럴듯합니다.",
            "The chunks are not found, and yet the answers look right.",
        ),
        cause=_both(
            "모델이 빠진 내용을 자기 지식으로 채웁니다. 환각 위험이 있습니다. 정답 청크 밖의 다른 "
            "청크에도 답이 있을 수 있습니다.",
            "The model fills the gaps with what it knows, at the risk of hallucination; or chunks "
            "beside those of the ground truth answer too.",
        ),
        actions=(
            _both(
                "점수가 높은 답변 몇 개를 컨텍스트와 직접 대조하세요.",
                "Compare some of the best answers with their context yourself.",
            ),
            _both(
                "검색을 개선하고, 근거가 없으면 답하지 않게 하세요.",
                "Improve the search, and have the model not answer without support.",
            ),
        ),
    ),
    "retrieval_first": Advice(
        title=_both("검색부터 개선", "Begin with the search"),
        symptom=_both(
            "필요한 청크도 찾지 못하고 답변도 좋지 않습니다.",
            "The chunks are not found, and the answers are poor.",
        ),
        cause=_both(
            "검색되지 않은 내용으로는 어떤 모델도 답할 수 없습니다.",
            "No model can answer from what was not found.",
        ),
        actions=(
            _both(
                "임베딩, 청크 분할, 검색 방식, k를 먼저 조정하세요.",
                "Work on embeddings, chunks, the way of searching and k before anything else.",
            ),
        ),
    ),
}
