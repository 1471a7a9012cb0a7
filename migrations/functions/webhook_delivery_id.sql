-- A UUIDv7: the time in milliseconds before the random part of a UUIDv4. uuidv7() starts with
-- PostgreSQL 18.
CREATE OR REPLACE FUNCTION webhook_delivery_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
        || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$
