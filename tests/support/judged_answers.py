"""An answer that waits for its judge, and the verdict that a worker gives it, over HTTP."""

from collections.abc import Mapping
from typing import Any

from api_client import QUESTION, Api, import_notes
from app.ai_router.router import Providers
from app.verdicts.judging.context import JudgingContext
from app.verdicts.judging.judging import Judging
from stub_server import Json, StubServer
from verdict_world import set_policy, settings

MODEL = "openai:gpt-4o-mini"


def model_settings(stub: StubServer) -> dict[str, Any]:
    return {"openai_base_url": stub.base_url, "openai_api_key": "sk-test"}


async def queue_answer(api: Api, stub: StubServer, **policy: object) -> None:
    """An answer that waits to be judged under this policy."""
    policy = {"judge_model": MODEL, **policy}
    await set_policy(api.world, settings(**model_settings(stub)), **policy)
    await import_notes(api)
    response = await api.client.post("/ai/chat", json=QUESTION)
    assert response.status_code == 200, response.text


async def judged(api: Api, stub: StubServer) -> dict[str, Any]:
    """The verdict on it, as a worker gives it."""
    server = settings(**model_settings(stub))
    ids = [row["id"] for row in await api.world.rows("SELECT id FROM qa_evaluations")]
    (lease,) = await api.world.lifecycle.claim(ids)
    providers = Providers(server)
    judging = Judging(
        JudgingContext(
            server,
            router_for=lambda model: providers.router(model, deadline=5),
            save_reply=_keep_nothing,
            load_replies=_find_nothing,
        )
    )
    await api.world.lifecycle.record([(lease, await judging.judge(lease))])
    await providers.aclose()
    found: dict[str, Any] = (await api.client.get(f"/qa-evaluations/{lease.id}")).json()
    return found


async def _keep_nothing(_: object) -> None:
    return None


async def _find_nothing(_: object) -> Mapping[str, Any]:
    return {}


def system_of(request: Json) -> str:
    return str(request["messages"][0]["content"])
