"""What a judge says to SearchQA's own requests, for stub model servers."""

import asyncio
import json
from typing import Any

from stub_behaviours import (
    Behaviour,
    Content,
    Exchange,
    Json,
    answer,
    cut_json,
    cut_off,
    drip,
    hang,
    html,
    oversized,
    reply_text,
    reset,
    status,
)

# What a verdict in one call asks for, its claims alone, and the published evaluators.
VERDICT = "search_qa_verdict"
QUALITY, EVALUATION, CLAIMS = "quality_check", "search_qa_evaluation", "claims"

CORRECTNESS, UTILITY = 1.0, 0.8
# Of a judge that is asked for the score itself (EVALUATION).
SCORED = 0.9


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
    ]
}


def schema_name(request: Json) -> str:
    """The name of the schema that a request wants: VERDICT, QUALITY, EVALUATION or CLAIMS."""
    return str(request["response_format"]["json_schema"]["name"])


def material(request: Json) -> Json:
    """The data between the delimiters of a request."""
    lines = str(request["messages"][-1]["content"]).splitlines()
    opening = next(at for at, line in enumerate(lines) if line.startswith("<data "))
    return dict(json.loads(lines[opening + 1]))


# Members of a verdict in one call by the names that its short form has.
SHORT = {
    "note_index": "note",
    "reasoning": "gap",
    "grounding_issues": "issues",
    "used_notes": "used",
    "suggested_queries": "queries",
    "action_items": "actions",
}


def in_short_form(reply: Any) -> Any:
    """A verdict in one call as the short prompt has it."""
    if isinstance(reply, list):
        return [in_short_form(one) for one in reply]
    if not isinstance(reply, dict):
        return reply
    return {SHORT.get(name, name): in_short_form(value) for name, value in reply.items()}


def sentences_in(shown: Json) -> dict[int, str]:
    """The sentences of the material of either form, by number."""
    given = shown["sentences"]
    if isinstance(given, dict):
        return {int(number): text for number, text in given.items()}
    return {one["sentence"]: one["text"] for one in given}


def verdict(
    request: Json, bearing: str = "supported", *, utility: float = UTILITY, passed: bool = True
) -> Json:
    """What a judge replies that says the same of every sentence, with a quote of the first note."""
    shown, system = material(request), str(request["messages"][0]["content"])
    short, found = isinstance(shown["notes"], dict), bearing != "unsupported"
    first = shown["notes"]["1"]["text"] if short else shown["notes"][0]["content"]
    quote = str(first)[:40] if found else ""
    note_index, reasoning = (1, "") if found else (0, "노트에 없음")
    claims = [
        {
            "sentence": number,
            "note_index": note_index,
            "quote": quote,
            "reasoning": reasoning,
            "verdict": bearing,
        }
        for number in sentences_in(shown)
    ]
    ticks = [{"item": number, "reason": "예", "passed": passed} for number in range(1, 5)]
    reply = {
        "claims": claims,
        "grounding_issues": [],
        "used_notes": [1] if found else [],
        "nuggets": [],
        "checklist": ticks if '"checklist":' in system else [],
        "next_steps": {"suggested_queries": [], "action_items": [], "urgency": "low"},
        "summary": "노트에 근거한 답변",
        "utility": utility,
    }
    return dict(in_short_form(reply)) if short else reply


def good_reply(request: Json) -> str:
    """A valid verdict, or all four items of the checklist ticked."""
    if schema_name(request) == VERDICT:
        return json.dumps(verdict(request), ensure_ascii=False)
    if schema_name(request) == QUALITY:
        ticks = [{"item": number, "reason": "예", "passed": True} for number in range(1, 5)]
        return json.dumps({"items": ticks}, ensure_ascii=False)
    if schema_name(request) == CLAIMS:
        return json.dumps(CLAIMED, ensure_ascii=False)
    scored = {
        "grounding_issues": [],
        "source_coverage": [
            {"note_index": 1, "cited": True, "relevant_claim": "95도", "quote": "변성은 95도"}
        ],
        "summary": "노트에 근거한 답변",
        "correctness": SCORED,
        "utility": UTILITY,
    }
    return json.dumps(scored, ensure_ascii=False)


def well() -> Behaviour:
    """A judge that works."""
    return answer(good_reply)


def saying(bearing: str, *, passed: bool = True) -> Behaviour:
    """A judge that says the same of every sentence: "supported", "partly" or "unsupported"."""
    return answer(
        lambda request: json.dumps(verdict(request, bearing, passed=passed), ensure_ascii=False)
    )


def scoring(**criteria: object) -> Behaviour:
    """A judge that works, and gives these scores by criteria of the workspace."""
    said = {name: {"reason": "because", "score": score} for name, score in criteria.items()}
    return answer(
        lambda request: json.dumps(verdict(request) | {"criteria": said}, ensure_ascii=False)
    )


def by_request(**behaviours: Behaviour) -> Behaviour:
    """Behaves by the name of the requested schema; names that are left out are answered well."""

    async def behave(exchange: Exchange) -> None:
        await behaviours.get(schema_name(exchange.request.json), well())(exchange)

    return behave


class Gate:
    """A judge that works well once it is let."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

    async def __call__(self, exchange: Exchange) -> None:
        await self.open.wait()
        await well()(exchange)


def misbehaviours(reply: Content, *, retry_after: str) -> dict[str, Behaviour]:
    """By their names. reply: what the judge would say, whole or in part; retry_after: seconds."""

    def twice(request: Json) -> str:
        return reply(request) * 2

    return {
        "status-500": status(500),
        "status-429": status(429),
        "retry-after": status(429, retry_after=retry_after),
        "hang": hang(),
        "drip": drip(reply, interval=0.5),
        "reset": reset(),
        "cut-off": cut_off(reply, after=40),
        "cut-json": cut_json(reply),
        "two-objects": answer(twice),
        "wrong-schema": answer(reply_text('{"correctness": "0.9"}')),
        "html": html(),
        "oversized": oversized(50_000_000),
    }
