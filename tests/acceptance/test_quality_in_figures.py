"""What a quality engineer does in a day: policy, another prompt, labels, and figures over all of it
that are the same by command, by psql as the analyst and over HTTP."""

import asyncio

import pytest

from judge_replies import CORRECTNESS, saying, well

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

MODEL = "openai:gpt-4o-mini"
QUESTION = "PCR 변성은 몇 도에서 하나요?"
SHORT = "search-qa-eval-6"
PASSAGE = "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다. 물은 매주 월요일에 간다."
RIGHT = "배양기는 37도로 맞춥니다. [노트 1]"
COPIED = "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다. [노트 1]"
WRONG = "물은 매주 금요일에 갈고 소독제를 넣습니다. [노트 1]"


async def test_figures_are_the_same_by_command_by_psql_and_over_http(user):
    ann = await user()
    for question in (QUESTION, QUESTION, "로터는 누가 만들었나요?"):
        await ann.post("/ai/chat", {"feature": "search_qa", "content": question})
    await ann.judged(2)

    by_command = await ann.json("analytics", "daily-quality")

    (day,) = by_command["rows"]
    assert (day["correctness"], day["answers"], day["judged"]) == (CORRECTNESS, 3, 2)
    assert (day["scored"], day["skipped"], day["no_context"]) == (2, 1, 1)
    over_http = await ann.over_http("/analytics/daily-quality")
    assert over_http["rows"] == by_command["rows"]
    assert await ann.analyst(by_command["sql"]) == by_command["rows"]
    (in_view,) = await ann.analyst("SELECT * FROM analytics.daily_quality")
    assert in_view.pop("workspace_id")
    assert in_view == day
    assert f" {CORRECTNESS} " in await ann.do("analytics", "daily-quality")


async def test_another_prompt_stands_beside_the_first(user, judge):
    ann = await user()
    for _ in range(2):
        await ann.do("ask", QUESTION)
    (before,) = (await ann.json("analytics", "model-comparison"))["rows"]
    assert (before["correctness"], before["answers"]) == (CORRECTNESS, 2)

    judge.default = saying("partly")
    try:
        progress = await ann.rejudge(f"prompt={SHORT}", "everything=true")
    finally:
        judge.default = well()
    assert progress["succeeded"] == 2
    found = await ann.json("analytics", "model-comparison")
    assert before in found["rows"], "what was judged before stays"
    (after,) = [row for row in found["rows"] if row != before]
    assert SHORT in after["judge_key"]
    assert (after["correctness"], after["answers"], after["judge_model"]) == (0.5, 2, MODEL)
    assert await ann.analyst(found["sql"]) == found["rows"]
    in_view = await ann.analyst("SELECT * FROM analytics.model_comparison")
    seen = {row["judge_key"]: row["correctness"] for row in in_view}
    assert seen == {before["judge_key"]: CORRECTNESS, after["judge_key"]: 0.5}
    (day,) = (await ann.json("analytics", "daily-quality"))["rows"]
    assert (day["correctness"], day["answers"]) == (0.5, 2), "the newer verdict counts"


async def test_labels_by_command_agree_with_their_figures(user):
    ann = await user()
    await ann.do("policy", "set", "judge_model=offline:rules")
    for number in range(12):
        wrong = number % 2
        body = {
            "question": "물은 언제 가나요?" if wrong else "배양기는 몇 도인가요?",
            "answer": WRONG if wrong else RIGHT,
            "sources": [{"title": "배양기", "content": PASSAGE}],
        }
        await ann.post("/qa-evaluations", body)
    verdicts = await ann.judged(12)
    wrong_ids = [view["id"] for view in verdicts if "물은" in view["question"]]
    right_ids = [view["id"] for view in verdicts if view["id"] not in wrong_ids]
    # People contradict the judge once on either side.
    said = dict.fromkeys(wrong_ids[1:] + right_ids[:1], "wrong")
    said |= dict.fromkeys(right_ids[1:] + wrong_ids[:1], "right")
    await asyncio.gather(
        *(ann.post(f"/qa-evaluations/{id_}/feedback", {"label": label})
          for id_, label in list(said.items())[2:])
    )  # fmt: skip
    for id_, label in list(said.items())[:2]:
        labelled = await ann.api("POST", f"/qa-evaluations/{id_}/feedback", f"label={label}")
        assert labelled["label"] == label

    of_people = (await ann.api("GET", "/qa-evaluations/agreement"))["of_answers"]
    (row,) = (found := await ann.json("analytics", "judge-agreement"))["rows"]

    assert (of_people["pairs"], of_people["answers"], of_people["why"]) == (12, 12, None)
    assert 0 < of_people["kappa"] < 1
    assert (row["made_by"], row["pairs"], row["verdicts"]) == ("offline:rules", 12, 12)
    assert row["kappa"] == round(of_people["kappa"], 4)
    assert row["agreement"] == round(of_people["exact"], 4)
    assert row["opposite"] == of_people["confusion"][0][2] + of_people["confusion"][2][0]
    assert await ann.analyst(found["sql"]) == found["rows"]

    bench = await ann.json("judge-bench", "--from-feedback", "--judge", "offline")
    assert (bench["status"], bench["items"], bench["hallucinated"]) == ("completed", 12, 6)
    (rules,) = bench["summary"]["judges"]
    assert (rules["answers"], rules["coverage"]) == (12, 1)
    assert 0.5 < rules["auroc"]["value"] < 1, "people contradict it twice"


async def test_a_policy_leaves_out_what_it_says_and_says_why(user):
    ann = await user()
    for changes, why in (
        (("enabled=false",), "평가가 꺼져 있습니다"),
        (("enabled=", "languages=en"), "이 언어의 답변은 평가하지 않습니다"),
        (("languages=", "min_answer_chars=5000"), "답변 길이가 평가 범위 밖입니다"),
    ):
        await ann.do("policy", "set", *changes)
        assert f"평가하지 않음 (skipped): {why}" in await ann.do("ask", QUESTION)
    await ann.do("policy", "reset")
    assert "정확성 100%" in await ann.do("ask", QUESTION)
    reasons = {view["reason"] for view in await ann.json("verdicts", "list")}
    assert reasons == {"disabled", "filtered_language", "filtered_length", None}


async def test_a_policy_that_cannot_work_is_refused_with_its_reason(user):
    ann = await user()
    for change, why in (
        ("judge_model=anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("sample_rate=1.5", "less than or equal to 1"),
        ("daily_budget_usd=0", "0.0001"),
        ("judge_model=openai:nobody-knows-its-price daily_budget_usd=1", "no known price"),
    ):
        assert why in await ann.refused("policy", "set", *change.split())
    assert set((await ann.json("policy", "show"))["policy"].values()) == {None}


async def test_a_judge_that_sees_no_fault_is_corrected_by_labels_of_a_draw(user):
    ann = await user()
    answers = 36
    for number in range(answers):
        body = {"question": f"배양기는 몇 도로 맞추나요? {number}", "answer": COPIED}
        await ann.post("/qa-evaluations", body | {"sources": [{"content": PASSAGE}]})
    await ann.judged(answers)
    found = await ann.api("GET", "/analytics/true-quality")
    assert {row["note"] for row in found["rows"]} == {"not_drawn"}

    drawn = await ann.api("POST", "/review/samples", "size=34")
    for item in (await ann.api("GET", "/review/sampled", "limit=100"))["queue"]:
        label = "wrong" if item["position"] % 2 else "right"
        path = f"/qa-evaluations/{item['evaluation']['id']}/feedback"
        await ann.post(path, {"label": label})

    found = await ann.api("GET", "/analytics/true-quality")
    row = next(row for row in found["rows"] if row["measure"] == "grounded")
    assert (row["answers"], row["labels"], drawn["drawn"]) == (answers, 34, 34)
    assert row["corrected"]["low"] < 0.5 < row["corrected"]["high"] < row["raw"]
    bench = await ann.json("judge-bench", "--from-feedback", "-j", "stored", "-j", "offline")
    assert bench["frame"]["cells"] == [{"answers": answers, "labels": 34}]
    (compared,) = bench["summary"]["comparisons"]
    assert (compared["labels"], compared["winner"]) == (34, None), "they say the same"
    output = await ann.do("judge-bench", "--show", bench["id"])
    assert "34 labels of answers drawn at random, which stand for 36 stored answers" in output
    assert "cannot be told apart with 34 labels" in " ".join(output.split())
    (listed,) = await ann.api("GET", "/review/samples")
    assert (listed["drawn"], listed["labelled"]) == (34, 34)
    sums = await ann.analyst(found["sql"])
    assert sum(each["labels"] for each in sums if each["measure"] == "grounded") == 34
