"""Several model servers at once, each by its name."""

import logging

from api_client import QUESTION, import_notes, open_api
from app.notes.embedding import embed_notes
from app.notes.vectors import EMBED_JOB
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually
from judge_replies import well
from stub_server import Exchange, StubServer, answer, embed, status
from verdict_world import World, settings, store_answers
from worker.judge_loop import JudgeLoop
from workers import jobs_done, run, started

HOUSE_KEY = "sk-house-secret-31"


async def refuse_temperature(exchange: Exchange) -> None:
    refused = "temperature" in exchange.request.json
    error = {"error": {"message": "temperature is not supported"}}
    await (status(400, error) if refused else well())(exchange)


async def answer_and_embed(exchange: Exchange) -> None:
    embeds = exchange.request.path.endswith("/embeddings")
    await (embed(lambda _: [1.0, 0.0]) if embeds else answer())(exchange)


async def test_one_server_judges_and_another_answers_and_embeds(world: World, redis_url, caplog):
    caplog.set_level(logging.DEBUG)
    async with StubServer(refuse_temperature) as house, StubServer(answer_and_embed) as edge:
        given = {
            "servers": f"house={house.base_url} edge={edge.base_url}",
            "server_keys": f"house={HOUSE_KEY}",
            "judge_model": "house:m:8b",
            "answer_model": "edge:m:8b",
            "embedding_model": "edge:e5",
        }
        async with open_api(world, redis_url, **given) as api:
            await import_notes(api)
            async with jobs_done(world, {EMBED_JOB: embed_notes}, **given):
                await eventually(
                    lambda: world.rows("SELECT status FROM jobs"),
                    when=lambda rows: [row["status"] for row in rows] == ["succeeded"],
                )
            await api.client.post("/ai/chat", json=QUESTION)
        async with started(JudgeLoop(settings(**given), world.url)) as loop:
            (new,) = await world.rows(
                "SELECT e.id, a.provider FROM qa_evaluations e"
                " JOIN qa_answers a ON a.id = e.answer_id"
            )
            row = await run(world, loop, new["id"])
        refused = await world.rows("SELECT server, model, parts FROM refused_parts")

    assert new["provider"] == "edge"
    assert (row["status"], row["provider"], row["model"]) == ("succeeded", "house", "m:8b")
    paths = [request.path.rpartition("/")[2] for request in edge.requests]
    assert sorted(set(paths)) == ["completions", "embeddings"]
    assert {request.headers.get("authorization") for request in edge.requests} == {None}
    keys = {request.headers.get("authorization") for request in house.requests}
    assert keys == {f"Bearer {HOUSE_KEY}"}
    assert refused == [
        {"server": f"{house.base_url}/chat/completions", "model": "m:8b", "parts": ["temperature"]}
    ]
    assert HOUSE_KEY not in caplog.text + str(row) + repr(settings(**given))


async def test_the_prompt_fits_the_context_that_the_server_lists(world: World):
    small = {"id": "m:8b", "max_model_len": 2048}
    async with StubServer(well(), models=[small]) as house:
        given = {"servers": f"house={house.base_url}", "judge_model": "house:m:8b"}
        policy = EvaluationPolicy.from_settings(settings(**given))
        (new,) = await store_answers(world, policy=policy)
        async with started(JudgeLoop(settings(**given), world.url)) as loop:
            row = await run(world, loop, new.evaluation_id)
        issues = await world.rows("SELECT kind FROM qa_evaluation_issues")

    (request,) = house.requests
    assert request.json["max_tokens"] == 1024
    assert row["status"] == "succeeded"
    assert {"kind": "prompt_shortened"} in issues
