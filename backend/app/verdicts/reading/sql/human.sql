-- What people say of the verdict `e`, counted; NULL when nobody has said anything.
    (SELECT json_build_object(
        'right', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'right'),
        'partly', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'partly'),
        'wrong', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'wrong'),
        'claims', count(f.claim_position))
     FROM qa_feedback f WHERE {of_verdict} HAVING count(*) > 0) AS human
