"""Which labels of drawn answers count, by cell: for whatever weighs them."""

import uuid
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# As true-quality forms its cells, but of all answers that are still stored, judged or not.
_CELLS = text("""
WITH framed AS (
    SELECT f.answer_id, string_agg(f.stratum_id::text, ' ' ORDER BY f.stratum_id) AS cell,
        max(f.stratum) AS stratum
    FROM analytics.sample_frames f
    WHERE f.workspace_id = :workspace_id
    GROUP BY 1
)
SELECT max(f.stratum) AS stratum, count(*) AS answers,
    COALESCE(array_agg(f.answer_id ORDER BY f.answer_id) FILTER (WHERE l.correctness_counts), '{}')
        AS labelled
FROM framed f
JOIN qa_answers a ON a.id = f.answer_id AND a.workspace_id = :workspace_id
LEFT JOIN analytics.sampled_labels l
    ON l.answer_id = f.answer_id AND l.workspace_id = :workspace_id
GROUP BY f.cell ORDER BY f.cell
""")


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """Stored answers that had the same chance of being drawn: those in the same strata of the same
    draws. stratum: the name of one of these; labelled: those whose label counts."""

    stratum: str
    answers: int
    labelled: list[uuid.UUID]


async def drawn_cells(session: AsyncSession, workspace_id: uuid.UUID) -> list[DrawnCell]:
    """All of a workspace, also those without a label."""
    rows = await session.execute(_CELLS, {"workspace_id": workspace_id})
    return [DrawnCell(**row) for row in rows.mappings()]
