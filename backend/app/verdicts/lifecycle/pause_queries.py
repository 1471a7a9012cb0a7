"""SQL on paused judges."""

from sqlalchemy import delete, select
from sqlalchemy.sql.dml import ReturningDelete

from app.verdicts.models.pauses import JudgePause

PAUSES = select(JudgePause).order_by(JudgePause.judge_model)


def resume(judge_model: str) -> ReturningDelete[str]:
    return (
        delete(JudgePause)
        .where(JudgePause.judge_model == judge_model)
        .returning(JudgePause.judge_model)
    )
