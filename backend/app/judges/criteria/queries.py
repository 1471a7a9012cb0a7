"""SQL of a workspace's criteria."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert, text
from sqlalchemy.sql.dml import ReturningInsert

from app.judges.criteria.models import JudgeCriterion
from app.platform.db.owned_queries import one_and_page

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
LATEST = text("""
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


def add(values: Mapping[str, Any]) -> ReturningInsert[uuid.UUID]:
    return insert(JudgeCriterion).values(**values).returning(JudgeCriterion.id)
