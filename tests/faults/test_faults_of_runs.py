"""A bulk worker that is killed in the middle of a dataset run."""

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from harness import MODEL, Stack
from victims import Process

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.service import create_dataset
from app.experiments.models import EvaluationType
from app.experiments.runs.run_models import RunModels
from app.experiments.runs.service import start_run
from app.judges.estimate import TWO_PROMPTS
from app.notes.service import import_notes
from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from app.workspaces.service import ensure_workspace
from cases import eventually
from stub_behaviours import Json, answer
from verdict_world import imported_note, settings

CASES = 80
# Long enough for a busy machine, where a worker loads its Korean model during its first job.
LEASE: dict[str, Any] = {"job_lease": 10, "bulk_in_flight": 2}
_QUESTION = re.compile("시료번호([0-9]{3}) 보관 온도는")
# Equal for every worker that measures a case, at any time.
_FIGURES = """
SELECT position, question, retrieved_chunk_ids, precision, recall, hit, reciprocal_rank, ndcg,
    generated_answer, faithfulness, faithfulness_reasoning, answer_relevancy, prompt_tokens, error
FROM eval_results WHERE run_id = %s ORDER BY position
"""


def bulk_worker(number: str, settings: Settings, environment: Mapping[str, str]) -> Part:
    """One of several, with a name."""
    part = parts.bulk_worker(settings, environment)
    command = [word.replace("bulk@", f"bulk-{number}@") for word in part.program.command]
    program = replace(part.program, command=command)
    return replace(part, name=f"worker-{number}", program=program)


def by_request(request: Json) -> str:
    """Always the same to the same request, and seldom to another."""
    if "response_format" not in request:
        return f"답은 {question_number(request)}입니다. [노트 1]"
    digest = hashlib.sha256(str(question_number(request)).encode()).digest()
    return json.dumps({"reasoning": "stub", "score": digest[0] / 255})


def question_number(request: Json) -> int:
    """Of the question; notes say it in other words."""
    found = _QUESTION.search(request["messages"][-1]["content"])
    assert found, request
    return int(found[1])


async def dataset(stack: Stack) -> uuid.UUID:
    """A question and a note for each of the samples."""
    sessions = stack.world.sessions
    async with sessions.begin() as session:
        workspace_id = await ensure_workspace(session)
    notes = [
        imported_note(
            f"시료번호{number:03} 보관 온도는 영하 {number}도이다.", title=f"시료 {number}"
        )
        for number in range(CASES)
    ]
    await import_notes(sessions, workspace_id, notes, notebook="n")
    rows = await stack.world.rows("SELECT c.id, c.content FROM note_chunks c ORDER BY c.content")
    cases = [
        TestCase(f"{row['content'][:7]} 보관 온도는?", (str(row["id"]),), None, "ko")
        for row in rows
    ]
    async with sessions.begin() as session:
        return await create_dataset(
            session, workspace_id, "samples", cases, notebook_id=None, origin={"kind": "imported"}
        )


async def run(stack: Stack, dataset_id: uuid.UUID, model: str) -> uuid.UUID:
    given = settings()
    models = RunModels(model or given.answering.model, model or given.judge.model, TWO_PROMPTS)
    async with stack.world.sessions.begin() as session:
        return await start_run(
            session,
            await ensure_workspace(session),
            dataset_id,
            k=3,
            evaluation_type=EvaluationType.FULL_RAG,
            retrieval=None,
            models=models,
            settings=given,
        )


async def figures(stack: Stack, run_id: uuid.UUID) -> list[dict[str, Any]]:
    return await stack.world.rows(_FIGURES, run_id)


async def completes(stack: Stack, run_id: uuid.UUID) -> dict[str, Any]:
    """The summary of the run, without what depends on time."""

    async def ended() -> bool:
        (row,) = await stack.world.rows("SELECT status FROM eval_runs WHERE id = %s", run_id)
        return row["status"] not in {"pending", "running"}

    await eventually(ended)
    (row,) = await stack.world.rows("SELECT * FROM eval_runs WHERE id = %s", run_id)
    assert (row["status"], row["error_message"]) == ("completed", None)
    summary: dict[str, Any] = row["summary"]
    del summary["mean_latency_ms"]
    return summary


async def start(stack: Stack) -> Process:
    (worker,) = await stack.start(dispatchers=0, worker=bulk_worker)
    return worker


@pytest.mark.slow_fault
@pytest.mark.parametrize("model", [MODEL, ""], ids=["model", "offline"])
async def test_killed_in_the_middle_of_a_run(open_, remark, model):
    stack = await open_(**LEASE)
    stack.judge.default = answer(by_request, latency=0.05)
    stack.judge.requests = type(stack.judge.requests)(maxlen=None)
    await stack.start(workers=0)
    dataset_id = await dataset(stack)
    killed = await start(stack)
    disturbed = await run(stack, dataset_id, model)

    async def ten_measured() -> bool:
        return len(await figures(stack, disturbed)) >= 10

    await eventually(ten_measured)
    killed.kill()
    finished = await figures(stack, disturbed)
    assert 10 <= len(finished) < CASES, "it was killed in the middle"
    other = await start(stack)

    summary = await completes(stack, disturbed)

    after = await figures(stack, disturbed)
    assert [row["position"] for row in after] == list(range(CASES)), "none lost, none doubled"
    assert [row for row in after if row in finished] == finished
    asked_again = {
        question_number(request.json)
        for request in stack.judge.requests
        if request.headers["authorization"].endswith(other.name)
    }
    paid = {int(row["question"][4:7]) for row in finished}
    assert not asked_again & paid, "a finished case is not paid for again"
    assert len(asked_again) == (CASES - len(finished) if model else 0)

    undisturbed = await run(stack, dataset_id, model)
    assert await completes(stack, undisturbed) == summary
    assert await figures(stack, undisturbed) == after
    assert stack.orphans() == set()
    remark(
        f"A run of {CASES} cases ({model or 'offline'}) whose worker was killed after"
        f" {len(finished)} has the figures of an undisturbed one; no finished case was paid again."
    )
