-- Drawn answers by judge and day, from `since` to before `until`, that are not in a point of the
-- series `corrected` yet: how many have a label that counts, and how many may still get one
-- because they were drawn no more than `labelling_days` days ago.
WITH used AS (
    SELECT judge_model, max(last_day) AS last_day FROM quality_points
    WHERE workspace_id = %(workspace_id)s AND series = 'corrected'
    GROUP BY 1
), days AS (
    SELECT e.judge_model, (e.answered_at AT TIME ZONE %(zone)s)::date AS day, d.created_at,
        l.human_correctness, l.correctness_counts
    FROM analytics.sampled_labels l
    JOIN review_draws d ON d.id = l.draw_id
    JOIN qa_evaluations e ON e.answer_id = l.answer_id AND e.is_current
    WHERE l.workspace_id = %(workspace_id)s AND e.workspace_id = %(workspace_id)s
        AND e.answered_at >= %(since)s::timestamp AT TIME ZONE %(zone)s
        AND e.answered_at < %(until)s::timestamp AT TIME ZONE %(zone)s
        AND e.status = 'succeeded' AND NOT e.degraded AND e.correctness IS NOT NULL
        AND e.outcome IS DISTINCT FROM 'rightly_refused'
)
SELECT judge_model, day, count(*) FILTER (WHERE correctness_counts) AS labels,
    count(*) FILTER (WHERE human_correctness IS NULL
        AND created_at > now() - make_interval(days => %(labelling_days)s)) AS awaited
FROM days LEFT JOIN used USING (judge_model)
WHERE day > COALESCE(used.last_day, '-infinity')
GROUP BY 1, 2
ORDER BY 1, 2
