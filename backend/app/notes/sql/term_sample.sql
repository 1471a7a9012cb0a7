-- How large a collection is, how frequent terms are in it, and which of them its chunks hold
-- together, of a sample of the collection.
--
-- keys: queries, as a rule a term's key each; samples: what confines them to sample 0, 1 …, see
-- note_keys. few: so many chunks of a sample say how frequent a term is; common: of the smallest
-- sample, so many that a term says little. One row (size, mean_length,
-- sample, frequencies, common, held, chunks) for each set of keys, as numbers from 1, that chunks of
-- the sample hold, and one where `held` is NULL if none holds any.
--
-- A key is counted in the smallest sample that tells its frequency, so that few chunks are read:
-- first in one of two to three hundred chunks, last in all. Keys that are `common` there are not
-- looked up in the sample itself, unless few others are asked for.
WITH collection AS MATERIALIZED (
    SELECT size, mean_length, sample, greatest(sample - 2, 0) AS larger
    FROM note_collection(:workspace_id, :notebook_id)
),
asked AS MATERIALIZED (
    SELECT number::integer, key, CAST(:samples AS text[]) AS samples, sample, larger, CASE
        WHEN sample > 0 THEN (SELECT count(*) FROM note_matches(
            :workspace_id, :notebook_id, ARRAY[key || (CAST(:samples AS text[]))[sample + 3]]))
        ELSE 0 END AS in_smaller
    FROM unnest(CAST(:keys AS text[])) WITH ORDINALITY AS asked (key, number)
    CROSS JOIN collection
),
chosen AS MATERIALIZED (
    SELECT asked.*,
           in_smaller >= :common AND count(*) FILTER (WHERE in_smaller < :common) OVER () >= 4 AS common
    FROM asked
),
matches AS MATERIALIZED (
    SELECT chosen.number, found.id
    FROM chosen CROSS JOIN LATERAL note_matches(
        :workspace_id, :notebook_id, ARRAY[key || samples[sample + 1]]) AS found
    WHERE NOT common
),
counted AS MATERIALIZED (
    SELECT chosen.*, coalesce(in_sample, 0) AS in_sample
    FROM chosen LEFT JOIN (
        SELECT number, count(*) AS in_sample FROM matches GROUP BY number
    ) AS found USING (number)
),
counted_again AS MATERIALIZED (
    SELECT counted.*, CASE
        WHEN sample > 0 AND NOT common AND in_sample < :few THEN (
            SELECT count(*) FROM note_matches(
                :workspace_id, :notebook_id, ARRAY[key || samples[larger + 1]]))
        END AS in_larger
    FROM counted
),
frequencies AS (
    SELECT array_agg(common ORDER BY number) AS common, array_agg(CASE
        WHEN common THEN in_smaller * 4.0 ^ (sample + 2)
        WHEN in_larger IS NULL THEN in_sample * 4.0 ^ sample
        WHEN in_larger >= :few OR larger = 0 THEN in_larger * 4.0 ^ larger
        ELSE (SELECT count(*) FROM note_matches(
            :workspace_id, :notebook_id, ARRAY[key || samples[1]]))
        END ORDER BY number) AS frequencies
    FROM counted_again
),
held AS (
    SELECT array_agg(number ORDER BY number) AS held FROM matches GROUP BY id
)
SELECT size, mean_length, sample, frequencies, common, held, count(*) AS chunks
FROM collection CROSS JOIN frequencies LEFT JOIN held ON true
GROUP BY size, mean_length, sample, frequencies, common, held
