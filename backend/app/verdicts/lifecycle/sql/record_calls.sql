-- What the calls for a row `g` took, where that is to be summed up (record.sql).
LEFT JOIN LATERAL (
    SELECT {spent} FROM judge_calls WHERE evaluation_id = g.id AND g.sums_calls
) spent ON true
