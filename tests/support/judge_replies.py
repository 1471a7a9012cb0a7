"""What a judge says to SearchQA's own requests, for stub model servers."""

import asyncio
import json

from stub_behaviours import Behaviour, Exchange, Json, answer

QUALITY, EVALUATION, CLAIMS = "quality_check", "search_qa_evaluation", "search_qa_claims"

CORRECTNESS, UTILITY = 0.9, 0.8


# Half of it is supported.
CLAIMED = {
    "claims": [
        {
            "text": "변성은 95도",
            "reasoning": "노트에 있음",
            "note_index": 1,
            "quote": "변성은 95도",
            "verdict": "supported",
        },
        {
            "text": "한 시간 동안",
            "reasoning": "노트에는 30초",
            "note_index": 0,
            "quote": "",
            "verdict": "unsupported",
        },
    ],
    "summary": "절반만 근거가 있음",
    "utility": UTILITY,
}


def asked_for(request: Json) -> str:
    """The name of the schema that a request wants: QUALITY, EVALUATION or CLAIMS."""
    return str(request["response_format"]["json_schema"]["name"])


def good_reply(request: Json) -> str:
    """A valid verdict, or all four items of the checklist ticked."""
    if asked_for(request) == QUALITY:
        ticks = [{"item": number, "reason": "예", "passed": True} for number in range(1, 5)]
        return json.dumps({"items": ticks}, ensure_ascii=False)
    if asked_for(request) == CLAIMS:
        return json.dumps(CLAIMED, ensure_ascii=False)
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


class Gate:
    """A judge that works well once it is let."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

    async def __call__(self, exchange: Exchange) -> None:
        await self.open.wait()
        await well()(exchange)
