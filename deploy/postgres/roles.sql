-- The roles of docker-compose.yml: who owns the database, and whom its processes connect as. The
-- image runs this once, as administrator, when it makes the database; it may be run again.
--
--   searchqa_owner    migrates: owns database and tables
--   searchqa_api      the API: of notes, answers and verdicts it may do nothing by itself, only as
--                     searchqa_app, which sees one workspace at a time
--   searchqa_worker   workers and dispatcher: rows of all workspaces, no right to change the schema
--   searchqa_analyst  reads schema analytics; without a password nobody logs in as it by network
--
-- What the last three may do stands in the migrations.
\set ON_ERROR_STOP on
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv api_password POSTGRES_API_PASSWORD
\getenv worker_password POSTGRES_WORKER_PASSWORD

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['searchqa_owner', 'searchqa_app', 'searchqa_views', 'searchqa_analyst',
                  'searchqa_api', 'searchqa_worker']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

ALTER ROLE searchqa_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'owner_password';
ALTER ROLE searchqa_api LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE
    PASSWORD :'api_password';
ALTER ROLE searchqa_worker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'worker_password';
ALTER ROLE searchqa_analyst LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
ALTER ROLE searchqa_analyst SET default_transaction_read_only = on;
ALTER ROLE searchqa_analyst SET idle_in_transaction_session_timeout = '1min';
ALTER ROLE searchqa_analyst SET statement_timeout = '5min';

-- The owner gives rights to these roles and the views to searchqa_views.
GRANT searchqa_app, searchqa_views, searchqa_analyst TO searchqa_owner;
-- It inherits none of that: NOINHERIT above, which from PostgreSQL 16 on is the default of the grant.
GRANT searchqa_app TO searchqa_api;
GRANT searchqa_app TO searchqa_worker;

SELECT format('ALTER DATABASE %I OWNER TO searchqa_owner', current_database())
\gexec
-- Only a superuser may add it. A server without it stores no vectors.
SELECT 'CREATE EXTENSION IF NOT EXISTS vector'
FROM pg_available_extensions WHERE name = 'vector'
\gexec
