"""Judge benches over HTTP, done by the loop of a worker, against a stub model server."""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from analytics_rows import put_label, put_verdict
from api_client import Api, open_api
from app.ai_router.router import Providers
from app.experiments.benches.job import judge_bench_part
from app.experiments.queries import JUDGE_BENCH
from app.platform.jobs.job import Job, JobLost
from cases import eventually, for_each
from judge_replies import material, scoring
from judge_replies import verdict as verdict_reply
from run_rows import end_lease
from stub_server import Json, StubServer, answer, reply_text, status
from verdict_world import World, settings, verdict
from worker.job_loop import JobLoop

PATH = "/evaluation/judge-benches"
MODEL = "openai:gpt-4o-mini"
PASSAGE = "변성은 95도에서 30초 동안 한다."
TRUE, FALSE = "변성은 95도에서 한다.", "변성은 20도에서 9분 한다."
TIMEOUT_SECONDS = 60
UNFINISHED = {"pending", "running"}


def labelled(number: int, *, wrong: bool, spans: bool = True) -> dict[str, Any]:
    text = FALSE if wrong else TRUE
    marked = {"spans": [[0, len(text)]] if wrong else []} if spans else {}
    about = {"id": number, "question": "변성은 몇 도인가요?", "passages": [PASSAGE]}
    return about | {"answer": text, "hallucinated": wrong} | marked


def mixed(answers: int, **more: Any) -> list[dict[str, Any]]:
    return [labelled(n, wrong=n % 2 == 0, **more) for n in range(answers)]


def judging(request: Json) -> str:
    """The reply of a judge with fixed verdicts on the two answers."""
    wrong = FALSE in request["messages"][-1]["content"]
    return json.dumps(verdict_reply(request, "unsupported" if wrong else "supported"))


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with StubServer(answer(judging)) as server:
        yield server


@pytest.fixture
async def benches(world: World, redis_url: str, stub: StubServer) -> AsyncIterator[Api]:
    """The API with a model that it may judge by."""
    async with open_api(world, redis_url, **model_settings(stub)) as api:
        yield api


def model_settings(stub: StubServer) -> dict[str, object]:
    return {"openai_base_url": stub.base_url, "openai_api_key": "sk-test"}


async def start_bench(api: Api, items: list[dict[str, Any]], *judges: str, **body: object) -> str:
    response = await api.client.post(PATH, json={"items": items, "judges": judges} | body)
    assert response.status_code == 202, response.text
    assert response.headers["location"] == f"{PATH}/{response.json()['id']}"
    return str(response.json()["id"])


async def detail(api: Api, bench_id: str) -> dict[str, Any]:
    response = await api.client.get(f"{PATH}/{bench_id}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def run_bench(api: Api, bench_id: str, **changes: object) -> dict[str, Any]:
    """The bench once a worker has brought it to its end."""
    loop = JobLoop(
        settings(**changes), api.world.url, {JUDGE_BENCH: judge_bench_part}, lambda _: None
    )
    await asyncio.to_thread(loop.start)
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while (found := await detail(api, bench_id))["status"] in UNFINISHED:
                # As the dispatcher does when the time of a retry has come.
                ids = [job["id"] for job in await jobs_of(api)]
                await asyncio.wrap_future(loop.submit(ids))
                await asyncio.sleep(0.02)
    finally:
        await asyncio.to_thread(loop.close)
    return found


async def jobs_of(api: Api) -> list[dict[str, Any]]:
    return await api.world.rows("SELECT * FROM jobs WHERE kind = %s ORDER BY id", JUDGE_BENCH)


async def test_judges_are_measured_side_by_side(benches, stub):
    id_ = await start_bench(benches, mixed(10), "offline", MODEL)

    bench = await run_bench(benches, id_, **model_settings(stub))

    assert (bench["status"], bench["done"], bench["total"]) == ("completed", 20, 20)
    (row,) = (await benches.client.get(PATH)).json()["items"]
    brief = [{name: one[name] for name in ("judge", "f1", "auroc")} for one in row["figures"]]
    assert brief == row["figures"]
    assert [one["judge"] for one in brief] == bench["judges"]
    assert brief[1]["f1"] == bench["summary"]["judges"][1]["f1"]
    rules, model = bench["summary"]["judges"]
    assert (rules["judge"], model["judge"]) == ("offline:rules", MODEL)
    for judge in (rules, model):
        assert (judge["coverage"], judge["failed"], judge["hallucinated"]) == (1, 0, 5)
        assert judge["auroc"]["value"] == 1
        assert judge["latency_median_ms"] > 0
    assert (model["f1"]["value"], model["kappa"]["value"], model["spans"]["f1"]) == (1, 1, 1)
    assert model["brier"] == 0
    assert rules["cost_usd"] == 0
    assert model["cost_usd"] > 0
    assert model["prompt_tokens"] > 0
    assert stub.count == 10, "one call gives the verdict and the claims of an answer"
    assert {one["name"] for one in bench["summary"]["differences"]} == {
        "f1",
        "balanced_accuracy",
        "auroc",
    }


async def test_judges_say_what_they_would_by_the_criteria_in_force(benches, stub):
    async def estimate() -> int:
        form = {"judges": [MODEL, "offline"]}
        given = {"data": form, "files": {"file": ("a.jsonl", json.dumps(mixed(1)[0]).encode())}}
        return int((await benches.client.post(f"{PATH}/estimate", **given)).json()["prompt_tokens"])

    without = await estimate()
    tone = {"name": "tone", "question": "Is it polite?", "scale": ["rude", "cool", "polite"]}
    short = {"name": "short", "question": "Is it short?", "kind": "length", "max_chars": 5}
    for body in (tone, short):
        assert (await benches.client.post("/criteria", json=body)).status_code == 201
    stub.default = scoring(tone="cool")
    id_ = await start_bench(benches, mixed(2), "offline", MODEL)
    # It keeps those that it began with.
    assert (await benches.client.post("/criteria", json=tone | {"scale": []})).status_code == 201
    bench = await run_bench(benches, id_, **model_settings(stub))

    assert await estimate() > without
    shown = ("name", "mean", "scored", "answers")
    by_judge = [
        [tuple(each[name] for name in shown) for each in judge["criteria"]]
        for judge in bench["summary"]["judges"]
    ]
    assert by_judge == [
        [("short", 0, 2, 2), ("tone", None, 0, 2)],
        [("short", 0, 2, 2), ("tone", 0.5, 2, 2)],
    ]
    report = await benches.client.get(f"{PATH}/{id_}/report", params={"format": "html"})
    row = "<th>mean of tone (own criterion)</th><td>–</td><td>0.500 (2 of 2)</td>"
    assert row in report.text


async def test_two_prompts_of_one_model_are_measured_side_by_side(benches, stub):
    short = f"{MODEL}@search-qa-eval-6"
    id_ = await start_bench(benches, mixed(4), f"{MODEL}@search-qa-eval-5", short)

    bench = await run_bench(benches, id_, **model_settings(stub))

    assert bench["judges"] == [MODEL, short]
    assert [one["f1"]["value"] for one in bench["summary"]["judges"]] == [1, 1]
    assert [one["spans"]["f1"] for one in bench["summary"]["judges"]] == [1, 1]
    assert stub.count == 8
    by_number = [isinstance(material(one.json)["sentences"], dict) for one in stub.requests]
    assert sorted(by_number) == [False] * 4 + [True] * 4


async def test_a_jury_takes_no_call_of_its_own(benches, stub):
    judges = [*(f"openai:{name}" for name in "abcd"), MODEL, "jury"]
    id_ = await start_bench(benches, mixed(4), *judges)
    bench = await run_bench(benches, id_, **model_settings(stub))

    assert (bench["status"], bench["total"], stub.count) == ("completed", 20, 20)
    jury = bench["summary"]["judges"][-1]
    assert (jury["judge"], jury["answers"], jury["f1"]["value"]) == ("jury", 4, 1)


async def test_models_judge_each_answer_as_often_as_is_asked(benches, stub):
    """The judge changes its mind from one call to the next; rules are asked once."""

    calls: Counter[str] = Counter()

    def wavering(request: Json) -> str:
        asked = request["messages"][-1]["content"]
        calls[asked] += 1
        odd = calls[asked] % 2
        return json.dumps(verdict_reply(request, "supported" if odd else "unsupported"))

    stub.default = answer(wavering)
    form = {"judges": [MODEL, "offline"], "repeats": "3"}
    items = [{**each, "question": f"{each['id']}번 변성은 몇 도인가요?"} for each in mixed(4)]
    lines = "\n".join(map(json.dumps, items)).encode()
    given = {"data": form, "files": {"file": ("a.jsonl", lines)}}
    cost = (await benches.client.post(f"{PATH}/estimate", **given)).json()
    id_ = (await benches.client.post(f"{PATH}/import", **given)).json()["id"]
    bench = await run_bench(benches, id_, **model_settings(stub))

    assert (bench["status"], bench["repeats"], bench["total"]) == ("completed", 3, 8)
    assert stub.count == cost["calls"] == 12
    model, rules = bench["summary"]["judges"]
    assert rules["steadiness"] is None
    assert (model["steadiness"]["repeats"], model["steadiness"]["answers"]) == (3, 4)
    assert model["steadiness"]["same_verdict"]["value"] == 0
    assert model["steadiness"]["spread"]["value"] > 0.4
    rows = await benches.world.rows("SELECT score, scores FROM judge_bench_results ORDER BY judge")
    assert [row["scores"] for row in rows[:4]] == [None] * 4
    assert all(row["scores"][0] == row["score"] and len(row["scores"]) == 3 for row in rows[4:])
    refused = await benches.client.post(PATH, json={"judges": [MODEL], "repeats": 11})
    assert refused.status_code == 422


async def test_places_are_compared_only_where_people_marked_some_and_it_is_wanted(benches, stub):
    unmarked = await run_bench(
        benches, await start_bench(benches, mixed(4, spans=False), MODEL), **model_settings(stub)
    )
    assert stub.count == 4
    assert unmarked["summary"]["judges"][0]["spans"] is None

    id_ = await start_bench(benches, mixed(4), MODEL, judge_spans=False)
    unwanted = await run_bench(benches, id_, **model_settings(stub))
    assert stub.count == 8
    assert unwanted["summary"]["judges"][0]["spans"] is None


async def test_what_was_judged_before_a_death_is_not_judged_again(benches, stub):
    id_ = await start_bench(benches, mixed(50, spans=False), MODEL)
    world, changed = benches.world, settings(**model_settings(stub))
    first, second, _ = [job["id"] for job in await jobs_of(benches)]
    async with Providers(changed) as providers:

        async def as_a_process(job: Job) -> None:
            await judge_bench_part(job, world.job_context(job, changed, providers))

        held = await world.jobs.claim([first, second], [JUDGE_BENCH], 2)
        done, halfway = sorted(held, key=lambda job: job.payload["first"])
        await as_a_process(done)  # and then the process dies before it can say so
        dying = asyncio.create_task(as_a_process(halfway))
        await eventually(lambda: detail(benches, id_), when=lambda found: found["done"] >= 25)
        dying.cancel()
        with suppress(asyncio.CancelledError):
            await dying
    for job_id in (first, second):
        await end_lease(world, job_id)
    assert await world.jobs.reap() == 2
    rows = partial(world.rows, "SELECT position, created_at FROM judge_bench_results")
    before = {row["position"]: row["created_at"] for row in await rows()}
    paid = stub.count
    assert 25 <= len(before) < 40

    bench = await run_bench(benches, id_, **model_settings(stub))

    assert (bench["status"], bench["done"], bench["failed"]) == ("completed", 50, 0)
    assert stub.count == paid + 50 - len(before)
    after = {row["position"]: row["created_at"] for row in await rows()}
    assert before.items() <= after.items()


async def test_two_workers_share_a_bench(benches, stub):
    id_ = await start_bench(benches, mixed(60, spans=False), MODEL)

    one, other = await asyncio.gather(
        run_bench(benches, id_, bulk_in_flight=1, **model_settings(stub)),
        run_bench(benches, id_, bulk_in_flight=1, **model_settings(stub)),
    )

    assert one["status"] == other["status"] == "completed"
    assert stub.count == 60
    assert [job["status"] for job in await jobs_of(benches)] == ["succeeded"] * 3


@pytest.mark.parametrize("by_job", [True, False])
async def test_cancelled_it_ends_with_all_of_its_jobs(benches, *, by_job):
    id_ = await start_bench(benches, mixed(50), "offline")
    _, second, _ = await jobs_of(benches)

    path = f"/jobs/{second['id']}/cancel" if by_job else f"{PATH}/{id_}/cancel"
    assert (await benches.client.post(path)).status_code == 200

    bench = await detail(benches, id_)
    assert (bench["status"], bench["summary"]) == ("cancelled", None)
    assert bench["finished_at"]
    assert [job["status"] for job in await jobs_of(benches)] == ["cancelled"] * 3
    again = await benches.client.post(f"{PATH}/{id_}/cancel")
    assert (again.status_code, again.json()["type"].rpartition(":")[2]) == (409, "bench-ended")


async def test_a_cancelled_worker_writes_nothing_more(benches, stub):
    id_ = await start_bench(benches, mixed(5, spans=False), MODEL)
    world, changed = benches.world, settings(**model_settings(stub))
    (job,) = await world.jobs.claim([(await jobs_of(benches))[0]["id"]], [JUDGE_BENCH], 1)
    stub.script(*[answer(judging, latency=0.3)] * 5)
    async with Providers(changed) as providers:
        context = world.job_context(job, changed, providers)
        working = asyncio.create_task(judge_bench_part(job, context))
        await stub.until_in_flight(4)
        await benches.client.post(f"{PATH}/{id_}/cancel")
        with pytest.raises(JobLost):
            await working

    bench = await detail(benches, id_)
    assert (bench["status"], bench["done"]) == ("cancelled", 0)
    assert stub.count == 4, "nothing more was asked"


async def test_bad_lines_are_reported_and_left_out(benches):
    lines = [json.dumps(one) for one in mixed(4)]
    lines[1:1] = ["{", '{"answer": "a"}']
    response = await benches.client.post(
        f"{PATH}/import",
        data={"judges": ["offline", "offline:rules"], "name": "lines.jsonl"},
        files={"file": ("lines.jsonl", "\n".join(lines).encode())},
    )

    assert response.status_code == 202, response.text
    bench = response.json()
    assert [one["line"] for one in bench["rejected"]] == [2, 3]
    assert bench["rejected"][1]["reason"].startswith("passages: Field required")
    assert (bench["items"], bench["rejected_lines"], bench["judges"]) == (4, 2, ["offline:rules"])


@for_each(
    ("body", "message"),
    [
        ({"judges": ["offline"], "items": [{"answer": 1}]}, "None of 1 lines is a labelled"),
        ({"judges": ["offline:extractive"], "items": mixed(2)}, "does not judge"),
        ({"judges": ["gpt"], "items": mixed(2)}, "'gpt' is not a model name"),
        ({"judges": ["anthropic:claude"], "items": mixed(2)}, "anthropic models need a key"),
        ({"judges": ["stored"], "items": mixed(2)}, "Only answers with feedback"),
        ({"judges": ["offline"]}, "feedback"),
        ({"judges": ["offline"], "items": mixed(2), "labels": "all"}, "labels choose among"),
        ({"judges": [f"{MODEL}@search-qa-eval-9"], "items": mixed(2)}, "search-qa-eval-6"),
        ({"judges": [f"{MODEL}@search-qa-eval-1"], "items": mixed(2)}, "are search-qa-eval-5"),
        ({"judges": ["offline@search-qa-eval-6"], "items": mixed(2)}, "is sent no prompt"),
        ({"judges": ["stored@search-qa-eval-6"], "items": mixed(2)}, "not a model name"),
        ({"judges": [MODEL, "jury"], "items": mixed(2)}, "three models or more"),
    ],
)
async def test_unmeasurable_input_is_refused(benches, body, message):
    response = await benches.client.post(PATH, json=body)

    assert response.status_code == 422
    assert message in response.json()["detail"]
    assert await benches.world.rows("SELECT id FROM judge_benches") == []
    assert await jobs_of(benches) == []


async def test_a_judge_that_refuses_every_answer_has_no_figures(benches, stub):
    stub.script(*[status(401)] * 6)
    bench = await run_bench(
        benches, await start_bench(benches, mixed(6), MODEL), **model_settings(stub)
    )

    (judge,) = bench["summary"]["judges"]
    assert (bench["status"], bench["failed"]) == ("completed", 6)
    assert (judge["answers"], judge["failed"], judge["coverage"]) == (0, 6, 0)
    assert judge["f1"]["value"] is judge["auroc"]["value"] is judge["brier"] is None
    assert judge["first_error"].startswith("configuration: ")
    assert bench["error_message"] == judge["first_error"]


async def test_a_judge_that_is_down_is_retried_and_then_reported(benches, stub):
    stub.script(*[status(503)] * 6)
    id_ = await start_bench(benches, mixed(3, spans=False), MODEL)

    bench = await run_bench(
        benches, id_, max_attempts=2, retry_base=0.01, retry_max=0.01, **model_settings(stub)
    )

    (judge,) = bench["summary"]["judges"]
    assert (judge["failed"], stub.count) == (3, 6)
    assert judge["first_error"].startswith("transient: ")


async def test_nonsense_is_a_failure_and_no_score(benches, stub):
    stub.script(*[answer(reply_text("as an expert I would say 1.0"))] * 2)
    bench = await run_bench(
        benches, await start_bench(benches, mixed(1, spans=False), MODEL), **model_settings(stub)
    )

    (judge,) = bench["summary"]["judges"]
    assert (judge["answers"], judge["failed"]) == (0, 1)
    assert judge["prompt_tokens"] > 0, "it was paid for"
    (row,) = await benches.world.rows("SELECT score, predicted FROM judge_bench_results")
    assert (row["score"], row["predicted"]) == (None, None)


async def test_an_estimate_spends_and_stores_nothing(benches, stub):
    lines = "\n".join(json.dumps(one) for one in mixed(10)).encode()

    async def estimate(**fields: object) -> dict[str, Any]:
        response = await benches.client.post(
            f"{PATH}/estimate", data=fields, files={"file": ("lines", lines)}
        )
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    whole = await estimate(judges=[MODEL, "offline"])
    part = await estimate(judges=[MODEL], limit=4, judge_spans="false")
    free = await estimate(judges=["offline"])
    short = await estimate(judges=[f"{MODEL}@search-qa-eval-6", "offline"])

    assert (whole["items"], whole["hallucinated"], whole["calls"]) == (10, 5, 10)
    assert (part["items"], part["calls"]) == (4, 4)
    assert 0 < part["cost_usd"] < whole["cost_usd"]
    assert (free["calls"], free["cost_usd"]) == (0, 0)
    assert short["calls"] == whole["calls"]
    assert short["cost_usd"] < whole["cost_usd"]
    assert stub.count == 0
    assert await benches.world.rows("SELECT id FROM judge_benches") == []


async def test_an_estimate_errs_upwards(benches, stub):
    lines = "\n".join(json.dumps(one) for one in mixed(4)).encode()
    asked = await benches.client.post(
        f"{PATH}/estimate", data={"judges": [MODEL]}, files={"file": ("lines", lines)}
    )

    bench = await run_bench(
        benches, await start_bench(benches, mixed(4), MODEL), **model_settings(stub)
    )

    assert asked.json()["calls"] == stub.count
    assert bench["summary"]["judges"][0]["completion_tokens"] < asked.json()["completion_tokens"]


async def test_a_sample_says_what_it_was_drawn_from(benches):
    id_ = await start_bench(benches, mixed(30), "offline", limit=10, seed=3, threshold=0.8)
    bench = await run_bench(benches, id_)
    assert (bench["items"], bench["available"], bench["seed"]) == (10, 30, 3)
    assert bench["hallucinated"] == 5
    assert bench["summary"]["judges"][0]["threshold"] == 0.8


async def test_reports(benches):
    id_ = await start_bench(benches, mixed(10), "offline", name="<script>|x")
    await run_bench(benches, id_)

    async def report(format_: str) -> Any:
        response = await benches.client.get(f"{PATH}/{id_}/report", params={"format": format_})
        assert response.status_code == 200
        return response

    html = (await report("html")).text
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "http" not in html, "it loads nothing"
    assert "balanced accuracy" in html
    markdown = (await report("markdown")).text
    assert "\\<script\\>\\|x" in markdown
    assert "| AUROC | 1.000 \\[1.000, 1.000\\] |" in markdown
    assert (await report("json")).json() == await detail(benches, id_)


async def test_feedback_takes_the_place_of_a_file(benches):
    """Two answers that people called right and wrong, and one that nobody has labelled."""
    given = [(TRUE, "right", 0.9), (FALSE, "wrong", 0.8), (TRUE, None, 0.9)]
    for number, (text, label, correctness) in enumerate(given):
        body = {
            "question": "변성은 몇 도인가요?",
            "answer": text,
            "sources": [{"content": PASSAGE}] * 2,
        }
        sent = await benches.client.post(
            "/qa-evaluations", json=body, headers={"Idempotency-Key": f"an-answer-{number}"}
        )
        id_ = sent.json()["id"]
        if label:
            path = f"/qa-evaluations/{id_}/feedback"
            assert (await benches.client.post(path, json={"label": label})).status_code == 200
        await benches.judge_next(verdict(correctness))

    asked = await benches.client.post(f"{PATH}/estimate", data={"judges": ["offline", MODEL]})
    response = await benches.client.post(PATH, json={"judges": ["stored", "offline"]})
    assert response.status_code == 202, response.text
    bench = await run_bench(benches, response.json()["id"])

    assert asked.json()["calls"] == 2, "people have marked no places"
    assert (bench["source"], bench["items"], bench["hallucinated"]) == ("feedback", 2, 1)
    stored, rules = bench["summary"]["judges"]
    assert (stored["judge"], stored["answers"], stored["recall"]["value"]) == ("stored", 2, 0)
    assert stored["brier"] == pytest.approx((0.01 + 0.64) / 2)
    assert rules["auroc"]["value"] == 1

    one = await benches.client.post(PATH, json={"judges": ["stored"], "limit": 1})
    assert (one.json()["items"], one.json()["available"]) == (1, 2)


async def test_deleted_it_leaves_nothing(benches, stub):
    id_ = await start_bench(benches, mixed(30), "offline")

    assert (await benches.client.delete(f"{PATH}/{id_}")).status_code == 204

    assert (await benches.client.get(f"{PATH}/{id_}")).status_code == 404
    for table in ("judge_benches", "judge_bench_items", "judge_bench_results"):
        assert await benches.world.rows(f"SELECT workspace_id FROM {table}") == []
    assert {job["status"] for job in await jobs_of(benches)} == {"cancelled"}


async def test_benches_are_listed_newest_first(benches):
    ids = [await start_bench(benches, mixed(2), "offline", name=name) for name in ("a", "b", "c")]

    page = (await benches.client.get(PATH, params={"limit": 2})).json()
    rest = (await benches.client.get(PATH, params={"after": page["next"]})).json()

    assert [one["id"] for one in page["items"] + rest["items"]] == ids[::-1]
    assert "summary" not in page["items"][0]


class TestFeedbackOfDrawnAnswers:
    """60 Korean answers and 12 English ones, of which people find one in four wrong; the judge
    that readers saw finds all of them right."""

    @pytest.fixture
    async def here(self, benches: Api) -> uuid.UUID:
        workspace_id = await benches.world.workspace()
        for n in range(72):
            about = {"lang": "ko" if n < 60 else "en", "answer": TRUE if n % 4 else FALSE}
            await put_verdict(
                benches.world,
                workspace_id,
                answer={"id": uuid.UUID(int=n + 1), **about},
                sources=[{"note_index": 1, "content": PASSAGE, "cited": True}],
                cost_usd=0.002,
                # One judge that is configured no more.
                provider="openai" if n % 2 else "gone",
            )
        return workspace_id

    async def draw(self, api: Api, **body: object) -> None:
        period = {"since": "2026-03-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"}
        response = await api.client.post("/review/samples", json=period | {"seed": 7} | body)
        assert response.status_code == 201, response.text

    async def label(self, api: Api, workspace_id: uuid.UUID, which: str) -> None:
        """Those of the answers `a` for which the SQL holds."""
        rows = await api.world.rows(
            "SELECT e.id, a.answer FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id"
            f" LEFT JOIN review_items i ON i.answer_id = a.id WHERE {which}"
        )
        for row in rows:
            label = "right" if row["answer"] == TRUE else "wrong"
            await put_label(api.world, workspace_id, row["id"], label)

    async def start(self, api: Api, *judges: str, **body: object) -> dict[str, Any]:
        response = await api.client.post(PATH, json={"judges": judges, **body})
        assert response.status_code == 202, response.text
        bench: dict[str, Any] = response.json()
        return bench

    async def test_is_weighed_and_the_doubtful_ones_are_left_out(self, benches, here):
        await self.draw(benches, size=40, stratify=["lang"])
        await self.label(benches, here, "i.answer_id IS NOT NULL OR a.lang = 'ko'")
        strata = await benches.world.rows(
            "SELECT s.name, count(*) AS drawn FROM review_items i"
            " JOIN review_strata s ON s.id = i.stratum_id GROUP BY 1 ORDER BY 1"
        )
        drawn = {row["name"]: row["drawn"] for row in strata}

        started = await self.start(benches, "stored", "offline")
        bench = await run_bench(benches, started["id"])

        assert (bench["items"], bench["available"], bench["rejected"]) == (40, 40, [])
        assert bench["frame"]["answers"] == 72
        assert bench["frame"]["strata"] == []
        sizes = [{"answers": 12, "labels": drawn["en"]}, {"answers": 60, "labels": drawn["ko"]}]
        assert sorted(bench["frame"]["cells"], key=lambda cell: cell["answers"]) == sizes
        assert bench["basis"]["en"].startswith(
            "Rests on 40 labels of answers drawn at random, which stand for 72 stored answers."
        )
        (compared,) = bench["summary"]["comparisons"]
        assert (compared["winner"], compared["labels"]) == ("offline:rules", 40)
        wrong = await benches.world.rows(
            "SELECT a.lang, count(*) FILTER (WHERE a.answer = %s) AS wrong FROM review_items i"
            " JOIN qa_answers a ON a.id = i.answer_id GROUP BY 1",
            FALSE,
        )
        of = {"en": 12, "ko": 60}
        missed = sum(of[row["lang"]] / drawn[row["lang"]] * row["wrong"] for row in wrong) / 72
        assert compared["agreement"]["first"] == pytest.approx(1 - missed)
        assert compared["agreement"]["second"] == 1
        assert compared["costs_per_1000_usd"] == pytest.approx([2, 0])
        assert "offline:rules agrees with people on" in compared["sentence"]["en"]
        notes = bench["summary"]["judges"][0]["notes"]
        assert any("gone:gpt-4o-mini (" in note for note in notes)
        page = (await benches.client.get(f"{PATH}/{bench['id']}/report")).text
        assert "offline:rules agrees with people on" in page
        assert "drawn at random" in page

    async def test_takes_all_labels_when_told_to_or_when_none_is_of_a_draw(self, benches, here):
        refused = await benches.client.post(PATH, json={"judges": ["stored"], "labels": "drawn"})
        assert refused.status_code == 422
        assert refused.json()["type"].endswith("no-drawn-labels")
        # Said of `searchqa policy learn` too, which has no such option.
        assert "`all`" not in refused.json()["detail"]
        await self.draw(benches, size=40)
        await self.label(benches, here, "i.answer_id IS NULL")

        alone = await self.start(benches, "stored")
        assert (alone["items"], alone["frame"]) == (32, None)
        assert "whoever picked the answers" in alone["basis"]["en"]

        await self.label(benches, here, "i.position <= 30")
        by_draw = await self.start(benches, "stored")
        everything = await self.start(benches, "stored", labels="all")
        assert (by_draw["items"], by_draw["frame"]["cells"]) == (
            30,
            [{"answers": 72, "labels": 30}],
        )
        assert (everything["items"], everything["frame"]) == (62, None)
        part = await self.start(benches, "stored", limit=10)
        assert (part["items"], part["available"]) == (10, 30)
        assert part["frame"]["cells"] == [{"answers": 72, "labels": 10}]
        asked = await benches.client.post(
            f"{PATH}/estimate", data={"judges": ["stored"], "labels": "all"}
        )
        assert asked.json()["items"] == 62

    async def test_names_what_has_no_label_and_what_has_no_verdict_any_more(self, benches, here):
        await self.draw(benches, size=60, stratify=["lang"])
        await benches.world.rows(
            "UPDATE review_items SET position = position + 1000 WHERE answer_id IN"
            " (SELECT id FROM qa_answers WHERE lang = 'en')"
        )
        await self.label(benches, here, "i.position <= 1000")
        await benches.world.rows(
            "UPDATE qa_evaluations SET is_current = false WHERE provider = 'gone'"
        )

        started = await self.start(benches, "stored", "offline")
        bench = await run_bench(benches, started["id"])

        assert bench["frame"]["strata"] == ["en"]
        assert "nothing is labelled there: en." in bench["basis"]["en"]
        stored = bench["summary"]["judges"][0]
        assert stored["failed"] > 0
        assert stored["first_error"] == "missing: the answer has no verdict that counts"
        (compared,) = bench["summary"]["comparisons"]
        assert compared["labels"] == stored["answers"] < bench["items"]
