"""SQL of a workspace's own prompts and criteria."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert, text
from sqlalchemy.sql.dml import ReturningInsert

from app.judges.models import JudgeCriterion, JudgePrompt
from app.platform.db.owned_queries import one_and_page

_PROMPTS = """
SELECT w.*, EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = w.workspace_id AND p.judge_prompt = w.reference) AS in_policy,
    (SELECT COALESCE(jsonb_agg(x.example ORDER BY x.position), '[]') FROM judge_prompt_examples x
     WHERE x.workspace_id = w.workspace_id AND x.prompt_id = w.id) AS examples
FROM judge_prompts w WHERE w.workspace_id = :workspace_id
"""
PROMPT, PROMPT_PAGE = one_and_page(_PROMPTS, "w.id")
BY_REFERENCE = text(f"{_PROMPTS} AND w.reference = :reference")
# The next number of a name is given to one at a time.
LOCK_NAME = text("SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 47))")
LATEST_PROMPT = text("""
SELECT version, base, text_ko, text_en FROM judge_prompts
WHERE workspace_id = :workspace_id AND name = :name ORDER BY version DESC LIMIT 1
""")
# Whoever puts it into the policy at the same moment keeps it: its text stays.
RETIRE = text("""
UPDATE judge_prompts w SET retired_at = COALESCE(w.retired_at, now())
WHERE w.workspace_id = :workspace_id AND w.id = :id AND NOT EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = w.workspace_id AND p.judge_prompt = w.reference)
RETURNING w.id
""")

# A version that was written from another one has its examples.
COPY_EXAMPLES = text("""
INSERT INTO judge_prompt_examples (workspace_id, prompt_id, position, answer_id, example)
SELECT x.workspace_id, CAST(:prompt_id AS uuid), x.position, x.answer_id, x.example
FROM judge_prompt_examples x JOIN judge_prompts w ON w.id = x.prompt_id
WHERE x.workspace_id = :workspace_id AND w.reference = :parent
""")

_IN_FORCE = """EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = c.workspace_id AND c.reference = ANY (p.criteria))"""
_CRITERIA = f"""
SELECT c.*, {_IN_FORCE} AS in_force FROM judge_criteria c WHERE c.workspace_id = :workspace_id
"""
CRITERION, CRITERION_PAGE = one_and_page(_CRITERIA, "c.id")
_, IN_FORCE_PAGE = one_and_page(f"{_CRITERIA} AND {_IN_FORCE}", "c.id")
DEFINITIONS = text("""
SELECT * FROM judge_criteria WHERE workspace_id = :workspace_id AND reference = ANY(:references)
ORDER BY array_position(:references, reference)
""")
LATEST_CRITERION = text("""
SELECT * FROM judge_criteria
WHERE workspace_id = :workspace_id AND name = :name ORDER BY version DESC LIMIT 1
""")
# A new version brings the older ones of its name back.
REVIVE = text("""
UPDATE judge_criteria SET archived_at = NULL
WHERE workspace_id = :workspace_id AND name = :name AND archived_at IS NOT NULL
""")
ARCHIVE = text("""
UPDATE judge_criteria SET archived_at = COALESCE(archived_at, now())
WHERE workspace_id = :workspace_id AND name = :name
""")


def add(
    table: type[JudgePrompt | JudgeCriterion], values: Mapping[str, Any]
) -> ReturningInsert[uuid.UUID]:
    return insert(table).values(**values).returning(table.id)
