"""Prices answers that wait because their judge had no known price."""

from app.platform.db.pool import Pool
from app.verdicts.lifecycle import queries
from app.verdicts.policy.judge_prices import JudgePrices


async def price_waiting(pool: Pool, prices: JudgePrices) -> int:
    """Estimates them by the prices of today and makes them due. Returns how many. Raises
    psycopg.Error."""
    priced = 0
    async with pool.connection() as connection:
        kinds = await (await connection.execute(queries.UNPRICED)).fetchall()
        for model, evaluators, prompt in kinds:
            rates = prices.rates(model, evaluators, prompt)
            if rates is None:
                continue
            given = {"model": model, "evaluators": evaluators, "prompt": prompt}
            given |= {"cost_usd": rates[0], "cost_usd_a_byte": rates[1]}
            priced += (await connection.execute(queries.PRICE_WAITING, given)).rowcount
    return priced
