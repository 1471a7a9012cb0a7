"""Jobs over HTTP."""

import uuid

import pytest

from api_client import all_pages
from run_rows import KIND, job, put

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_job_tells_how_far_it_is(api):
    id_ = await put(api.world, note_id="n1")
    (claimed,) = await api.world.jobs.claim([id_], [KIND], 1)
    await api.world.jobs.extend(claimed, 3, 10)

    job = (await api.client.get(f"/jobs/{id_}")).json()

    assert (job["kind"], job["status"], job["done"], job["total"]) == (KIND, "running", 3, 10)
    assert job["payload"] == {"note_id": "n1"}
    assert job["next_attempt_at"] is None


async def test_a_job_that_is_tried_again_tells_why_and_when(api):
    id_ = await put(api.world)
    (claimed,) = await api.world.jobs.claim([id_], [KIND], 1)
    await api.world.jobs.retry(claimed, "transient: busy", 60)

    job = (await api.client.get(f"/jobs/{id_}")).json()

    assert (job["status"], job["error"]) == ("retrying", "transient: busy")
    assert job["next_attempt_at"]


async def test_the_list_has_pages_newest_first(api):
    ids = [str(await put(api.world)) for _ in range(5)]
    await put(api.world, "embed")

    found = await all_pages(api.client, "/jobs", kind=KIND, limit=2)

    assert [item["id"] for item in found] == ids[::-1]


async def test_the_list_can_be_of_one_status(api):
    id_ = await put(api.world)
    await put(api.world)
    (claimed,) = await api.world.jobs.claim([id_], [KIND], 1)
    await api.world.jobs.fail(claimed, "no")

    page = (await api.client.get("/jobs", params={"status": "failed"})).json()

    assert [item["id"] for item in page["items"]] == [str(id_)]


async def test_a_job_is_cancelled_once(api):
    id_ = await put(api.world)

    first = await api.client.post(f"/jobs/{id_}/cancel")
    again = await api.client.post(f"/jobs/{id_}/cancel")

    assert first.json()["status"] == "cancelled"
    assert first.json()["finished_at"]
    assert (again.status_code, again.json()) == (200, first.json())


async def test_ended_work_is_not_cancelled(api):
    id_ = await put(api.world)
    (claimed,) = await api.world.jobs.claim([id_], [KIND], 1)
    await api.world.jobs.finish(claimed)
    before = await job(api.world, id_)

    assert (await api.client.post(f"/jobs/{id_}/cancel")).json()["status"] == "succeeded"
    assert await job(api.world, id_) == before


async def test_what_is_not_there_is_said_in_the_readers_language(api):
    response = await api.client.get(f"/jobs/{uuid.uuid4()}", headers={"Accept-Language": "ko"})

    assert response.status_code == 404
    assert response.json()["detail"].startswith("그런 작업이 없습니다")
