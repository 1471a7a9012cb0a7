"""A judge that is down and comes back, then another prompt, all of it by commands."""

import pytest

from cases import eventually
from judge_replies import CORRECTNESS
from stub_server import status

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "PCR 변성은 몇 도에서 하나요?"
SHORT = "search-qa-eval-6"


async def test_from_a_stand_ins_verdict_to_that_of_another_prompt(user, judge):
    ann = await user()
    working, judge.default = judge.default, status(500)
    await ann.do("ask", QUESTION)
    (first,) = await ann.json("verdicts", "list")
    assert (first["degraded"], first["provider"]) == (True, "offline")

    judge.default = working
    await ann.do("ask", QUESTION)

    async def judged_by_the_model() -> bool:
        return not any(view["degraded"] for view in await ann.current())

    await eventually(judged_by_the_model)
    assert {view["correctness"] for view in await ann.current()} == {CORRECTNESS}

    again = ("POST", "/evaluation/rejudge", f"prompt={SHORT}")
    estimated = ("POST", "/evaluation/rejudge/estimate", f"prompt={SHORT}")
    nothing = await ann.api(*estimated, 'filter={"degraded": true}')
    assert (nothing["matching"], nothing["to_judge"]) == (0, 0)
    price = await ann.api(*estimated)
    assert (price["matching"], price["to_judge"], price["calls"]) == (2, 2, 2)
    assert price["cost_usd"] > 0
    await ann.refused("api", *again)  # nobody confirmed that all are meant

    progress = await ann.rejudge(f"prompt={SHORT}", "everything=true")
    assert (progress["total"], progress["succeeded"]) == (2, 2)

    third = await ann.current()
    assert {view["correctness"] for view in third} == {CORRECTNESS}
    newest = next(view for view in third if view["answer_id"] == first["answer_id"])
    listed = await ann.json("verdicts", "list", "--answer", first["answer_id"])
    assert [view["is_current"] for view in listed] == [True, False, False]
    assert listed[0]["id"] == newest["id"]
    (job,) = (await ann.api("GET", "/jobs"))["items"]
    assert (job["kind"], job["status"], job["done"], job["total"]) == ("rejudge", "succeeded", 2, 2)
    once_more = await ann.api(*estimated)
    assert (once_more["to_judge"], once_more["judged"]) == (0, 2)
