-- What processes ask for when they connect, for sessions that PgBouncer shares among them. Run it
-- once, as administrator, after deploy/postgres/roles.sql; name your own users if they differ.
\set ON_ERROR_STOP on

-- A stuck statement or an abandoned transaction must end without help: rows wait on them.
ALTER ROLE searchqa_api SET statement_timeout = '5s';
ALTER ROLE searchqa_api SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE searchqa_worker SET statement_timeout = '5s';
ALTER ROLE searchqa_worker SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE searchqa_api SET jit = off;
ALTER ROLE searchqa_worker SET jit = off;
-- A plan of a foreign key's check that was made for an empty table must not stay.
ALTER ROLE searchqa_api SET plan_cache_mode = force_custom_plan;
ALTER ROLE searchqa_worker SET plan_cache_mode = force_custom_plan;
