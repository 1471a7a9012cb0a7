"""Prompts of workspaces for tests."""

import uuid
from typing import Any

from api_client import Api
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from verdict_world import World

# What the judge is asked by that no shipped prompt says.
STRICTER = "단위가 하나라도 빠지면 supported라고 쓰지 마세요."


def stricter(version: str = DEFAULT_PROMPT, added: str = STRICTER) -> str:
    """The Korean instructions of a shipped prompt with a sentence more."""
    return f"{ONE_CALL_PROMPTS[version].system['ko']}\n{added}"


async def keep_prompt(api: Api, name: str = "strict", **changes: Any) -> dict[str, Any]:
    """The next version of a name, as the API tells it."""
    body = {"name": name, "parent": DEFAULT_PROMPT, "texts": {"ko": stricter()}, "note": "단위"}
    response = await api.client.post("/judge-prompts", json=body | changes)
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


async def put_trial(world: World, evaluation_id: uuid.UUID | str) -> str:
    """A trial of an answer that has ended, whose model need not be there; its id."""
    (row,) = await world.rows(
        "INSERT INTO judge_trials (id, workspace_id, evaluation_id, judge_model, prompt, lang,"
        " made_by, error, finished_at) SELECT gen_random_uuid(), e.workspace_id, e.id,"
        " 'openai:gpt-4o-mini', %s, 'ko', 'test', 'transient: busy', now()"
        " FROM qa_evaluations e WHERE e.id = %s RETURNING id",
        DEFAULT_PROMPT,
        evaluation_id,
    )
    return str(row["id"])
