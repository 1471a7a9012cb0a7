-- The least UUIDv7 that can be made at `at`: keys of a month lie between those of its start and of
-- the next one's.
CREATE OR REPLACE FUNCTION uuid_lower_bound(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT rpad(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$
