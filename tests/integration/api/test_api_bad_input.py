"""What is wrong is named, and nothing is stored by halves."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from pydantic import ValidationError

from api_client import Api, open_api
from app.api.datasets import DatasetGenerate
from app.api.evaluation_settings import CalibrationCreate, CascadeCreate
from app.api.judge_benches import BenchCreate
from app.api.review import DrawCreate, FeedbackCreate
from app.api.runs import RunEvaluation
from app.api.schemas import StrictBody
from cases import for_each
from verdict_world import open_world

pytestmark = pytest.mark.asyncio(loop_scope="module")

BAD_QUESTIONS: list[tuple[Any, str]] = [
    ({"content": ""}, "content"),
    ({"content": "   "}, "content"),
    ({"content": "가" * 4001}, "content"),
    ({"content": "nul \x00"}, "content"),
    ({"content": 5}, "content"),
    ({"content": "질문", "feature": "poetry"}, "feature"),
    ({"content": "질문", "lang": "fr"}, "lang"),
    ({"content": "질문", "options": {"context_notes": "not a list"}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": [1, 2]}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["a"] * 201}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["가" * 50_001]}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["가" * 50_000] * 5}}, "context_notes"),
    ({"content": "질문", "options": {"note_titles": ["a"]}}, "note_titles"),
    ({"content": "질문", "options": {"context_notes": ["노트", "  "]}}, "context_notes"),
    ({"content": "질문", "options": {"mode": "dream"}}, "mode"),
    ({"content": "질문", "colour": "red"}, "colour"),
    ("not an object", "body"),
]


class TestBadInput:
    @for_each("path", ["/ai/chat", "/ai/stream"])
    @for_each(("body", "named"), BAD_QUESTIONS)
    async def test_is_named_and_stores_nothing(self, api, path, body, named):
        response = await api.client.post(path, json=body)

        problem = response.json()
        assert response.status_code == 422, problem
        assert response.headers["content-type"] == "application/problem+json"
        assert named in json.dumps(problem["errors"])
        assert await api.world.rows("SELECT 1 FROM qa_answers") == []

    async def test_a_nul_in_any_text_is_named(self, api):
        body = {"question": "q", "answer": "a", "model": "m"}
        for name in body:
            response = await api.client.post("/qa-evaluations", json=body | {name: "x\x00"})
            assert response.status_code == 422, name
        others = {
            "/ai/chat": {"content": "q", "options": {"context_notes": ["x\x00"]}},
            "/evaluation/datasets": {
                "name": "x\x00",
                "test_cases": [{"question": "q", "ground_truth_chunk_ids": ["1"]}],
            },
            "/tokens": {"name": "x\x00", "scopes": ["read"]},
        }
        for path, other in others.items():
            response = await api.client.post(path, json=other)
            assert response.status_code == 422, path
            named = json.dumps(response.json()["errors"])
            assert "name" in named or "context_notes" in named

    async def test_a_nul_in_a_path_is_named(self, api):
        response = await api.client.post("/judges/openai:%00/resume")

        assert response.status_code == 422
        assert "judge_model" in response.json()["detail"]

    @for_each(
        ("lang", "message"),
        [
            ("ko", "주소에 있는 ID가 올바르지 않습니다."),
            ("en", "An id in the address is not valid"),
        ],
    )
    @for_each("path", ["/qa-evaluations/abc", "/notes?notebook_id=abc"])
    async def test_an_address_without_an_id_is_answered_in_the_callers_language(
        self, api, path, lang, message
    ):
        response = await api.client.get(path, headers={"Accept-Language": lang})

        problem = response.json()
        assert response.status_code == 422
        assert problem["detail"].startswith(message)
        assert [error["message"] for error in problem["errors"]] == [problem["detail"]]

    async def test_an_absent_database_is_said_to_be_absent(self, clean_database_url, redis_url):
        async with open_world(clean_database_url) as world, open_api(world, redis_url) as api:
            await self._without_its_database(api)

    async def _without_its_database(self, api: Api) -> None:
        await api.world.rows("ALTER TABLE qa_evaluations RENAME TO gone")
        broken = await api.client.get("/qa-evaluations")
        name = api.world.url.partition("?")[0].rpartition("/")[2]
        admin = api.world.url.replace(name, "postgres")
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
            away = await api.client.get("/qa-evaluations")
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

        assert (broken.status_code, away.status_code) == (500, 503)
        assert away.headers["Retry-After"] == "5"
        assert away.json()["type"] == "urn:searchqa:problem:database-unavailable"

    async def test_ten_megabytes_are_too_much(self, api):
        body = {"content": "질문", "options": {"context_notes": ["x" * 10_000_000]}}

        async def unannounced() -> AsyncIterator[bytes]:
            yield json.dumps(body).encode()

        for sent in ({"json": body}, {"content": unannounced()}):
            response = await api.client.post("/ai/chat", **sent)

            assert response.status_code == 413
            assert response.headers["content-type"] == "application/problem+json"

    async def test_broken_json_is_named(self, api):
        response = await api.client.post(
            "/ai/chat", content=b'{"content": ', headers={"Content-Type": "application/json"}
        )

        assert response.status_code == 422
        assert response.headers["content-type"] == "application/problem+json"

    async def test_details_are_in_the_callers_language(self, api):
        path = f"/qa-evaluations/{uuid.uuid4()}"

        korean = await api.client.get(path, headers={"Accept-Language": "ko-KR,en;q=0.5"})
        english = await api.client.get(path, headers={"Accept-Language": "en"})

        assert "평가가 없습니다" in korean.json()["detail"]
        assert "no such evaluation" in english.json()["detail"]

    @for_each("after", ["x", "x|y", "MjAyNg==", "é"])
    async def test_a_bad_page_is_named(self, api, after):
        response = await api.client.get("/qa-evaluations", params={"after": after})

        assert response.status_code == 422

    async def test_a_bad_last_event_id_is_named(self, api):
        response = await api.client.get(
            "/qa-evaluations/events", headers={"Last-Event-ID": "yesterday"}
        )

        assert response.status_code == 422


NUMBERS: list[tuple[type[StrictBody], str]] = [
    (RunEvaluation, "k"),
    (DatasetGenerate, "questions_per_chunk"),
    (DatasetGenerate, "max_chunks_sample"),
    (DatasetGenerate, "seed"),
    (DrawCreate, "size"),
    (DrawCreate, "seed"),
    (FeedbackCreate, "claim_position"),
    (BenchCreate, "limit"),
    (CalibrationCreate, "precision"),
    (CascadeCreate, "max_loss"),
]


@for_each(("body", "name"), NUMBERS)
async def test_a_number_in_quotes_is_none(body, name):
    for value in ("5", True):
        with pytest.raises(ValidationError) as caught:
            body.model_validate({name: value})
        assert ("must be a number", (name,)) in [
            (error["msg"].removeprefix("Value error, "), error["loc"])
            for error in caught.value.errors()
        ]
