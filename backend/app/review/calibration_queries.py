"""SQL of judges' guarantees: which answers draws could have picked, and what people say of them."""

from sqlalchemy import text

# Sorts of a hundred thousand answers stay in memory; compiling a query takes longer than it runs.
# The planner takes frames for small and would look up each answer; hashing them all is quicker.
PREPARE = text(
    "SELECT set_config('statement_timeout', :milliseconds, true),"
    " set_config('work_mem', '64MB', true), set_config('jit', 'off', true),"
    " set_config('enable_nestloop', 'off', true)"
)

# chance: with which it picked an answer that no earlier draw had; labelled: the share of those
# picked whose label counts.
STRATA = text("""
SELECT s.id, s.draw_id, s.name, COALESCE(max(l.inclusion_probability), 0) AS chance,
    COALESCE(avg(l.correctness_counts::int), 0)::float8 AS labelled
FROM review_strata s
LEFT JOIN (SELECT * FROM analytics.sampled_labels WHERE workspace_id = :workspace_id) l
    ON l.stratum_id = s.id
WHERE s.workspace_id = :workspace_id
GROUP BY s.id
""")

# Verdicts that count, high by the judge's own rule, with the strata of their answers in the order
# of the draws.
_SCORED = """
WITH framed AS (
    SELECT f.answer_id, array_agg(f.stratum_id ORDER BY f.draw_id) AS strata
    FROM analytics.sample_frames f WHERE f.workspace_id = :workspace_id
    GROUP BY f.answer_id
), scored AS (
    SELECT e.judge_model, e.prompt_version, e.answer_id, e.correctness,
        e.confidence = 'high' OR (e.confidence = 'medium' AND EXISTS (
            SELECT FROM qa_evaluation_issues i
            WHERE i.evaluation_id = e.id AND i.kind = :lowered AND i.detail = :below_guarantee))
            AS high,
        f.strata
    FROM framed f JOIN qa_evaluations e ON e.answer_id = f.answer_id
    WHERE e.workspace_id = :workspace_id AND e.is_current AND e.status = 'succeeded'
      AND NOT e.degraded AND e.correctness IS NOT NULL
      AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
)
"""

# answers: of that judge in the same strata; highs: of these, those that it calls high.
CELLS = text(f"""
{_SCORED}
SELECT judge_model, prompt_version, strata, count(*) AS answers,
    count(*) FILTER (WHERE high) AS highs
FROM scored GROUP BY judge_model, prompt_version, strata
ORDER BY judge_model, prompt_version, strata
""")

# The highs of each judge in twenty parts by their correctness: where each begins, and how many
# have at least that.
CANDIDATES = text(f"""
{_SCORED}, ranked AS (
    SELECT judge_model, prompt_version, correctness,
        count(*) OVER (PARTITION BY judge_model, prompt_version ORDER BY correctness DESC) AS highs,
        ntile(20) OVER (PARTITION BY judge_model, prompt_version ORDER BY correctness DESC) AS part
    FROM scored WHERE high
)
SELECT judge_model, prompt_version, min(correctness) AS correctness, max(highs) AS highs
FROM ranked GROUP BY judge_model, prompt_version, part ORDER BY judge_model, prompt_version, part
""")

# Labels that count. answer_right: by people, all of it.
LABELS = text(f"""
{_SCORED}
SELECT s.judge_model, s.prompt_version, s.answer_id, s.correctness, s.high, s.strata, l.draw_id,
    l.human_correctness = 1 AS answer_right
FROM scored s JOIN analytics.sampled_labels l ON l.answer_id = s.answer_id
WHERE l.workspace_id = :workspace_id AND l.correctness_counts
ORDER BY s.answer_id
""")
