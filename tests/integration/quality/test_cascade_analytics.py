"""What a cascade decided, cost and disagreed on, counted by hand."""

import uuid

from psycopg.rows import dict_row

from analytics_rows import put_steps, put_verdict
from app.quality.analytics.queries import named_queries, statement
from app.quality.analytics.sources import Filters

SMALL, LARGE = "openai:a", "openai:b"


async def test_the_checked_stand_for_all_that_were_sure(world):
    workspace_id = await world.workspace()

    async def put(confidence: str, *said: tuple[str, str | None], **first: bool) -> uuid.UUID:
        id_ = await put_verdict(world, workspace_id, confidence=confidence)
        await put_steps(world, id_, *said, **first)
        return id_

    for _ in range(8):
        await put("high", (SMALL, "high"), sure=True)
    # Two of ten are checked, and one of the two is refuted.
    await put("high", (SMALL, "high"), (LARGE, "high"), sure=True, checked=True)
    await put("low", (SMALL, "high"), (LARGE, "low"), sure=True, checked=True)
    # Of four doubtful ones three are called otherwise, medium for low being no other.
    for last in ("high", "high", "high", "low"):
        await put(last, (SMALL, "medium"), (LARGE, last))
    await put("low", (SMALL, None), (LARGE, "low"))

    async with world.pool.connection() as connection:
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(*statement(named_queries()["cascade"].sql, Filters(), workspace_id))
        small, large = await cursor.fetchall()

    assert [small[name] for name in ("asked", "failed", "sure", "decided")] == [15, 1, 10, 8]
    assert small["decided_share"] == round(8 / 15, 4)
    assert (small["checked"], small["sure_disagreement"]) == (2, 0.5)
    # Wilson's interval of 1 of 2.
    assert (small["sure_disagreement_low"], small["sure_disagreement_high"]) == (0.0945, 0.9055)
    assert (small["doubtful"], small["doubtful_disagreement"]) == (4, 0.75)
    # (10 sure × .5 + 3) by 14.
    assert small["disagreement"] == round(8 / 14, 4)
    assert small["cost_usd"] == 0.015
    assert [large[name] for name in ("asked", "sure", "decided", "checked")] == [7, 0, 7, 0]
    assert (large["disagreement"], large["decided_share"]) == (None, round(7 / 15, 4))
