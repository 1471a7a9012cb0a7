"""What a judge says to SearchQA's own requests, for stub model servers."""

import json

from stub_behaviours import Behaviour, Exchange, Json, answer

QUALITY, EVALUATION = "quality_check", "search_qa_evaluation"

CORRECTNESS, UTILITY = 0.9, 0.8


def asked_for(request: Json) -> str:
    """The name of the schema that a request wants: QUALITY or EVALUATION."""
    return str(request["response_format"]["json_schema"]["name"])


def good_reply(request: Json) -> str:
    """A valid verdict, or all four items of the checklist ticked."""
    if asked_for(request) == QUALITY:
        ticks = [{"item": number, "reason": "예", "passed": True} for number in range(1, 5)]
        return json.dumps({"items": ticks}, ensure_ascii=False)
    verdict = {
        "grounding_issues": [],
        "source_coverage": [
            {"note_index": 1, "cited": True, "relevant_claim": "95도", "quote": "변성은 95도"}
        ],
        "summary": "노트에 근거한 답변",
        "correctness": CORRECTNESS,
        "utility": UTILITY,
    }
    return json.dumps(verdict, ensure_ascii=False)


def well() -> Behaviour:
    """A judge that works."""
    return answer(good_reply)


def by_request(**behaviours: Behaviour) -> Behaviour:
    """Behaves by the name of the requested schema; names that are left out are answered well."""

    async def behave(exchange: Exchange) -> None:
        await behaviours.get(asked_for(exchange.request.json), well())(exchange)

    return behave
