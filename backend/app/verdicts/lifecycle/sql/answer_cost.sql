-- What the judging of answer `a` costs by `cost_usd` and `cost_usd_a_byte` of `r`. A long answer
-- takes a call for each of its parts.
greatest(1, least({max_parts}, ceil(char_length(a.answer) / {part_chars}.0))) * (
    r.cost_usd + r.cost_usd_a_byte * (
        octet_length(a.question) + octet_length(a.answer)
        + COALESCE(octet_length(a.history::text), 0)
        + (SELECT COALESCE(sum(octet_length(s.content)), 0) FROM qa_answer_sources s
           WHERE s.answer_id = a.id)))
