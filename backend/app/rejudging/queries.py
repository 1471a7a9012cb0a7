"""The SQL that chooses, prices and counts what is judged again."""

from dataclasses import dataclass
from typing import Self

from sqlalchemy import TextClause, text

# What is under way has a verdict coming and is left to it. NULL parameters do not filter.
_FINAL = "e.status IN ('succeeded', 'failed', 'skipped')"
_OF_VERDICT = """
    (CAST(:since AS timestamptz) IS NULL OR e.answered_at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR e.answered_at < :until)
    AND (CAST(:status AS text) IS NULL OR e.status = :status)
    AND (CAST(:confidence AS text) IS NULL OR e.confidence = :confidence)
    AND (CAST(:degraded AS bool) IS NULL OR e.degraded = :degraded)
    AND (CAST(:needs_improvement AS bool) IS NULL OR e.needs_improvement = :needs_improvement)
    AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
    AND (CAST(:prompt_version AS text) IS NULL OR e.prompt_version = :prompt_version)
    AND (CAST(:correctness_below AS float8) IS NULL OR e.correctness < :correctness_below)
    AND (CAST(:utility_below AS float8) IS NULL OR e.utility < :utility_below)
    AND (CAST(:overall_below AS float8) IS NULL OR e.overall_score < :overall_below)
"""
_OF_ANSWER = """EXISTS (
    SELECT FROM qa_answers a WHERE a.id = e.answer_id
      AND (CAST(:feature AS text) IS NULL OR a.feature = :feature)
      AND (CAST(:lang AS text) IS NULL OR a.lang = :lang)
      AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id OR EXISTS (
          SELECT FROM qa_answer_sources s JOIN notes n ON n.id = s.note_id
          WHERE s.answer_id = a.id AND n.notebook_id = :notebook_id)))
"""
_CURRENT = f"e.workspace_id = :workspace_id AND e.is_current AND {_FINAL}"


@dataclass(frozen=True, slots=True)
class Estimating:
    """What an estimate asks. At a million answers each statement reads each verdict once, and the
    answers themselves only where the filter asks something of them."""

    counts: TextClause
    judged: TextClause
    sample: TextClause

    @classmethod
    def over(cls, matches: str) -> Self:
        return cls(
            text(_COUNTS.format(matches)),
            text(_JUDGED.format(matches)),
            text(_SAMPLE.format(matches)),
        )


# The verdicts by what they were made with.
_COUNTS = f"""
SELECT e.evaluators, count(*) AS answers, count(*) FILTER (WHERE {{0}}) AS matching
FROM qa_evaluations e WHERE {_CURRENT} GROUP BY e.evaluators
"""
# Those that the judge has done or is at already.
_JUDGED = f"""
SELECT e.evaluators, count(*) AS answers
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS w(evaluators text[], judge_key text)
JOIN qa_evaluations k ON k.judge_key = w.judge_key AND k.workspace_id = :workspace_id
    AND k.judge_key = ANY(:judge_keys) AND k.status NOT IN ('failed', 'skipped')
JOIN qa_evaluations e ON e.answer_id = k.answer_id AND e.evaluators = w.evaluators
WHERE {_CURRENT} AND {{0}}
GROUP BY e.evaluators
"""
# Of the others some, chosen by their ids: how many of each language, and the mean lengths of their
# texts in bytes, which unlike those in characters are known without reading them. `share`, of
# 65,536, is chosen to give about `sample` of them; the limit only tells the planner.
_SAMPLE = f"""
WITH sample AS MATERIALIZED (
    SELECT e.answer_id, e.workspace_id, e.evaluators FROM qa_evaluations e
    WHERE {_CURRENT} AND (uuid_hash(e.id) & 65535) < :share AND {{0}}
    LIMIT 2 * :sample
)
SELECT m.evaluators, a.lang, count(*) AS answers,
    avg(octet_length(a.question))::float8 AS question,
    avg(octet_length(a.answer))::float8 AS answer, COALESCE(avg(notes.bytes), 0)::float8 AS notes
FROM sample m
JOIN jsonb_to_recordset(CAST(:keys AS jsonb)) AS w(evaluators text[], judge_key text)
    ON w.evaluators = m.evaluators
JOIN qa_answers a ON a.id = m.answer_id
LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content)) AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = m.answer_id
) notes ON true
WHERE NOT EXISTS (
    SELECT FROM qa_evaluations k
    WHERE k.answer_id = m.answer_id AND k.workspace_id = m.workspace_id
      AND k.judge_key = w.judge_key AND k.status NOT IN ('failed', 'skipped'))
GROUP BY m.evaluators, a.lang
"""
BY_VERDICT = Estimating.over(_OF_VERDICT)
BY_ANSWER = Estimating.over(f"{_OF_VERDICT} AND {_OF_ANSWER}")

# The next verdicts of the workspace as they were put in, whether they match or not, so that a
# filter that nothing matches reads no more of them at once. What came after the job is left out:
# its own.
PAGE = text(f"""
SELECT p.id, p.created_at, m.answer_id, m.evaluators
FROM (
    SELECT e.id, e.created_at FROM qa_evaluations e
    WHERE e.workspace_id = :workspace_id
      AND (e.created_at, e.id) > (CAST(:after_at AS timestamptz), CAST(:after_id AS uuid))
      AND e.created_at < (SELECT created_at FROM jobs WHERE id = :job_id)
    ORDER BY e.created_at, e.id LIMIT :limit
) p LEFT JOIN LATERAL (
    SELECT e.answer_id, e.evaluators FROM qa_evaluations e
    WHERE e.id = p.id AND {_CURRENT} AND cardinality(e.evaluators) > 0
      AND {_OF_VERDICT} AND {_OF_ANSWER}
) m ON true
ORDER BY p.created_at, p.id
""")

ONE = text("""
SELECT id, answer_id, status, evaluators FROM qa_evaluations
WHERE workspace_id = :workspace_id AND answer_id = (
    SELECT answer_id FROM qa_evaluations WHERE workspace_id = :workspace_id AND id = :id
) AND is_current
""")

# What waits is little, see WINDOW in job.py. What ended a minute ago changes no more, and its
# transaction is over; FOR_GOOD counts it, so that nobody has to read it again.
FOR_GOOD = text("SELECT (now() - interval '1 minute')::text")
COUNT = text("""
SELECT count(*) AS total,
    count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'skipped') AS cancelled,
    count(*) FILTER (WHERE finished_at IS NULL) AS pending,
    count(*) FILTER (WHERE reason = 'judge_paused') AS paused,
    sum(cost_usd)::float8 AS cost_usd,
    COALESCE(sum(prompt_tokens), 0) AS prompt_tokens,
    COALESCE(sum(completion_tokens), 0) AS completion_tokens
FROM (
    SELECT * FROM qa_evaluations
    WHERE job_id = :job_id AND finished_at IS NULL AND CAST(:until AS timestamptz) IS NULL
    UNION ALL
    SELECT * FROM qa_evaluations
    WHERE job_id = :job_id AND finished_at > CAST(:since AS timestamptz)
      AND (CAST(:until AS timestamptz) IS NULL OR finished_at <= CAST(:until AS timestamptz))
) e WHERE workspace_id = :workspace_id
""")
