"""The SQL of rows in batches, of judging again and of paused judges, for SQLAlchemy unless it
says otherwise."""

from sqlalchemy import delete, select, text
from sqlalchemy.sql.dml import ReturningDelete

from app.verdicts.lifecycle.queries import load
from app.verdicts.models.pauses import JudgePause

# A condition on the row `e`, with id and attempt of the row `r`: it is in a batch as that attempt.
PARKED = load("parked")

LEASES = text(load("parked_leases", parked=PARKED))
LOCK = text(load("lock_parked", parked=PARKED))
RELEASE = text(load("release_parked", parked=PARKED))
PUT_BACK = text(load("put_back", parked=PARKED))
SAVE_REPLIES = text(load("save_replies", rows="CAST(:rows AS jsonb)"))
# For psycopg.
GROUPS = load("batch_groups").encode()
PARK = load("park").encode()


REJUDGE = text(load("rejudge", rows=":rows"))
WITHDRAW = text(load("withdraw"))
# For psycopg.
REJUDGE_CHECKED = load("rejudge", rows="%(rows)s").encode()
RECHECK = load("recheck").encode()


PAUSES = select(JudgePause).order_by(JudgePause.judge_model)


def resume(judge_model: str) -> ReturningDelete[str]:
    return (
        delete(JudgePause)
        .where(JudgePause.judge_model == judge_model)
        .returning(JudgePause.judge_model)
    )
