"""A judge that fails, in each way that one can: an improvement ends all the same, and is marked."""

import pytest

import samples
from app.ai_router.router import Providers
from app.answering.refine.same_judge import max_calls
from app.verdicts.judging.context import DEFAULT_CALLS
from judge_replies import misbehaviours
from refinements import MODEL, QUICK, judged_answer, work_with
from stub_server import Json, StubServer
from verdict_world import settings

pytestmark = pytest.mark.slow

ATTEMPTS = 5


def reply(request: Json) -> str:
    """What the judge or the rewriter would say if it worked."""
    return samples.praise() if "response_format" in request else samples.REWRITTEN


WAYS = misbehaviours(reply, retry_after="0")
# What is no JSON object may still be a query, and half a query too.
QUERIES = {"drip", "cut-json", "two-objects", "wrong-schema"}


@pytest.mark.parametrize("way", WAYS)
async def test_an_improvement_ends_with_marked_estimates_after_few_calls(api, way):
    id_ = await judged_answer(api)
    # All that the loop does, whatever the estimates are.
    body = {"threshold": 1, "max_iterations": 1}
    await api.client.post(f"/qa-evaluations/{id_}/refine", json=body)
    async with StubServer(WAYS[way]) as stub:
        given = settings(
            judge_model=MODEL,
            openai_api_key="sk-test",
            openai_base_url=stub.base_url,
            judge_deadline=0.3,
            max_attempts=ATTEMPTS,
            **QUICK,
        )
        async with Providers(given) as providers:
            await work_with(api, given, providers)

    (view,) = (await api.client.get(f"/qa-evaluations/{id_}/refinements")).json()
    first, second = view["iterations"]
    assert view["status"] == "succeeded"
    assert view["stop_reason"] in {"max_iterations", "no_gain"}
    assert (first["heuristic"], second["heuristic"]) == (True, True)
    if way not in QUERIES:
        assert second["rewritten_by"] == "keywords"
    assert second["judged_by"] is None
    assert view["best_iteration"] == 0 or second["verdict_error"]
    # A call whose time was up may not have arrived.
    calls = first["calls"] + second["calls"]
    assert stub.count <= calls <= max_calls(1, ATTEMPTS) + DEFAULT_CALLS
