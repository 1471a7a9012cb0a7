"""The walk of a succession by commands, with two judges that disagree by design."""

import asyncio
import json

import pytest

from cases import eventually
from judge_replies import verdict, well
from live_stack import open_with_notes
from stub_server import Exchange, answer

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

OLD, NEW = "openai:gpt-4o-mini", "openai:gpt-4o"
ANSWERS = 30


async def by_model(exchange: Exchange) -> None:
    """The new judge finds nothing that supports a sentence; the old one all."""
    strict = answer(lambda request: json.dumps(verdict(request, "unsupported")))
    await (strict if exchange.request.json["model"] == "gpt-4o" else well())(exchange)


async def test_two_judges_that_disagree_are_compared_switched_and_undone(judged, judge):
    judge.default = by_model
    token = await open_with_notes(judged, "succession")
    here = {"SEARCHQA_URL": judged.info.api_url, "SEARCHQA_TOKEN": token, "SEARCHQA_LANG": "en"}
    await judged.succeed("policy", "set", f"judge_model={OLD}", **here)
    async with judged.client(token) as client:
        sources = [{"title": "PCR", "content": "변성은 95도에서 30초 동안 한다."}]

        async def store(number: int) -> None:
            body = {"question": "몇 도?", "answer": f"변성은 95도에서 합니다. {number}"}
            await client.post("/qa-evaluations", json=body | {"sources": sources})

        await asyncio.gather(*map(store, range(ANSWERS)))

        async def all_judged() -> bool:
            found = await client.get("/qa-evaluations", params={"status": "succeeded"})
            return len(found.json()["items"]) == ANSWERS

        await eventually(all_judged)

    ran = await judged.run("judge", "succeed", OLD, NEW, "--yes", **here)
    assert ran.code == 0, ran.err
    assert f"Both judge {ANSWERS} stored answers, 0 of them labelled by people." in ran.err
    assert f"Both have a verdict on {ANSWERS} answers. They grade 0% alike" in ran.out
    rows = map(str.split, ran.out.splitlines())
    cells = next(row for row in rows if row[:2] == ["correctness", "all"])
    assert (cells[2], cells[4], cells[-1]) == ("30", "0.00", "no")
    assert "The policy is unchanged. Switch with: searchqa judge succeed --show" in ran.out
    id_ = ran.out.split("--show ")[1].split()[0]

    switched = await judged.succeed("judge", "succeed", "--show", id_, "--switch", **here)
    assert f"{NEW} replaces {OLD} in the policy" in switched
    shown = json.loads(await judged.succeed("policy", "show", "--json", **here))
    assert shown["policy"]["judge_model"] == NEW
    undone = await judged.succeed("judge", "succeed", "--undo", **here)
    assert f"The policy uses {OLD} again" in undone
    shown = json.loads(await judged.succeed("policy", "show", "--json", **here))
    assert shown["policy"]["judge_model"] == OLD
    again = await judged.run("judge", "succeed", "--undo", **here)
    assert (again.code, "nothing to undo" in again.err) == (1, True)
    unclear = await judged.run("judge", "succeed", OLD, **here)
    assert (unclear.code, "Give OLD and NEW" in unclear.err) == (1, True)
