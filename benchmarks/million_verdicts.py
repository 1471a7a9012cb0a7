"""How long each named query takes over a million verdicts.

Makes them in a PostgreSQL of its own, as `searchqa up` starts it, with their notes, claims, calls,
labels and refinements, spread over a year. Then runs every query several times as the API does,
over the last 30 days, 90 days and the whole year, and prints the medians as a table. true-quality
is of one draw of 300 from the last 30 days, all labelled.

    python benchmarks/million_verdicts.py
    python benchmarks/million_verdicts.py --verdicts 100000 --rounds 3 --plans plans.txt
    python benchmarks/million_verdicts.py --verdicts 10000000 --rolled
"""

import argparse
import asyncio
import datetime as dt
import statistics
import tempfile
import time
import uuid
from pathlib import Path

import psycopg
from bench_parts import running
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.operations.embedded.postgres import EmbeddedPostgres
from app.platform.db.migrate import migrate
from app.platform.db.pool import create_pool
from app.platform.db.session import Sessions, create_engine, create_sessions, in_workspace
from app.platform.errors import InvalidRequest
from app.platform.settings import Settings
from app.quality.analytics import queries, service
from app.quality.analytics.queries import NamedQuery, named_queries
from app.quality.analytics.rollup_queries import Rollups
from app.quality.analytics.sources import Filters
from app.quality.analytics.true_quality import true_quality
from app.quality.review.draws import Frame, draw, list_draws

UNTIL = dt.date(2026, 6, 30)
NOTES = 1_000
TRUE_QUALITY = "true-quality"
# Those that have a label of the generated ones keep it.
_LABEL = """
INSERT INTO qa_feedback (id, workspace_id, evaluation_id, answer_id, label, author)
SELECT gen_random_uuid(), i.workspace_id, e.id, i.answer_id,
    CASE WHEN hashtext(i.answer_id::text) & 7 < 6 THEN 'right' ELSE 'wrong' END, 'draw'
FROM review_items i JOIN qa_evaluations e ON e.answer_id = i.answer_id AND e.is_current
"""

# One statement each. `made` numbers the verdicts; whatever varies is worked out from the number,
# so that every run makes the same figures.
_GENERATE = (
    (
        "workspace",
        """
        INSERT INTO workspaces (id, name) VALUES (%(workspace)s, 'default')
        ON CONFLICT DO NOTHING
        """,
    ),
    (
        "partitions",
        """
        SELECT add_month_partition(p.partrelid, month::date)
        FROM pg_partitioned_table p, generate_series(
            date_trunc('month', %(first)s::timestamptz AT TIME ZONE 'UTC'),
            %(first)s::timestamptz AT TIME ZONE 'UTC' + %(days)s * interval '1 day',
            interval '1 month') AS month
        """,
    ),
    (
        "notebook",
        """
        INSERT INTO notebooks (id, workspace_id, name)
        VALUES (%(notebook)s, %(workspace)s, 'million')
        """,
    ),
    (
        "notes",
        """
        INSERT INTO notes (id, workspace_id, notebook_id, source_key, title, content_text,
            content_hash, lang, tags)
        SELECT gen_random_uuid(), %(workspace)s, %(notebook)s, n::text, 'Note ' || n, 'text',
            repeat('0', 64), 'en', '{}'
        FROM generate_series(1, %(notes)s) n
        """,
    ),
    (
        "numbers",
        """
        CREATE UNLOGGED TABLE made AS
        SELECT n, at, uuidv7(at - clock_timestamp()) AS answer_id,
            uuidv7(at - clock_timestamp()) AS evaluation_id, hashint4(n) & 1023 AS h
        FROM generate_series(1, %(verdicts)s) n,
            LATERAL (SELECT %(first)s::timestamptz
                + n / %(verdicts)s::float8 * %(days)s * interval '1 day' AS at) t
        """,
    ),
    (
        "answers",
        """
        INSERT INTO qa_answers (id, workspace_id, notebook_id, question, answer, lang, feature,
            origin, provider, model, search_method, latency_ms, created_at)
        SELECT answer_id, %(workspace)s, CASE WHEN n %% 3 = 0 THEN %(notebook)s::uuid END,
            'Question ' || n || ' ' || repeat('word ', 8),
            'Answer ' || n || ' ' || repeat('a sentence of the answer. ', 12),
            CASE WHEN n %% 4 = 0 THEN 'en' ELSE 'ko' END,
            CASE WHEN n %% 10 = 0 THEN 'insight' ELSE 'search_qa' END, 'stream', 'openai',
            CASE WHEN n %% 2 = 0 THEN 'gpt-4o-mini' ELSE 'gpt-4o' END,
            CASE WHEN n %% 5 = 0 THEN 'classification' ELSE 'contextual' END, 800, at
        FROM made
        """,
    ),
    (
        # Of 100: 4 skipped, 1 failed, 2 degraded, the others judged.
        "verdicts",
        """
        INSERT INTO qa_evaluations (id, workspace_id, answer_id, answered_at, judge_key, evaluators,
            judge_model, status, reason, attempt, tries, started_at, finished_at, correctness,
            utility, confidence, summary, overall_score, needs_improvement, degraded, provider,
            model, prompt_version, prompt_tokens, completion_tokens, cost_usd, queue_ms, judge_ms,
            error, created_at, claims_supported, claims_partly, claims_unsupported, cited_notes,
            misquoted_notes)
        SELECT evaluation_id, %(workspace)s, answer_id, at, 'search_qa/openai:gpt-4o-mini/1',
            '{search_qa}', 'openai:gpt-4o-mini', status,
            CASE status WHEN 'skipped' THEN 'no_context' END, 1 + (n %% 50 = 7)::int,
            (n %% 50 = 7)::int, at + interval '30 ms',
            CASE status WHEN 'skipped' THEN NULL ELSE at + (500 + h) * interval '1 ms' END,
            c, CASE WHEN c IS NOT NULL THEN h / 1023.0 END,
            CASE WHEN c >= 0.8 THEN 'high' WHEN c >= 0.5 THEN 'medium' WHEN c >= 0 THEN 'low' END,
            CASE WHEN c IS NOT NULL THEN 'Every claim rests on the notes but one.' END,
            c, c < 0.7, n %% 100 IN (5, 6),
            CASE WHEN c IS NULL THEN NULL WHEN n %% 100 IN (5, 6) THEN 'offline' ELSE 'openai' END,
            CASE WHEN c IS NULL THEN NULL WHEN n %% 100 IN (5, 6) THEN 'rules'
                ELSE 'gpt-4o-mini' END,
            CASE WHEN c IS NOT NULL THEN '1' END, 1500, 200, 0.000345, 30, 470 + h,
            CASE WHEN status = 'failed' THEN 'permanent: the judge refused'
                 WHEN n %% 100 IN (5, 6) THEN 'transient: HTTP 503' END, at,
            2 - partly - unsupported, partly, unsupported,
            CASE WHEN c IS NOT NULL
                THEN ARRAY(SELECT i FROM generate_series(1, 3) i WHERE i = 1 OR h %% i = 0) END,
            CASE WHEN c IS NOT NULL
                THEN CASE WHEN h %% 20 = 0 THEN '{1}' ELSE '{}' END::int2[] END
        FROM made, LATERAL (SELECT CASE WHEN n %% 100 < 4 THEN 'skipped'
                WHEN n %% 100 = 4 THEN 'failed' ELSE 'succeeded' END AS status) s,
            LATERAL (SELECT CASE status WHEN 'succeeded' THEN sqrt(((h * 7 + n) & 1023) / 1023.0)
                END AS c) v
            LEFT JOIN LATERAL (
                SELECT count(*) FILTER (WHERE (h + i) %% 10 = 0) AS unsupported,
                    count(*) FILTER (WHERE (h + i) %% 10 = 1) AS partly
                FROM generate_series(1, 2) i
            ) claims ON c IS NOT NULL
        """,
    ),
    (
        "sources",
        """
        WITH numbered AS (SELECT id, title, row_number() OVER (ORDER BY title) AS place FROM notes)
        INSERT INTO qa_answer_sources (workspace_id, answer_id, note_index, note_id, title, content)
        SELECT %(workspace)s, answer_id, i, t.id, t.title, repeat('text of the note ', 10)
        FROM made, generate_series(1, 3) i, numbered t
        WHERE t.place = 1 + (h * 3 + i * 331 + n) %% %(notes)s AND n %% 100 > 3
        """,
    ),
    (
        "judged sources",
        """
        INSERT INTO qa_evaluation_sources (workspace_id, evaluation_id, note_index, cited,
            relevant_claim, quote, quote_found)
        SELECT %(workspace)s, evaluation_id, i, i = 1 OR h %% i = 0, 'a claim', 'a quotation',
            CASE WHEN i = 1 THEN h %% 20 > 0 END
        FROM made, generate_series(1, 3) i
        WHERE n %% 100 > 4
        """,
    ),
    (
        "claims",
        """
        INSERT INTO qa_claims (workspace_id, evaluation_id, position, claim, verdict, note_index,
            quote, reasoning, source)
        SELECT %(workspace)s, evaluation_id, i, 'The claim number ' || i || ' of answer ' || n,
            CASE WHEN (h + i) %% 10 = 0 THEN 'unsupported' WHEN (h + i) %% 10 = 1 THEN 'partly'
                ELSE 'supported' END, 1, 'a quotation', '', 'rules'
        FROM made, generate_series(1, 2) i
        WHERE n %% 100 > 4
        """,
    ),
    (
        "issues",
        """
        INSERT INTO qa_evaluation_issues (workspace_id, evaluation_id, position, kind, detail)
        SELECT %(workspace)s, evaluation_id, 1,
            CASE WHEN h %% 8 = 0 THEN 'quote_not_found' ELSE 'grounding' END, 'not in the notes'
        FROM made WHERE n %% 100 > 4 AND h %% 4 = 0
        """,
    ),
    (
        # As after a month: the replies themselves are forgotten.
        "calls",
        """
        INSERT INTO judge_calls (id, workspace_id, evaluation_id, attempt, request_hash, provider,
            model, prompt_tokens, completion_tokens, cost_usd, latency_ms, error, created_at)
        SELECT uuidv7(at - clock_timestamp()), %(workspace)s, evaluation_id, i, repeat('0', 64),
            'openai', 'gpt-4o-mini', 1500, 200, 0.000345, 470 + h,
            CASE WHEN n %% 50 = 7 AND i = 1 THEN 'malformed: no JSON object' END, at
        FROM made, generate_series(1, 2) i
        WHERE n %% 100 > 3 AND (i = 1 OR n %% 50 = 7)
        """,
    ),
    (
        # One answer in fifty is judged again by another prompt.
        "judged again",
        """
        INSERT INTO qa_evaluations (id, workspace_id, answer_id, answered_at, judge_key, evaluators,
            judge_model, is_current, status, attempt, started_at, finished_at, correctness, utility,
            confidence, provider, model, prompt_version, queue_ms, judge_ms, created_at)
        SELECT uuidv7(), %(workspace)s, answer_id, at, 'search_qa/openai:gpt-4o-mini/2',
            '{search_qa}', 'openai:gpt-4o-mini', false, 'succeeded', 1, at, at,
            least(1, h / 1000.0), 0.8, 'high', 'openai', 'gpt-4o-mini', '2', 20, 400,
            at + interval '1 day'
        FROM made WHERE n %% 50 = 9
        """,
    ),
    (
        "labels",
        """
        INSERT INTO qa_feedback (id, workspace_id, evaluation_id, answer_id, label, author)
        SELECT gen_random_uuid(), %(workspace)s, evaluation_id, answer_id,
            CASE WHEN h > 400 THEN 'right' WHEN h > 200 THEN 'partly' ELSE 'wrong' END, 'ann'
        FROM made WHERE n %% 100 = 9
        """,
    ),
    (
        "refinements",
        """
        INSERT INTO refinements (id, workspace_id, evaluation_id, threshold, max_iterations,
            automatic, stop_reason, best_iteration, lift, created_at, finished_at)
        SELECT uuidv7(), %(workspace)s, evaluation_id, 0.5, 2, n %% 200 = 9, 'threshold', 1,
            h / 2046.0, at, at
        FROM made WHERE n %% 100 = 9
        """,
    ),
    ("numbers away", "DROP TABLE made"),
    ("statistics", "VACUUM ANALYZE"),
)


def generate(
    url: str, workspace: uuid.UUID, verdicts: int, days: int, *, until: dt.date = UNTIL
) -> None:
    """`url` is a superuser's, who may leave foreign keys unchecked. `until`: the last day."""
    values = {
        "workspace": workspace,
        "notebook": uuid.uuid4(),
        "notes": NOTES,
        "verdicts": verdicts,
        "days": days,
        "first": until + dt.timedelta(1 - days),
    }
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        for setting in ("session_replication_role = replica", "synchronous_commit = off"):
            connection.execute(f"SET {setting}".encode())
        for what, statement in _GENERATE:
            began = time.perf_counter()
            connection.execute(statement.encode(), values)
            print(f"  {what}: {time.perf_counter() - began:.1f} s", flush=True)


async def drawn_already(sessions: Sessions, workspace: uuid.UUID) -> bool:
    async with in_workspace(sessions, workspace) as session:
        return bool(await list_draws(session, workspace))


async def label_some(sessions: Sessions, workspace: uuid.UUID) -> None:
    """One draw from the last 30 days, labelled."""
    until = dt.datetime.combine(UNTIL, dt.time(), dt.UTC) + dt.timedelta(days=1)
    frame = Frame(since=until - dt.timedelta(days=30), until=until)
    began = time.perf_counter()
    async with in_workspace(sessions, workspace) as session:
        made = await draw(session, workspace, frame, size=300, stratify=["confidence", "lang"])
        await session.execute(text(_LABEL))
        await session.commit()
    print(f"  draw from {made.answers:,} answers: {time.perf_counter() - began:.1f} s", flush=True)


async def roll_up(url: str) -> None:
    """All closed days, as a dispatcher does."""
    began = time.perf_counter()
    async with create_pool(url, max_size=2) as pool:
        rollups = Rollups(pool, Settings().analytics.rollup_time_zones)
        while await rollups.step():
            pass
    print(f"  rollups: {time.perf_counter() - began:.1f} s", flush=True)


async def measure(
    sessions: Sessions, workspace: uuid.UUID, name: str, filters: Filters, rounds: int
) -> tuple[float, int]:
    """Median seconds, and how many rows came."""
    seconds = []
    found = 0
    for _ in range(rounds + 1):
        began = time.perf_counter()
        async with in_workspace(sessions, workspace) as session:
            if name == TRUE_QUALITY:
                quality = await true_quality(session, workspace, filters, by="week", width=0.1)
                found = len(quality.rows)
            else:
                found = len((await service.run(session, workspace, name, filters)).rows)
        seconds.append(time.perf_counter() - began)
    # The first round fetches pages from the disk.
    return statistics.median(seconds[1:]), found


async def plan(
    session: AsyncSession, workspace: uuid.UUID, query: NamedQuery, filters: Filters
) -> str:
    limit = dt.timedelta(minutes=2)
    connection, sql = await queries.prepared(
        session, query.sql, filters, workspace, time_limit=limit
    )
    rows = await queries.rows(connection, f"EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF) {sql}")
    return "\n".join(row[0] for row in rows)


async def compare(url: str, workspace: uuid.UUID, options: argparse.Namespace) -> None:
    periods = [
        Filters(UNTIL - dt.timedelta(days - 1), UNTIL, tz="Asia/Seoul") for days in options.asked
    ]
    engine = create_engine(url)
    sessions = create_sessions(engine)
    if not await drawn_already(sessions, workspace):
        await label_some(sessions, workspace)
    head = "".join(f" {days} days | rows |" for days in options.asked)
    print(f"\n| query |{head}\n|---|{'---|---|' * len(periods)}")
    for name in (*named_queries(), TRUE_QUALITY):
        if options.only and name not in options.only:
            continue
        cells = []
        for period in periods:
            try:
                seconds, rows = await measure(sessions, workspace, name, period, options.rounds)
            except InvalidRequest:
                cells += ["gave up", "-"]
                continue
            cells += [f"{seconds * 1000:,.0f} ms", f"{rows:,}"]
            if options.plans and name != TRUE_QUALITY:
                query = named_queries()[name]
                async with in_workspace(sessions, workspace) as session:
                    explained = await plan(session, workspace, query, period)
                with options.plans.open("a") as file:
                    file.write(f"=== {name} {period.since}\n{explained}\n\n")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    await engine.dispose()


async def main(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sqa-") as made:
        folder = options.keep or Path(made)
        folder.mkdir(exist_ok=True)
        postgres = EmbeddedPostgres(folder)
        await postgres.prepare()
        async with running(postgres.part()):
            await postgres.create_database()
            await asyncio.to_thread(migrate, postgres.database_url)
            workspace = uuid.UUID(int=1)
            with psycopg.connect(postgres.database_url) as connection:
                there = connection.execute("SELECT FROM workspaces").rowcount
            if not there:
                superuser = postgres.database_url.replace("//searchqa@", "//postgres@", 1)
                await asyncio.to_thread(
                    generate, superuser, workspace, options.verdicts, options.days
                )
            if options.rolled:
                await roll_up(postgres.database_url)
            await compare(postgres.database_url, workspace, options)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--verdicts", type=int, default=1_000_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--asked", type=int, nargs="+", default=[30, 90, 365], help="days asked for"
    )
    parser.add_argument("--only", nargs="*", help="names of queries; all if left out")
    parser.add_argument(
        "--keep", type=Path, help="a folder for the database, used again if it is there"
    )
    parser.add_argument("--rolled", action="store_true", help="roll closed days up before")
    parser.add_argument("--plans", type=Path, help="append the plan of each query to this file")
    asyncio.run(main(parser.parse_args()))
