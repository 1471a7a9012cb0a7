"""The newest day beside those before it, and what a difference comes from."""

import datetime as dt
import uuid
from typing import Any
from unittest.mock import patch

import pytest

from analytics_rows import NOON, put_note, put_verdict
from api_client import Api
from app.quality.analytics import changes

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = dt.timedelta(days=1)


async def put_day(api: Api, here: uuid.UUID, day: int, score: float, count: int = 10, **about: Any):
    """Verdicts of the day, whose scores are a little apart. about: of the answer, or `sources`."""
    sources = about.pop("sources", ())
    for n in range(count):
        given = {"correctness": score + n % 2 / 50, "at": NOON + day * DAY, "sources": sources}
        await put_verdict(api.world, here, answer=about, **given)


async def changed(api: Api, **query: Any) -> dict[str, Any] | None:
    asked = {"since": "2026-03-01", "until": "2026-03-31"} | query
    response = await api.client.get("/analytics/what-changed", params=asked)
    assert response.status_code == 200, response.text
    return response.json()["changed"]


def model(name: str) -> dict[str, str]:
    return {"provider": "openai", "model": name}


async def test_a_worse_day_names_its_model_and_note(api, here):
    note = {"note_index": 1, "title": "재택근무 규정", "cited": True}
    for day in range(4):
        await put_day(api, here, day, 0.9, **model("answer-1"), sources=[note])
        await put_day(api, here, day, 0.9, **model("answer-1"))
    await put_day(api, here, 4, 0.9, **model("answer-1"))
    await put_day(api, here, 4, 0.2, **model("answer-2"), sources=[note])
    # Too few to be looked at.
    await put_day(api, here, 5, 0.9, count=3)

    found = await changed(api)

    assert found is not None
    assert (found["day"], found["compared_from"]) == ("2026-03-06", "2026-03-02")
    assert (found["scored"], found["scored_before"], found["outcome"]) == (20, 80, "worse")
    assert found["change"]["change"] == pytest.approx(-0.35)
    causes = {cause["dimension"]: cause for cause in found["causes"]}
    assert causes["answer_model"]["value"] == "openai:answer-2"
    assert causes["cited_note"]["name"] == "재택근무 규정"
    assert causes["answer_model"]["part"] == pytest.approx(1, abs=0.1)
    assert causes["cited_note"]["mean_after"] == pytest.approx(0.21)


async def test_copies_of_a_note_are_one_cause(api, here):
    text = "재택근무는 주 2일까지 할 수 있고, 신청은 Team Lead의 승인을 받아 3일 전까지 합니다."
    copies = sorted([await put_note(api.world, here, content_text=text) for _ in range(3)])
    for day in range(4):
        await put_day(api, here, day, 0.9, count=20)
    # Every answer cites two of them, which are one note, and few of them cite any one.
    for at in range(3):
        two = [copies[at], copies[at - 1]]
        cited = [{"note_index": n, "note_id": note, "cited": True} for n, note in enumerate(two, 1)]
        await put_day(api, here, 4, 0.2, count=10, sources=cited)
    await put_day(api, here, 4, 0.9, count=10)

    (cause,) = (await changed(api))["causes"]

    ids = " ".join(map(str, copies))
    assert (cause["dimension"], cause["value"]) == ("cited_note", ids)
    assert (cause["name"], cause["share_after"]) == ("노트", 0.75)
    query = {"cited_note": cause["value"], "limit": 200}
    listed = (await api.client.get("/qa-evaluations", params=query)).json()["items"]
    assert len(listed) == 30


async def test_a_sample_of_many_answers_names_no_false_cause(api, here):
    for day in range(4):
        await put_day(api, here, day, 0.9, count=30, **model("answer-1"))
    await put_day(api, here, 4, 0.2, count=60, **model("answer-1"))

    with patch.object(changes, "MAX_ANSWERS", 30):
        found = await changed(api)

    assert found is not None
    assert (found["scored"], found["scored_before"]) == (60, 120)
    assert (found["outcome"], found["causes"]) == ("worse", [])


async def test_another_judge_is_a_cause(api, here):
    await put_day(api, here, 0, 0.9, count=30)
    for n in range(30):
        given = {"correctness": 0.5 + n % 2 / 50, "judge_model": "openai:strict"}
        await put_verdict(api.world, here, at=NOON + DAY, **given)

    found = await changed(api)

    assert found is not None
    assert [(each["dimension"], each["value"]) for each in found["causes"]] == [
        ("judge_model", "openai:strict")
    ]


async def test_a_usual_day_names_no_cause(api, here):
    for day in range(3):
        for score in (0.1, 0.9):
            await put_day(api, here, day, score, **model(f"m{score}"))
    await put_day(api, here, 3, 0.1, count=6, **model("m0.1"))
    await put_day(api, here, 3, 0.9, count=5, **model("m0.9"))

    found = await changed(api)

    assert found is not None
    assert (found["outcome"], found["causes"]) == ("usual", [])


async def test_nothing_before_is_no_change_and_filters_apply(api, here):
    await put_day(api, here, 0, 0.9, environment="test")
    await put_day(api, here, 1, 0.1, count=12)
    assert await changed(api, environment="test") is None
    assert await changed(api, until="2026-03-02") is None
    assert (await changed(api))["scored"] == 12


async def test_a_note_says_how_its_answers_fared(api, here):
    note = await put_note(api.world, here)
    now = dt.datetime.now(dt.UTC)
    source = {"note_index": 1, "note_id": note, "cited": True}
    await put_verdict(api.world, here, at=now, correctness=0.9, sources=[source])
    misquoted = source | {"quote_found": False}
    low = await put_verdict(api.world, here, at=now, correctness=0.1, sources=[misquoted])
    await api.world.rows(
        "UPDATE qa_evaluation_sources SET quote = '20일' WHERE evaluation_id = %s", low
    )
    await put_verdict(api.world, here, at=now, sources=[source | {"cited": False}])
    await put_verdict(api.world, here, at=now, degraded=True, sources=[source])
    refused = {"correctness": 1.0, "outcome": "rightly_refused"}
    await put_verdict(api.world, here, at=now, sources=[source], **refused)
    await put_verdict(api.world, here, at=now - 100 * DAY, sources=[source])

    response = await api.client.get(f"/notes/{note}/quality", params={"tz": "Asia/Seoul"})

    found = response.json()
    (week,) = found.pop("weeks")
    (misquote,) = found.pop("misquotes")
    assert found.pop("last_given_at") is not None
    assert found == {
        "days": 90,
        "given": 5,
        "cited": 4,
        "scored": 2,
        "ungrounded": 1,
        "misquoted": 1,
        "correctness": pytest.approx(0.5),
    }
    assert (week["cited"], week["correctness"]) == (4, pytest.approx(0.5))
    assert (misquote["evaluation_id"], misquote["quote"]) == (str(low), "20일")
    everything = await api.client.get(f"/notes/{note}/quality", params={"days": 366})
    assert everything.json()["given"] == 6


async def test_a_note_that_is_not_there_has_no_quality(api, here):
    assert (await api.client.get(f"/notes/{uuid.uuid4()}/quality")).status_code == 404
    given = {"tz": "Nowhere"}
    response = await api.client.get(f"/notes/{uuid.uuid4()}/quality", params=given)
    assert response.status_code == 422
