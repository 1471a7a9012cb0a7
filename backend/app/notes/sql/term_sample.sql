-- How large a collection is, how frequent terms are in it, and which of them its chunks hold
-- together, of a sample of the collection.
--
-- keys: queries, as a rule a term's key each; samples: what is written after them to confine them to
-- sample 0, 1 …, see note_keys. few: so many chunks of a sample say how frequent a term is; common: such
-- a share of the smallest sample that a term says little. One row (size, mean_length, sample,
-- frequencies, common, held); held: JSON, [[numbers of keys from 1], chunks] for each set of keys that
-- chunks of the sample hold, NULL if none holds any.
--
-- A key is counted in the smallest sample that tells its frequency, so that few chunks are read:
-- first in one of two to three hundred chunks, last in all. Keys that are `common` there are not
-- looked up in the sample itself, unless few others are asked for. note_matches is called once a
-- sample, with NULL for keys that are not counted there: a call costs as much as a key or two.
WITH collection AS MATERIALIZED (
    SELECT size, mean_length, sample,
           CASE sample WHEN 3 THEN 2 ELSE greatest(sample - 2, 0) END AS larger,
           :common * size / 4.0 ^ (sample + 2) AS common_from
    FROM note_collection(:workspace_id, :notebook_id)
),
asked AS MATERIALIZED (
    SELECT number::integer, key, CAST(:samples AS text[]) AS samples, sample, larger, common_from
    FROM unnest(CAST(:keys AS text[])) WITH ORDINALITY AS asked (key, number)
    CROSS JOIN collection
),
chosen AS MATERIALIZED (
    SELECT asked.*, coalesce(chunks, 0) AS in_smaller, coalesce(chunks, 0) >= common_from
           AND count(*) FILTER (WHERE coalesce(chunks, 0) < common_from) OVER () >= 4 AS common
    FROM asked LEFT JOIN (
        SELECT query AS number, count(*) AS chunks
        FROM note_matches(:workspace_id, :notebook_id, ARRAY(
            SELECT CASE WHEN sample > 0 THEN key || samples[sample + 3] END
            FROM asked ORDER BY number))
        GROUP BY query
    ) AS found USING (number)
),
matches AS MATERIALIZED (
    SELECT query AS number, id
    FROM note_matches(:workspace_id, :notebook_id, ARRAY(
        SELECT CASE WHEN NOT common THEN key || samples[sample + 1] END
        FROM chosen ORDER BY number))
),
counted AS MATERIALIZED (
    SELECT chosen.*, coalesce(chunks, 0) AS in_sample,
           sample > 0 AND NOT common AND coalesce(chunks, 0) < :few AS is_rare
    FROM chosen LEFT JOIN (
        SELECT number, count(*) AS chunks FROM matches GROUP BY number
    ) AS found USING (number)
),
counted_again AS MATERIALIZED (
    SELECT counted.*, coalesce(chunks, 0) AS in_larger,
           is_rare AND larger > 0 AND coalesce(chunks, 0) < :few AS is_rarer
    FROM counted LEFT JOIN (
        SELECT query AS number, count(*) AS chunks
        FROM note_matches(:workspace_id, :notebook_id, ARRAY(
            SELECT CASE WHEN is_rare THEN key || samples[larger + 1] END
            FROM counted ORDER BY number))
        GROUP BY query
    ) AS found USING (number)
),
frequencies AS (
    SELECT array_agg(common ORDER BY number) AS common, array_agg(CASE
        WHEN common THEN in_smaller * 4.0 ^ (sample + 2)
        WHEN is_rarer THEN coalesce(chunks, 0)
        WHEN is_rare THEN in_larger * 4.0 ^ larger
        ELSE in_sample * 4.0 ^ sample
        END ORDER BY number) AS frequencies
    FROM counted_again LEFT JOIN (
        SELECT query AS number, count(*) AS chunks
        FROM note_matches(:workspace_id, :notebook_id, ARRAY(
            SELECT CASE WHEN is_rarer THEN key || samples[1] END
            FROM counted_again ORDER BY number))
        GROUP BY query
    ) AS found USING (number)
),
sets AS (
    SELECT numbers, count(*) AS chunks FROM (
        SELECT array_agg(number ORDER BY number) AS numbers FROM matches GROUP BY id
    ) AS held GROUP BY numbers
)
SELECT size, mean_length, sample, frequencies, common,
       (SELECT json_agg(json_build_array(numbers, chunks)) FROM sets) AS held
FROM collection CROSS JOIN frequencies
