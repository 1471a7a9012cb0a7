"""Verdicts that rules gave while their judge was away are judged by it when it is back."""

import json

from app.db.base import new_id
from app.db.session import Pool
from app.verdicts import rejudge_queries as queries
from app.verdicts.judging import LATELY

# At once; the next round takes the next ones, and fresh answers go before all of them.
BATCH = 200


async def recheck(pool: Pool, *, pause: float) -> int:
    """Puts in the second judgement of degraded verdicts whose judge has served somebody since, or
    of one of them after `pause` seconds in which nobody has asked it. Returns how many. Raises
    psycopg.Error."""
    given = {"limit": BATCH, "pause": pause, "lately": LATELY}
    async with pool.connection() as connection:
        found = await (await connection.execute(queries.STAND_INS.encode(), given)).fetchall()
        if not found:
            return 0
        rows = [
            {
                "id": str(new_id()),
                "answer_id": str(answer_id),
                "judge_key": judge_key,
                "evaluators": evaluators,
                "judge_model": judge_model,
                "judge_prompt": judge_prompt,
            }
            for answer_id, judge_key, evaluators, judge_model, judge_prompt in found
        ]
        added = await connection.execute(queries.ADD_STAND_INS.encode(), {"rows": json.dumps(rows)})
        return added.rowcount
