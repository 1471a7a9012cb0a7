"""Verdicts that rules gave while their judge was away are judged by it when it is back."""

import json

from app.db.base import new_id
from app.db.session import Pool
from app.rejudging import queries
from app.rejudging.service import with_costs
from app.verdicts.judge_prices import JudgePrices
from app.verdicts.judging import LATELY

# At once; the next round takes the next ones, and fresh answers go before all of them.
BATCH = 200
# Those of STAND_INS.
_COLUMNS = (
    *("answer_id", "judge_key", "evaluators", "judge_model", "judge_prompt"),
    "fallback_because",
)


async def recheck(pool: Pool, prices: JudgePrices, *, pause: float) -> int:
    """Puts in the second judgement of degraded verdicts whose judge has served somebody since, or
    of one of them after `pause` seconds in which nobody has asked it. Returns how many. Raises
    psycopg.Error."""
    given = {"limit": BATCH, "pause": pause, "lately": LATELY}
    async with pool.connection() as connection:
        found = await (await connection.execute(queries.STAND_INS.encode(), given)).fetchall()
        if not found:
            return 0
        rows = [
            {"id": str(new_id())} | dict(zip(_COLUMNS, [str(answer_id), *others], strict=True))
            for answer_id, *others in found
        ]
        priced = json.dumps(with_costs(rows, prices))
        added = await connection.execute(queries.ADD_STAND_INS.encode(), {"rows": priced})
        return added.rowcount
