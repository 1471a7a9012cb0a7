"""Verdicts that rules gave while their judges were away are judged by those when they are back."""

import json

from app.judges.judge_names import RULES_MODEL
from app.platform.db.ids import new_id
from app.platform.db.pool import Pool
from app.quality.rejudging.service import with_costs
from app.verdicts.judging.judging import RECENT_SECONDS
from app.verdicts.lifecycle import rejudge_queries
from app.verdicts.policy.judge_prices import JudgePrices

# At once; the next round takes the next ones, and fresh answers go before all of them.
BATCH = 200
# Those of RECHECK.
_COLUMNS = (
    *("answer_id", "judge_key", "evaluators", "judge_model", "judge_prompt"),
    "fallback_because",
)


async def recheck(pool: Pool, prices: JudgePrices, *, judge_model: str, pause: float) -> int:
    """Enqueues the second judgement of degraded verdicts of whose judges one has served a call
    since, or of one of them after `pause` seconds without a call to the judge. judge_model:
    the server's, for workspaces that name none. Returns how many. Raises psycopg.Error."""
    given = {"limit": BATCH, "pause": pause, "lately": RECENT_SECONDS, "judge_model": judge_model}
    given["rules"] = RULES_MODEL
    async with pool.connection() as connection, connection.transaction():
        taking = await connection.execute(rejudge_queries.RECHECK, given)
        rows = [
            {"id": str(new_id())} | dict(zip(_COLUMNS, [str(answer_id), *others], strict=True))
            for answer_id, *others in await taking.fetchall()
        ]
        if not rows:
            return 0
        priced = json.dumps(with_costs(rows, prices))
        added = await connection.execute(rejudge_queries.REJUDGE_CHECKED, {"rows": priced})
        return added.rowcount
