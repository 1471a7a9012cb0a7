"""Judges that are paused: seen and resumed by people."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.verdicts.lifecycle import session_queries as pause_queries
from app.verdicts.models.pauses import JudgePause


async def judge_pauses(session: AsyncSession) -> Sequence[JudgePause]:
    """All paused judges with their reasons, by name."""
    return (await session.scalars(pause_queries.PAUSES)).all()


async def resume_judge(session: AsyncSession, judge_model: str) -> bool:
    """Takes the pause away; the dispatcher then finds the rows that waited. False if there was
    none. The caller commits."""
    resumed = await session.scalar(pause_queries.resume(judge_model))
    return resumed is not None
