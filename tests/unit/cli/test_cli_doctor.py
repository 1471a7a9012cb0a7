import asyncio
import re

import httpx
import pytest

from app.cli import checks, postgres_checks
from app.cli.checks import State
from app.operations.embedded import redis as embedded_redis
from app.platform.errors import SetupError
from app.platform.settings import Settings
from stub_server import Behaviour, Exchange, StubServer, answer, reply_text, status


@pytest.mark.parametrize(
    ("status", "storage", "state", "message"),
    [
        (200, "ok", State.OK, "http://127.0.0.1:1"),
        (503, "unreachable", State.BROKEN, "takes no writes"),
        (503, "disk full", State.BROKEN, "disk is full"),
        (404, "", State.BROKEN, "answers 404"),
    ],
)
def test_what_the_api_answers(status, storage, state, message):
    reply = httpx.Response(status, json={"postgresql": storage})
    transport = httpx.MockTransport(lambda _: reply)
    finding = checks.api("http://127.0.0.1:1", transport)
    assert finding.state is state
    assert message in finding.detail


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nowhere", "http://[::1"])
def test_an_api_that_is_not_there(url):
    finding = checks.api(url)
    assert finding.state is State.BROKEN
    assert "searchqa up" in finding.mend


def test_models_are_checked_without_being_called():
    settings = Settings(judge_model="openai:gpt-6-luna", answer_model="gpt-4o", sample_rate=0.25)
    answer, judge, share = checks.models(settings)
    assert answer.state is State.BROKEN
    assert "openai:gpt-6-luna" in answer.mend
    assert judge.state is State.BROKEN
    assert "OPENAI_API_KEY" in judge.mend
    assert (share.state, share.detail) == (State.NOTE, "25% of answers are judged")


def test_the_domain_pack_is_read():
    assert checks.domain_pack(Settings(domain_pack="waste_sorting")).state is State.OK
    finding = checks.domain_pack(Settings(domain_pack="nowhere.yaml"))
    assert (finding.state, "nowhere.yaml" in finding.detail) == (State.BROKEN, True)


def test_a_missing_redis_server_is_needed_only_without_an_address(monkeypatch):
    def missing() -> str:
        raise SetupError("No redis-server was found: install one.")

    monkeypatch.setattr(checks, "find_executable", missing)
    *_, without = checks.embedded_servers(Settings())
    assert (without.state, without.mend) == (State.BROKEN, "Install one.")
    *_, with_address = checks.embedded_servers(Settings(redis_url="redis://127.0.0.1:1/0"))
    assert with_address.state is State.NOTE
    assert embedded_redis.find_executable()


def test_a_database_that_is_not_there():
    (finding,) = postgres_checks.postgres("postgresql://ann:secret@127.0.0.1:1/notes", Settings())
    assert finding.state is State.BROKEN
    assert "secret" not in finding.detail


@pytest.mark.parametrize("address", ["redis://127.0.0.1:1/0", "http://127.0.0.1:1"])
def test_a_redis_that_is_not_there(address):
    finding = checks.redis(address)
    assert finding.state is State.BROKEN
    assert finding.mend


async def test_each_model_server_says_what_it_can_do():
    def refuse_schemas(model: Behaviour) -> Behaviour:
        async def behave(exchange: Exchange) -> None:
            refused = "response_format" in exchange.request.json
            await (status(500, "response_format") if refused else model)(exchange)

        return behave

    async with StubServer(refuse_schemas(answer(reply_text('{"answer": "Seoul"}')))) as stub:
        stub.models = [{"id": "\033[31mred"}, {"id": "x" * 100_000}]
        settings = Settings(
            *(None, {}),
            judge_model="openai:good",
            answer_model="ollama:good",
            ollama_base_url="http://127.0.0.1:9/v1",
            openai_base_url=stub.base_url,
            servers=f"edge={stub.base_url} house=http://127.0.0.1:9/v1",
        )
        away, good, edge, house = await asyncio.to_thread(
            lambda: list(checks.model_servers(settings))
        )

    assert (away.state, good.state) == (State.BROKEN, State.OK)
    assert (edge.state, house.state) == (State.NOTE, State.BROKEN)
    assert edge.detail == "no setting uses it; its models: edge:[31mred, edge:" + "x" * 100
    assert good.about == "Server of openai:good"
    assert re.fullmatch(r"format, \d+\.\d s, 100 \+ 20 tokens", good.detail)
