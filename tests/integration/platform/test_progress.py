"""The progress of runs and jobs as server-sent events."""

import asyncio
import uuid

import pytest

from api_client import Api, Event, parse_events
from app.api import progress
from app.api.progress import ProgressHub
from app.experiments.runs.service import RunView
from app.platform.errors import NotFound
from app.platform.jobs.service import JobView
from app.platform.jobs.status import JobStatus
from run_rows import QUESTIONS, chunk_ids, put, started, stored, work


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "POLL_SECONDS", 0.01)


async def events(api: Api, path: str, last: str | None = None) -> list[Event]:
    headers = {"Last-Event-ID": last} if last else {}
    response = await api.client.get(path, headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return parse_events(response.text)


async def a_run(api: Api) -> str:
    pcr, incubator, _ = await chunk_ids(api)
    dataset = await stored(api, [pcr], [incubator])
    return await started(api, dataset["id"])


class TestRuns:
    async def test_are_followed_to_their_end(self, api):
        run_id = await a_run(api)
        path = f"/evaluation/runs/{run_id}/events"

        received, _ = await asyncio.gather(events(api, path), work(api))

        assert {event.name for event in received} == {"progress"}
        last = received[-1].data
        assert (last["status"], last["done"], last["cases"]) == ("completed", 2, len(QUESTIONS))
        assert "results" not in last
        done = [event.data["done"] for event in received]
        assert done == sorted(done)

    async def test_a_client_that_has_the_final_event_gets_204(self, api):
        run_id = await a_run(api)
        await work(api)
        path = f"/evaluation/runs/{run_id}/events"
        (end,) = await events(api, path)

        again = await api.client.get(path, headers={"Last-Event-ID": end.id or ""})
        other = await events(api, path, last="of another state")

        assert (again.status_code, again.content) == (204, b"")
        assert [event.data for event in other] == [end.data]

    async def test_a_seen_event_is_not_sent_again(self, api):
        run_id = await a_run(api)
        path = f"/evaluation/runs/{run_id}/events"
        seen = progress.state_id(
            progress_view((await api.client.get(f"/evaluation/runs/{run_id}/progress")).json())
        )

        received, _ = await asyncio.gather(events(api, path, last=seen), work(api))

        assert "pending" not in {event.data["status"] for event in received}
        assert received[-1].data["status"] == "completed"


def progress_view(data: object) -> progress.State:
    return RunView.model_validate(data)


class TestJobs:
    async def test_are_followed_to_their_end(self, api):
        id_ = await put(api.world)

        async def cancel() -> None:
            await api.client.post(f"/jobs/{id_}/cancel")

        received, _ = await asyncio.gather(events(api, f"/jobs/{id_}/events"), cancel())

        assert received[-1].data["status"] == "cancelled"
        assert received[-1].data["id"] == str(id_)

    async def test_there_is_no_stream_of_nothing(self, api):
        response = await api.client.get(f"/jobs/{uuid.uuid4()}/events")

        assert response.status_code == 404


def state(done: int, status: JobStatus = JobStatus.RUNNING) -> JobView:
    nothing = dict.fromkeys(
        ("total", "error", "started_at", "finished_at", "next_attempt_at"), None
    )
    return JobView(
        id=uuid.UUID(int=1),
        kind="count",
        payload={},
        status=status,
        attempt=1,
        done=done,
        created_at="2026-01-02T03:04:05Z",
        **nothing,
    )


class TestTheHub:
    async def test_many_readers_share_one_look(self):
        hub, looks = ProgressHub(), 0
        together = asyncio.Event()

        async def look() -> JobView:
            nonlocal looks
            looks += 1
            await together.wait()
            return state(looks, JobStatus.SUCCEEDED)

        async def read() -> int:
            async with hub.watching("job", look) as reader:
                return (await anext(reader)).done

        reading = [asyncio.create_task(read()) for _ in range(500)]
        await asyncio.sleep(0)
        together.set()

        assert await asyncio.gather(*reading) == [1] * 500
        assert looks == 1

    async def test_nothing_is_polled_without_readers(self):
        hub, looks = ProgressHub(), 0

        async def look() -> JobView:
            nonlocal looks
            looks += 1
            return state(looks)

        others = asyncio.all_tasks()
        async with hub.watching("job", look) as reader:
            await anext(reader)
            (looking,) = asyncio.all_tasks() - others
            assert not looking.done()

        assert looking.cancelled()
        assert looks >= 1

    async def test_watching_ends_when_the_job_is_deleted(self):
        hub = ProgressHub()
        there = [state(1)]

        async def look() -> JobView:
            if not there:
                raise NotFound("gone")
            return there.pop()

        async with hub.watching("job", look) as reader:
            assert [each.done async for each in reader] == [1]

    async def test_a_look_that_fails_is_taken_again(self):
        hub, tries = ProgressHub(), iter([OSError("away"), state(3, JobStatus.SUCCEEDED)])

        async def look() -> JobView:
            found = next(tries)
            if isinstance(found, OSError):
                raise found
            return found

        async with hub.watching("job", look) as reader:
            assert (await anext(reader)).done == 3

    async def test_a_slow_reader_misses_what_lies_between(self):
        reader = progress.ProgressReader()
        for done in range(1000):
            reader.offer(state(done))

        assert (await anext(reader)).done == 999
