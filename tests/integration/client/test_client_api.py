"""The Python client against the real API, served over a real socket; rules are the judge."""

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from searchqa_client import (
    AsyncSearchQA,
    Background,
    Note,
    SearchQA,
    errors,
    events,
    propagate_attributes,
)

import run_rows
from api_client import Api, import_notes, load_korean_model, served, token_of
from cases import TIMEOUT_SECONDS
from verdict_world import verdict
from workers import judged

pytest_plugins = "pytester"

QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "변성은 95도에서 합니다. [노트 1]"
NOTES = [
    Note(title="PCR 조건", content="PCR 변성은 95도에서 30초 동안 한다."),
    Note(title="배양기", content="배양기는 37도로 맞춘다."),
]


@pytest.fixture
async def url(api: Api) -> AsyncIterator[str]:
    await load_korean_model()
    async with served(api) as url:
        yield url


@pytest.fixture
async def client(api: Api, url: str) -> AsyncIterator[AsyncSearchQA]:
    async with AsyncSearchQA(url, token_of(api), lang="en") as client:
        yield client


async def test_an_answer_gets_its_verdict(client, world):
    async with judged(world):
        handle = await client.submit(QUESTION, ANSWER, NOTES, model="ours", feature="search_qa")
        evaluation = await handle.wait(timeout=TIMEOUT_SECONDS)

    assert (evaluation.status, evaluation.judged_by) == ("succeeded", "rules")
    assert evaluation.id == handle.id
    assert evaluation.answer_id == handle.answer_id
    assert evaluation.qa_evaluation.source_coverage[0].note_title == "PCR 조건"
    assert (await handle.get()).status == "succeeded"


async def test_the_synchronous_client_does_the_same(api, url, world):
    def work() -> str:
        with SearchQA(url, token_of(api)) as client:
            handle = client.submit(QUESTION, ANSWER, NOTES)
            names = [type(event).__name__ for event in handle.events()]
            assert names[0] == "State"
            assert names[-1] == "Feedback"
            return handle.wait(timeout=TIMEOUT_SECONDS).status

    async with judged(world):
        assert await asyncio.to_thread(work) == "succeeded"


async def test_an_answer_that_is_sent_twice_is_judged_once(client):
    first = await client.submit(QUESTION, ANSWER, NOTES, idempotency_key="answer-1")
    again = await client.submit(QUESTION, ANSWER, NOTES, idempotency_key="answer-1")
    other = await client.submit(QUESTION, ANSWER, NOTES)

    assert first.id == again.id != other.id
    with pytest.raises(errors.Conflict, match=r"Idempotency-Key"):
        await client.submit(QUESTION, "Something else.", NOTES, idempotency_key="answer-1")


async def test_an_answer_is_guarded_and_judged_besides(client, world, url):
    with propagate_attributes(app_version="1.4.2"):
        found = await client.guard(QUESTION, ANSWER, NOTES, within=TIMEOUT_SECONDS)
        wrong = await client.guard(
            QUESTION, "변성은 72도에서 합니다. [노트 1]", NOTES, within=TIMEOUT_SECONDS
        )
        nul = await client.guard(QUESTION, "\x00", NOTES, within=TIMEOUT_SECONDS)
        long = await client.guard(QUESTION, "가" * 50_001, NOTES, within=TIMEOUT_SECONDS)

    assert found.allowed
    assert found.evaluation_id
    assert (wrong.decision, wrong.claims[0].verdict) == ("hold", "unsupported")
    assert (nul.decision, nul.outcome) == (long.decision, long.outcome) == ("unknown", "refused")
    assert "NUL" in nul.reason
    rows = await world.rows("SELECT app_version FROM qa_answers ORDER BY id")
    assert [row["app_version"] for row in rows] == ["1.4.2"] * 2


async def test_waiting_ends_when_the_time_is_up(client):
    handle = await client.submit(QUESTION, ANSWER, NOTES)
    with pytest.raises(errors.NotFinished, match="is queued after 0") as caught:
        await handle.wait(timeout=0)
    assert caught.value.last.id == handle.id
    assert isinstance(caught.value, TimeoutError)


async def test_events_go_on_behind_the_one_that_was_seen(client, api):
    handle = await client.submit(QUESTION, ANSWER, NOTES)
    async with aclosing(handle.events()) as queued:
        first = await anext(queued)
    assert isinstance(first, events.State)
    assert first.status == "queued"

    await api.judge_next(verdict())
    rest = [event async for event in handle.events(first.event_id)]

    assert [type(event) for event in rest].count(events.Verdict) == 1
    assert rest[-1].event_id
    assert [event async for event in handle.events(rest[-1].event_id)] == []


async def test_changes_of_all_verdicts_are_sent(client):
    async with asyncio.timeout(TIMEOUT_SECONDS), aclosing(client.evaluations.changes()) as changes:
        handle = await client.submit(QUESTION, ANSWER, NOTES)
        async for change in changes:
            if isinstance(change, events.State):
                assert change.id == handle.id
                break


async def test_a_stream_gives_answer_and_verdict(client, api, world):
    await import_notes(api)
    async with judged(world):
        received = [event async for event in client.stream(QUESTION)]

    kinds = [type(event) for event in received]
    assert kinds[0] is events.Started
    assert kinds.index(events.Done) < kinds.index(events.State) < kinds.index(events.Verdict)
    text = "".join(event.text for event in received if isinstance(event, events.Chunk))
    assert "95도" in text


async def test_a_chat_from_notes_of_the_caller(client):
    reply = await client.chat(QUESTION, [*NOTES, "냉동고는 영하 80도이다."], lang="ko")

    assert "95도" in reply.content
    assert [note.title for note in reply.matched_notes][:1] == ["PCR 조건"]
    assert reply.quality.evaluation_id
    assert (await client.evaluations.get(reply.quality.evaluation_id)).answer == reply.content


async def test_verdicts_are_listed_filtered_and_exported(client, api):
    handles = [await client.submit(QUESTION, ANSWER, NOTES)]
    await api.judge_next(verdict())
    handles += [await client.submit(f"{QUESTION} {n}", ANSWER, NOTES) for n in range(2)]

    page = await client.evaluations.list(limit=2)
    rest = await client.evaluations.list(limit=2, after=page.next)
    assert [row.id for row in (*page.items, *rest.items)] == [h.id for h in reversed(handles)]
    queued = [row.id async for row in client.evaluations.iterate(status="queued", current=True)]
    assert len(queued) == 2

    lines = b"".join([piece async for piece in client.evaluations.export()]).splitlines()
    assert {json.loads(line)["id"] for line in lines} == {str(handle.id) for handle in handles}


async def test_people_label_an_answer(client):
    handle = await client.submit(QUESTION, ANSWER, NOTES)
    put = await client.feedback.put(handle.id, label="partly", comment="30초가 빠짐", author="kim")
    assert [each.id for each in await client.feedback.list(handle.id)] == [put.id]
    await client.feedback.delete(handle.id, put.id)
    assert await client.feedback.list(handle.id) == ()


async def test_criteria_are_kept_listed_and_archived(client):
    first = await client.criteria.create(
        name="tone", question="Is the answer polite?", scale=["rude", "polite"]
    )
    second = await client.criteria.create(name="tone", question="Is it friendly?")

    assert (first.version, second.version) == (1, 2)
    assert (await client.criteria.get(first.id)).scale == ["rude", "polite"]
    assert [one.id for one in (await client.criteria.list()).items] == [second.id, first.id]
    assert [one.id for one in (await client.criteria.list(in_force=True)).items] == [second.id]
    await client.criteria.archive(first.id)
    assert not (await client.criteria.list(in_force=True)).items
    with pytest.raises(errors.Invalid, match="scale"):
        await client.criteria.create(name="tone", question="?", scale=["one"])


async def test_a_run_is_started_awaited_and_read(client, api):
    chunks = await run_rows.chunk_ids(api)
    dataset = await client.datasets.create(
        name="baseline",
        test_cases=[{"question": "PCR 변성 온도는?", "ground_truth_chunk_ids": chunks[:1]}],
    )
    assert [each.id for each in (await client.datasets.list()).items] == [dataset.id]
    assert (await client.runs.estimate(dataset.id, k=3)).calls == 0

    run = await client.runs.start(dataset.id, k=3, retrieval="text")
    await run_rows.work(api)
    done = await client.runs.wait(run.id, timeout=TIMEOUT_SECONDS)

    assert done.status == "completed"
    assert len(done.results) == 1
    assert [each.id for each in (await client.runs.list(dataset.id)).items] == [run.id]
    with pytest.raises(errors.Conflict):
        await client.runs.cancel(run.id)
    await client.datasets.delete(dataset.id)
    with pytest.raises(errors.NotFound):
        await client.datasets.get(dataset.id)


async def test_refusals_say_why(api, url, client):
    with pytest.raises(errors.Invalid) as empty:
        await client.submit("", ANSWER)
    assert [each.at for each in empty.value.errors] == ["body.question"]
    with pytest.raises(errors.TooLarge):
        await client.submit(QUESTION, "x" * 3_000_000)
    with pytest.raises(errors.NotFound):
        await client.evaluations.get(uuid.uuid4())
    async with AsyncSearchQA(url, "no-token", lang="ko") as stranger:
        with pytest.raises(errors.Unauthorized, match="토큰"):
            await stranger.submit(QUESTION, ANSWER)


async def test_many_threads_hand_over_in_the_background(api, url, world):
    def work() -> None:
        with Background(url=url, token=token_of(api)) as background:
            threads = [
                threading.Thread(
                    target=lambda: [background.submit(QUESTION, ANSWER, NOTES) for _ in range(25)]
                )
                for _ in range(4)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            background.submit("", ANSWER)
            assert background.flush(60)
            assert (background.stats.sent, background.stats.dropped) == (100, {"http_422": 1})

    await asyncio.to_thread(work)
    assert (await world.rows("SELECT count(*) FROM qa_evaluations"))[0]["count"] == 100


async def test_the_pytest_plugin_asks_the_server(api, url, world, pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("SEARCHQA_URL", url)
    monkeypatch.setenv("SEARCHQA_TOKEN", token_of(api))
    notes = [note.model_dump() for note in NOTES]
    pytester.makepyfile(
        f"""
        def test_right(searchqa):
            verdict = searchqa.check({QUESTION!r}, {ANSWER!r}, {notes!r})
            assert (verdict.outcome, verdict.judge) == ("matches", "offline:rules")
            assert [claim.verdict for claim in verdict.claims] == ["supported"]

        def test_not_judged(searchqa):
            searchqa.check({QUESTION!r}, {ANSWER!r})
        """
    )

    plugins = ("-p", "searchqa_client.pytest")
    async with judged(world):
        found = await asyncio.to_thread(pytester.runpytest_subprocess, *plugins)

    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["*was not judged. no_context.*", "*::test_right *matches *"])


async def test_an_answer_is_added_to_a_dataset(client, world):
    async with judged(world):
        handle = await client.submit(QUESTION, ANSWER, NOTES)
        await handle.wait(timeout=TIMEOUT_SECONDS)

    added = await client.datasets.add_answer(evaluation_id=handle.id, name="regressions")
    again = await client.datasets.add_answer(evaluation_id=handle.id)

    assert (added.added, again.added) == (True, False)
    assert again.test_case.id == added.test_case.id
    dataset = await client.datasets.get(added.dataset_id)
    assert [note.content for note in dataset.test_cases[0].notes] == [n.content for n in NOTES]
