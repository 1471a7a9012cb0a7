"""SQL of a workspace's prompts."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert, text
from sqlalchemy.sql.dml import ReturningInsert

from app.judges.prompt_models import JudgePrompt
from app.platform.db.owned_queries import one_and_page

_PROMPTS = """
SELECT w.*, EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = w.workspace_id AND p.judge_prompt = w.reference) AS in_policy
FROM judge_prompts w WHERE w.workspace_id = :workspace_id
"""
PROMPT, PROMPT_PAGE = one_and_page(_PROMPTS, "w.id")
BY_REFERENCE = text(f"{_PROMPTS} AND w.reference = :reference")
# The next number of a name is given to one at a time.
LOCK_NAME = text("SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 47))")
LATEST = text("""
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


def add(values: Mapping[str, Any]) -> ReturningInsert[uuid.UUID]:
    return insert(JudgePrompt).values(**values).returning(JudgePrompt.id)
