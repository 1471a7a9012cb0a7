"""A cascade set by a command on labelled answers, and an answer that its first judge decides."""

import json
from pathlib import Path

import pytest

from cases import eventually
from live_stack import open_with_notes

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

SMALL, LARGE = "openai:gpt-4o-mini", "openai:gpt-4o"


def write_right_answers(file: Path, count: int) -> Path:
    line = {"question": "몇 도?", "passages": ["변성은 95도에서 한다."], "hallucinated": False}
    lines = [line | {"id": n, "answer": f"변성은 95도에서 합니다. {n}"} for n in range(count)]
    file.write_text("\n".join(json.dumps(one) for one in lines), encoding="utf-8")
    return file


async def test_thresholds_are_printed_set_and_followed(judged, judge, tmp_path):
    token = await open_with_notes(judged, "cascade")
    here = {"SEARCHQA_URL": judged.info.api_url, "SEARCHQA_TOKEN": token}
    file = write_right_answers(tmp_path / "labelled.jsonl", 18)
    bench = ("judge-bench", str(file), "-j", SMALL, "-j", LARGE, "--no-spans", "--yes", "--json")
    measured = json.loads(await judged.succeed(*bench, **here))
    judges = f"judges={json.dumps([SMALL, LARGE])}"
    asked = ("api", "POST", "/settings/evaluation/cascade", f"bench_id={measured['id']}", judges)
    refused = await judged.run(*asked, "max_loss=0.2", **here)
    assert refused.code == 1
    assert f"the last is judge_model ({SMALL})" in refused.err
    await judged.succeed("policy", "set", f"judge_model={LARGE}", **here)

    few = json.loads(await judged.succeed(*asked, "max_loss=0.1", **here))
    assert few["chosen"] is None
    tried = json.loads(await judged.succeed(*asked, "max_loss=0.2", "dry_run=true", **here))
    assert tried["chosen"] is not None
    assert "Cascade: " not in await judged.succeed("policy", "show", **here)
    done = json.loads(await judged.succeed(*asked, "max_loss=0.2", **here))
    assert list(done["chosen"]["steps"]) == [SMALL]
    assert "Cascade: " in await judged.succeed("policy", "show", **here)

    async with judged.client(token) as client:
        question = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}
        reply = await client.post("/ai/chat", json=question)
        path = f"/qa-evaluations/{reply.json()['quality']['evaluation_id']}"

        async def verdict() -> dict[str, object]:
            view: dict[str, object] = (await client.get(path)).json()
            return view if view["status"] == "succeeded" else {}

        view = await eventually(verdict)
    (step, *_) = view["cascade"]  # type: ignore[misc]
    assert step["judge_model"] == SMALL  # type: ignore[index]
    shown = await judged.succeed("verdicts", "show", str(view["id"]), **here)
    assert "순차 평가:" in shown, "in the language of the question"
