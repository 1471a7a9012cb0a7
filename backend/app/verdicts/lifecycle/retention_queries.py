"""SQL that deletes what has been kept long enough. Ages are measured by the database clock, and
days are those of the row's workspace where it has a policy, else the server's (`days`, NULL for
ever).

What removes takes at most `limit` rows, oldest first, and leaves those that another process
holds.
"""

from app.platform.db.statements import in_list
from app.verdicts.answers.queries import delete_answers
from app.verdicts.status import FINAL, UNFINISHED, WAITING


def _old(row: str, kept: str) -> str:
    """Whether `row` was kept for longer than the column `kept` of its policy says. The planner
    sees the first condition's number, and finds by index what may be old enough."""
    return f"""{row}.created_at < now() - make_interval(days => %(least)s)
  AND {row}.created_at < now() - make_interval(days => COALESCE(p.{kept}, %(days)s::int))"""


# The fewest days that anybody keeps something, NULL where all keep it for ever.
MIN_DAYS = """
SELECT LEAST(%(answers)s::int, min(keep_answers_days)),
       LEAST(%(bodies)s::int, min(keep_judge_bodies_days)),
       LEAST(%(events)s::int, min(keep_events_days))
FROM evaluation_policies
"""

_FINAL = f"({in_list(FINAL)})"

# The conditions on `c` and `v` are word for word those of their partial indexes.
_OLD_BODIES = f"""
SELECT c.id FROM judge_calls c
LEFT JOIN evaluation_policies p ON p.workspace_id = c.workspace_id
WHERE {_old("c", "keep_judge_bodies_days")} AND (c.body IS NOT NULL OR c.content IS NOT NULL)
  AND EXISTS (
      SELECT FROM qa_evaluations e WHERE e.id = c.evaluation_id AND e.status IN {_FINAL})
"""
# The last event of a verdict is final and stays, so that a reader that resumes a stream, however
# late, gets its end.
_OLD_EVENTS = f"""
SELECT v.id FROM verdict_events v
LEFT JOIN evaluation_policies p ON p.workspace_id = v.workspace_id
WHERE {_old("v", "keep_events_days")} AND v.status IN ({in_list(UNFINISHED)})
  AND EXISTS (
      SELECT FROM qa_evaluations e WHERE e.id = v.evaluation_id AND e.status IN {_FINAL})
"""
_UNFINISHED = f"""
SELECT FROM qa_evaluations e WHERE e.answer_id = a.id AND e.status NOT IN {_FINAL}
"""
_OLD_ANSWERS = f"""
SELECT a.id FROM qa_answers a
LEFT JOIN evaluation_policies p ON p.workspace_id = a.workspace_id
WHERE {_old("a", "keep_answers_days")} AND NOT EXISTS ({_UNFINISHED})
"""

FORGET_BODIES = f"""
WITH old AS ({_OLD_BODIES} ORDER BY c.created_at LIMIT %(limit)s FOR UPDATE OF c SKIP LOCKED)
UPDATE judge_calls c SET body = NULL, content = NULL FROM old WHERE c.id = old.id
"""
DELETE_EVENTS = f"""
WITH old AS ({_OLD_EVENTS} ORDER BY v.created_at LIMIT %(limit)s FOR UPDATE OF v SKIP LOCKED)
DELETE FROM verdict_events v USING old WHERE v.id = old.id
"""
# Two statements of one transaction. An evaluation that was added to an answer before the answer
# was locked is seen by the second, and none can be added after.
LOCK_ANSWERS = f"""
{_OLD_ANSWERS} ORDER BY a.created_at LIMIT %(limit)s FOR UPDATE OF a SKIP LOCKED
"""
# Else foreign keys plan anew for each row which partition to look at; planning takes longer.
GENERIC_PLANS = b"SET LOCAL plan_cache_mode = force_generic_plan"
DELETE_ANSWERS = delete_answers(unless=_UNFINISHED)

# The first month that is not over for everybody, of which somebody keeps answers; no row where
# somebody keeps them for ever. A day more than they say, for ids carry the time of another clock.
FIRST_KEPT_MONTH = """
SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - make_interval(days => max(days) + 1))::date,
       max(days)
FROM (SELECT COALESCE(p.keep_answers_days, %(days)s::int) AS days
      FROM workspaces w LEFT JOIN evaluation_policies p ON p.workspace_id = w.id) kept
HAVING bool_and(days IS NOT NULL)
"""
_OF_MONTH = """BETWEEN uuid_lower_bound(%(month)s::timestamp AT TIME ZONE 'UTC')
        AND uuid_lower_bound((%(month)s::timestamp + interval '1 month') AT TIME ZONE 'UTC')"""
# Whether something of the month is needed still: by a row that is not judged yet, or by an answer
# that is younger than its id says. days: the longest that anybody keeps answers. Waiting and
# running rows have an index each.
MONTH_IN_USE = f"""
SELECT EXISTS (SELECT FROM qa_evaluations e WHERE e.status IN ({in_list(WAITING)})
               AND (e.id {_OF_MONTH} OR e.answer_id {_OF_MONTH}))
    OR EXISTS (SELECT FROM qa_evaluations e WHERE e.status = 'running'
               AND (e.id {_OF_MONTH} OR e.answer_id {_OF_MONTH}))
    OR EXISTS (SELECT FROM qa_answers a WHERE a.id {_OF_MONTH}
               AND a.created_at >= now() - make_interval(days => %(days)s))
"""

COUNT_BODIES = f"SELECT count(*) FROM ({_OLD_BODIES}) old"
COUNT_EVENTS = f"SELECT count(*) FROM ({_OLD_EVENTS}) old"
COUNT_ANSWERS = f"SELECT count(*) FROM ({_OLD_ANSWERS}) old"
