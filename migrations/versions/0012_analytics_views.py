"""The views of schema analytics and the role that reads them; see docs/analytics.md.

The views belong to a role of their own, `searchqa_views`. It reads the tables under row-level
security, whose policies show the workspaces of `visible_workspaces`: an analyst needs no right on
any table, and no function in a query sees a row that the analyst may not see. (A view made with
security_barrier would promise the same, but PostgreSQL does not join two of those by index.)
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from alembic import op

from migrations.functions import create_function
from migrations.row_security import APP_ROLE

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

ANALYST, VIEW_OWNER = "searchqa_analyst", "searchqa_views"
TABLES = (
    "judge_calls",
    "qa_answer_sources",
    "qa_answers",
    "qa_claims",
    "qa_evaluation_issues",
    "qa_evaluation_sources",
    "qa_evaluations",
    "qa_feedback",
    "refinements",
)

_CREATE_ROLE = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        CREATE ROLE {role} NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""
# So that the views can be given away, and the operator look through the analyst's eyes.
_MAY_TAKE_ROLE = """
DO $$ BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        BEGIN
            GRANT {role} TO CURRENT_USER;
        EXCEPTION WHEN insufficient_privilege THEN
            IF NOT pg_has_role(current_user, '{role}', 'MEMBER') THEN RAISE; END IF;
        END;
    END IF;
END $$
"""
_ACCESS = """
CREATE TABLE analytics.access (
    login name NOT NULL,
    workspace_id uuid REFERENCES public.workspaces (id) ON DELETE CASCADE,
    UNIQUE NULLS NOT DISTINCT (login, workspace_id)
)
"""
_SEEN = "workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces()))"


class View(NamedTuple):
    comment: str
    columns: Mapping[str, str]
    query: str


_OF_ANSWER = {
    "workspace_id": "Workspace of the answer.",
    "evaluation_id": "The verdict, as in verdicts.",
    "answer_id": "The answer.",
}

VERDICTS = View(
    "One row for each judgement of an answer, whatever became of it. An answer that was judged"
    " again has several, of which one is_current.",
    {
        "workspace_id": "Workspace of the answer.",
        "evaluation_id": "Key of the row; GET /qa-evaluations/{id} shows it.",
        "answer_id": "The answer.",
        "notebook_id": "Notebook that was searched; NULL: all of them, or notes of the caller.",
        "answered_at": "When the answer was finished.",
        "requested_at": "When this judgement was asked for: with the answer, or later.",
        "started_at": "When a worker first took it.",
        "finished_at": "When it ended, with a verdict or as failed.",
        "question": "What was asked.",
        "lang": "Language of the question: ko or en.",
        "feature": "Feature of the note app: search_qa, insight, writing, ...",
        "origin": "chat, stream, or external: answered by another application.",
        "answer_model": "Model that answered, as provider:model where both are known.",
        "search_method": "How notes were found; NULL where none were looked for.",
        "is_current": "Whether this is the judgement that stands for the answer.",
        "status": "queued, running, retrying, succeeded, failed or skipped.",
        "reason": "Why it is skipped or waits.",
        "degraded": "Whether rules stood in for a judge that failed. Left out of all averages.",
        "judge_key": "Evaluators, judge model and prompt version asked for.",
        "judge_model": "Judge that was asked.",
        "made_by": "Judge that made the verdict, as provider:model; NULL without a verdict.",
        "prompt_version": "Version of the prompts, or of the rules.",
        "correctness": "Is every claim grounded in the notes? 0 to 1; NULL without a verdict.",
        "utility": "Does it answer the question? 0 to 1; NULL without a verdict.",
        "confidence": "high, medium or low.",
        "overall_score": "Of the four phases, 0 to 1.",
        "needs_improvement": "Whether overall_score is below 0.7.",
        "summary": "The judge's summary.",
        "attempts": "How often a worker took it.",
        "tries": "Attempts that a failure of the judge used up.",
        "crashes": "Attempts whose worker died or hung.",
        "prompt_tokens": "Tokens sent, all calls together; NULL where unknown.",
        "completion_tokens": "Tokens received, all calls together; NULL where unknown.",
        "cost_usd": "US dollars, all calls together; NULL where no price is known.",
        "queue_ms": "Milliseconds from requested_at to started_at.",
        "judge_ms": "Milliseconds that the judge of the verdict took.",
        "verdict_ms": "Milliseconds from requested_at to finished_at.",
        "error": "Why it failed, is tried again, or is degraded.",
    },
    """
    SELECT e.workspace_id, e.id AS evaluation_id, e.answer_id, a.notebook_id,
        a.created_at AS answered_at, e.created_at AS requested_at, e.started_at, e.finished_at,
        a.question, a.lang, a.feature, a.origin,
        CASE WHEN a.provider IS NULL THEN a.model ELSE a.provider || ':' || a.model END
            AS answer_model,
        a.search_method, e.is_current, e.status, e.reason, e.degraded, e.judge_key, e.judge_model,
        e.provider || ':' || e.model AS made_by, e.prompt_version,
        e.correctness, e.utility, e.confidence, e.overall_score, e.needs_improvement, e.summary,
        e.attempt AS attempts, e.tries, e.crashes, e.prompt_tokens, e.completion_tokens,
        e.cost_usd, e.queue_ms, e.judge_ms,
        (extract(epoch FROM e.finished_at - e.created_at) * 1000)::float8 AS verdict_ms,
        e.error
    FROM qa_evaluations e
    LEFT JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
    """,
)

SOURCES = View(
    "One row for each note that a judged answer was given.",
    _OF_ANSWER
    | {
        "note_index": "1 is [노트 1] in the answer.",
        "note_id": "The note; NULL when it is not ours or gone.",
        "title": "Its title, as the model was given it.",
        "cited": "Whether the answer used it.",
        "relevant_claim": "What the answer took from it.",
        "quote_found": "Whether the judge's quotation stands in it; NULL where none was given.",
    },
    """
    SELECT c.workspace_id, c.evaluation_id, s.answer_id, c.note_index, s.note_id, s.title,
        c.cited, c.relevant_claim, c.quote_found
    FROM qa_evaluation_sources c
    LEFT JOIN qa_evaluations e ON e.id = c.evaluation_id
    LEFT JOIN qa_answer_sources s ON s.answer_id = e.answer_id AND s.note_index = c.note_index
    """,
)

CLAIMS = View(
    "One row for each statement of a judged answer.",
    {
        "workspace_id": "Workspace of the answer.",
        "evaluation_id": "The verdict, as in verdicts.",
        "position": "1 is the first claim of the answer.",
        "claim": "The statement.",
        "verdict": "supported, partly or unsupported.",
        "note_index": "Note that bears it out; NULL where none does.",
        "quote_found": "Whether the quotation stands in that note; NULL where none was given.",
        "reasoning": "Why.",
        "source": "judge or rules.",
    },
    """
    SELECT workspace_id, evaluation_id, position, claim, verdict, note_index, quote_found,
        reasoning, source
    FROM qa_claims
    """,
)

ISSUES = View(
    "One row for each thing that is wrong with an answer (kind grounding) or with its verdict.",
    {
        "workspace_id": "Workspace of the answer.",
        "evaluation_id": "The verdict, as in verdicts.",
        "position": "1 is the first issue of the verdict.",
        "kind": "grounding, score_contradicts_issues, quote_not_found, unknown_note, ...",
        "detail": "In words.",
    },
    """
    SELECT workspace_id, evaluation_id, position, kind, detail
    FROM qa_evaluation_issues
    """,
)

CALLS = View(
    "One row for each call to a judge. Rules make none.",
    {
        "workspace_id": "Workspace of the answer.",
        "evaluation_id": "The verdict, as in verdicts.",
        "attempt": "Attempt of the verdict that made it; 1 is the first.",
        "called_at": "When its reply, or its failure, was stored.",
        "made_by": "The judge, as provider:model.",
        "outcome": "ok, malformed (the reply could not be used), transient, configuration or"
        " permanent.",
        "prompt_tokens": "Tokens sent; NULL where unknown.",
        "completion_tokens": "Tokens received; NULL where unknown.",
        "cost_usd": "US dollars; NULL where no price is known.",
        "latency_ms": "Milliseconds until the reply.",
        "error": "Why it failed.",
    },
    """
    SELECT workspace_id, evaluation_id, attempt, created_at AS called_at,
        provider || ':' || model AS made_by,
        CASE WHEN error IS NOT NULL THEN split_part(error, ':', 1)
             WHEN discarded THEN 'malformed' ELSE 'ok' END AS outcome,
        prompt_tokens, completion_tokens, cost_usd, latency_ms, error
    FROM judge_calls
    """,
)

FEEDBACK = View(
    "What people say of answers and of single claims.",
    _OF_ANSWER
    | {
        "claim_position": "Claim it is about, as in claims; NULL: the answer as a whole.",
        "label": "right, partly or wrong.",
        "utility_label": "useful, partly or useless; NULL where not said.",
        "author": "Who says so.",
        "comment": "In words.",
        "updated_at": "When it was last said.",
    },
    """
    SELECT workspace_id, evaluation_id, answer_id, claim_position, label, utility_label, author,
        comment, updated_at
    FROM qa_feedback
    """,
)

REFINEMENTS = View(
    "One row for each attempt to improve an answer.",
    {
        "workspace_id": "Workspace of the answer.",
        "evaluation_id": "Verdict of the first answer, as in verdicts.",
        "refinement_id": "Key of the row; GET /refinements/{id} shows it.",
        "automatic": "Whether a poor verdict began it; else somebody asked.",
        "threshold": "Score from which on an answer is good enough, 0 to 1.",
        "stop_reason": "Why it ended; NULL while it goes on.",
        "best_iteration": "0 is the first answer.",
        "lift": "By how much of 0 to 1 the best answer is better than the first; NULL: unknown.",
        "created_at": "When it was asked for.",
        "finished_at": "When it ended.",
    },
    """
    SELECT workspace_id, evaluation_id, id AS refinement_id, automatic, threshold, stop_reason,
        best_iteration, lift, created_at, finished_at
    FROM refinements
    """,
)

LABEL_PAIRS = View(
    "One row for each verdict and person who labelled the same answer as a whole. A person's"
    " newest label counts.",
    _OF_ANSWER
    | {
        "author": "Who labelled the answer.",
        "human_label": "right, partly or wrong.",
        "judge_label": "The judge's correctness as a label: from 0.8 right, from 0.5 partly, else"
        " wrong.",
        "distance": "0 where both say the same, 1 for neighbours, 2 for right against wrong.",
        "comment": "What the person wrote.",
    },
    """
    SELECT e.workspace_id, e.id AS evaluation_id, e.answer_id, f.author, f.label AS human_label,
        j.label AS judge_label,
        abs(array_position(ARRAY['wrong', 'partly', 'right'], f.label::text)
            - array_position(ARRAY['wrong', 'partly', 'right'], j.label)) AS distance,
        f.comment
    FROM (
        SELECT DISTINCT ON (answer_id, author) answer_id, author, label, comment
        FROM qa_feedback
        WHERE claim_position IS NULL
        ORDER BY answer_id, author, updated_at DESC, id DESC
    ) f
    JOIN qa_evaluations e ON e.answer_id = f.answer_id AND e.correctness IS NOT NULL
        AND NOT e.degraded
    CROSS JOIN LATERAL (
        SELECT CASE WHEN e.correctness >= 0.8 THEN 'right'
                    WHEN e.correctness >= 0.5 THEN 'partly' ELSE 'wrong' END
    ) j (label)
    """,
)

_DAY = "(v.answered_at AT TIME ZONE 'UTC')::date"
_MEAN = "round((avg(v.{0}) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8"
_COVERAGE = """
        count(*) AS answers,
        count(*) FILTER (WHERE v.status = 'succeeded') AS judged,
        count(v.correctness) FILTER (WHERE NOT v.degraded) AS scored,
        count(*) FILTER (WHERE v.degraded) AS degraded,
        count(*) FILTER (WHERE v.status = 'skipped') AS skipped,
        count(*) FILTER (WHERE v.status = 'failed') AS failed,
        count(*) FILTER (WHERE v.status IN ('queued', 'running', 'retrying')) AS pending"""
_COVERED = {
    "answers": "Answers.",
    "judged": "Of them with a verdict, degraded ones included.",
    "scored": "Verdicts that the averages are of: with a correctness, and not degraded.",
    "degraded": "Verdicts of rules that stood in for a judge.",
    "skipped": "Answers that are not judged, for a stated reason.",
    "failed": "Answers whose judging failed.",
    "pending": "Answers whose verdict is still to come.",
}

DAILY_QUALITY = View(
    "Average scores by day (UTC) of the answer, with how many answers they stand for.",
    {
        "workspace_id": "Workspace.",
        "day": "Day of the answer, in UTC.",
        "correctness": "Mean correctness, 0 to 1.",
        "utility": "Mean utility, 0 to 1.",
        **_COVERED,
        "no_context": "Skipped: no notes were found.",
        "sampled_out": "Skipped: not in the sample.",
        "disabled": "Skipped: judging was off.",
        "not_search_qa": "Skipped: a feature that is not judged.",
    },
    f"""
    SELECT v.workspace_id, {_DAY} AS day,
        {_MEAN.format("correctness")} AS correctness, {_MEAN.format("utility")} AS utility,
        {_COVERAGE},
        count(*) FILTER (WHERE v.reason = 'no_context') AS no_context,
        count(*) FILTER (WHERE v.reason = 'sampled_out') AS sampled_out,
        count(*) FILTER (WHERE v.reason = 'disabled') AS disabled,
        count(*) FILTER (WHERE v.reason = 'not_search_qa') AS not_search_qa
    FROM analytics.verdicts v
    WHERE v.is_current
    GROUP BY 1, 2
    """,
)

NOTE_QUALITY = View(
    "How the notes that answers were given are used.",
    {
        "workspace_id": "Workspace.",
        "note_id": "The note; NULL: notes of that title that are not ours or gone.",
        "title": "Its title.",
        "given": "Judged answers that were given the note.",
        "cited": "Of them used it.",
        "ignored": "Of them did not.",
        "misquoted": "Of them quoted what does not stand in it.",
        "correctness": "Mean correctness of the answers that used it, 0 to 1.",
        "scored": "Verdicts that the mean is of.",
        "ungrounded": "Answers that used it and have a correctness below 0.5.",
    },
    """
    SELECT v.workspace_id, s.note_id, max(s.title) AS title, count(*) AS given,
        count(*) FILTER (WHERE s.cited) AS cited,
        count(*) FILTER (WHERE NOT s.cited) AS ignored,
        count(*) FILTER (WHERE NOT s.quote_found) AS misquoted,
        round((avg(v.correctness) FILTER (WHERE s.cited AND NOT v.degraded))::numeric, 4)::float8
            AS correctness,
        count(v.correctness) FILTER (WHERE s.cited AND NOT v.degraded) AS scored,
        count(*) FILTER (WHERE s.cited AND NOT v.degraded AND v.correctness < 0.5) AS ungrounded
    FROM analytics.verdicts v
    JOIN analytics.sources s ON s.evaluation_id = v.evaluation_id
    WHERE v.is_current AND v.status = 'succeeded'
    GROUP BY v.workspace_id, s.note_id, CASE WHEN s.note_id IS NULL THEN s.title END
    """,
)

MODEL_COMPARISON = View(
    "Average scores by judge and prompt version, every judgement counted. See the query"
    " paired-comparison for those that judged the same answers.",
    {
        "workspace_id": "Workspace.",
        "judge_key": "Evaluators, judge model and prompt version.",
        "judge_model": "Judge that was asked.",
        "correctness": "Mean correctness, 0 to 1.",
        "correctness_low": "Lower end of its 95 % interval (mean - 1.96 standard errors).",
        "correctness_high": "Upper end of its 95 % interval.",
        "utility": "Mean utility, 0 to 1.",
        **_COVERED,
    },
    f"""
    SELECT workspace_id, judge_key, judge_model, round(mean::numeric, 4)::float8 AS correctness,
        CASE WHEN error IS NOT NULL
            THEN round(greatest(0, mean - error)::numeric, 4)::float8 END AS correctness_low,
        CASE WHEN error IS NOT NULL
            THEN round(least(1, mean + error)::numeric, 4)::float8 END AS correctness_high,
        utility, answers, judged, scored, degraded, skipped, failed, pending
    FROM (
        SELECT v.workspace_id, v.judge_key, v.judge_model,
            avg(v.correctness) FILTER (WHERE NOT v.degraded) AS mean,
            1.96 * stddev_samp(v.correctness) FILTER (WHERE NOT v.degraded)
                / sqrt(count(v.correctness) FILTER (WHERE NOT v.degraded)) AS error,
            {_MEAN.format("utility")} AS utility,
            {_COVERAGE}
        FROM analytics.verdicts v
        WHERE v.status <> 'skipped'
        GROUP BY 1, 2, 3
    ) judges
    """,
)

JUDGE_COST_DAILY = View(
    "What judging cost, by day (UTC) of the answer and judge that was asked.",
    {
        "workspace_id": "Workspace.",
        "day": "Day of the answer, in UTC.",
        "judge_model": "Judge that was asked.",
        "verdicts": "Verdicts that it gave.",
        "calls": "Calls made for them and for those that came to nothing.",
        "prompt_tokens": "Tokens sent.",
        "completion_tokens": "Tokens received.",
        "cost_usd": "US dollars; NULL where no call has a known price.",
        "cost_per_verdict_usd": "cost_usd by verdicts.",
        "unpriced_calls": "Calls of unknown price, which cost_usd leaves out.",
    },
    f"""
    SELECT v.workspace_id, {_DAY} AS day, v.judge_model,
        count(DISTINCT v.evaluation_id) FILTER (WHERE v.status = 'succeeded' AND NOT v.degraded)
            AS verdicts,
        count(c.evaluation_id) AS calls,
        COALESCE(sum(c.prompt_tokens), 0)::bigint AS prompt_tokens,
        COALESCE(sum(c.completion_tokens), 0)::bigint AS completion_tokens,
        round(sum(c.cost_usd), 8)::float8 AS cost_usd,
        round(sum(c.cost_usd) / NULLIF(count(DISTINCT v.evaluation_id)
            FILTER (WHERE v.status = 'succeeded' AND NOT v.degraded), 0), 8)::float8
            AS cost_per_verdict_usd,
        count(c.evaluation_id) FILTER (WHERE c.cost_usd IS NULL) AS unpriced_calls
    FROM analytics.verdicts v
    LEFT JOIN analytics.calls c ON c.evaluation_id = v.evaluation_id
    WHERE v.status <> 'skipped'
    GROUP BY 1, 2, 3
    """,
)

_PERCENTILES = ("p50", "p95", "p99")
_TIMED = {
    "queue": "waiting for a worker",
    "judge": "the judge took",
    "verdict": "from asking for a verdict to having it, with the answer as a rule",
}
VERDICT_LATENCY = View(
    "How long verdicts take, by day (UTC) of the answer; degraded ones count too.",
    {
        "workspace_id": "Workspace.",
        "day": "Day of the answer, in UTC.",
        "verdicts": "Verdicts that were timed.",
        **{
            f"{name}_{p}": f"Milliseconds {what}: {p[1:]} % of the verdicts took no longer."
            for name, what in _TIMED.items()
            for p in _PERCENTILES
        },
    },
    """
    SELECT workspace_id, day, verdicts, {}
    FROM (
        SELECT v.workspace_id, {} AS day, count(*) AS verdicts, {}
        FROM analytics.verdicts v
        WHERE v.status = 'succeeded' AND v.is_current
        GROUP BY 1, 2
    ) timed
    """.format(
        ", ".join(
            f"round({name}[{place}]::numeric, 1)::float8 AS {name}_{p}"
            for name in _TIMED
            for place, p in enumerate(_PERCENTILES, start=1)
        ),
        _DAY,
        ", ".join(
            f"percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY v.{name}_ms) AS {name}"
            for name in _TIMED
        ),
    ),
)

JUDGE_RELIABILITY = View(
    "How often judges fail, by judge that was asked.",
    {
        "workspace_id": "Workspace.",
        "judge_model": "Judge that was asked.",
        "asked": "Judgements asked for.",
        "succeeded": "Of them with a verdict of this judge.",
        "degraded": "Of them with a verdict of rules instead.",
        "failed": "Of them given up.",
        "pending": "Of them still to come.",
        "attempts": "How often workers took one of them.",
        "failed_tries": "Attempts that a failure of the judge used up.",
        "crashes": "Attempts whose worker died or hung.",
        "calls": "Calls to the judge.",
        "call_errors": "Of them without a reply: refused, timed out, cut off.",
        "parse_failures": "Of them with a reply that could not be used.",
    },
    """
    SELECT v.workspace_id, v.judge_model, count(*) AS asked,
        count(*) FILTER (WHERE v.status = 'succeeded' AND NOT v.degraded) AS succeeded,
        count(*) FILTER (WHERE v.degraded) AS degraded,
        count(*) FILTER (WHERE v.status = 'failed') AS failed,
        count(*) FILTER (WHERE v.status IN ('queued', 'running', 'retrying')) AS pending,
        sum(v.attempts) AS attempts, sum(v.tries) AS failed_tries, sum(v.crashes) AS crashes,
        COALESCE(sum(c.calls), 0)::bigint AS calls,
        COALESCE(sum(c.errors), 0)::bigint AS call_errors,
        COALESCE(sum(c.malformed), 0)::bigint AS parse_failures
    FROM analytics.verdicts v
    LEFT JOIN (
        SELECT evaluation_id, count(*) AS calls,
            count(*) FILTER (WHERE outcome NOT IN ('ok', 'malformed')) AS errors,
            count(*) FILTER (WHERE outcome = 'malformed') AS malformed
        FROM analytics.calls GROUP BY 1
    ) c ON c.evaluation_id = v.evaluation_id
    WHERE v.status <> 'skipped'
    GROUP BY 1, 2
    """,
)

JUDGE_AGREEMENT = View(
    "Whether judges agree with people, by judge and prompt version: Cohen's kappa with linear"
    " weights over wrong, partly, right. 1 is agreement, 0 is what chance would give.",
    {
        "workspace_id": "Workspace.",
        "made_by": "Judge that made the verdicts, as provider:model.",
        "prompt_version": "Version of its prompts, or of the rules.",
        "pairs": "Labels of people on answers that it judged.",
        "same": "Of them the same as the judge's.",
        "neighbours": "Of them one step apart.",
        "opposite": "Of them right against wrong.",
        "agreement": "same by pairs, 0 to 1.",
        "kappa": "Weighted kappa, -1 to 1; NULL where all labels of both are one and the same.",
        "verdicts": "Verdicts of the judge, labelled or not.",
    },
    """
    SELECT v.workspace_id, v.made_by, v.prompt_version, count(p.distance) AS pairs,
        count(*) FILTER (WHERE p.distance = 0) AS same,
        count(*) FILTER (WHERE p.distance = 1) AS neighbours,
        count(*) FILTER (WHERE p.distance = 2) AS opposite,
        round(count(*) FILTER (WHERE p.distance = 0)::numeric / count(p.distance), 4)::float8
            AS agreement,
        round((1 - sum(p.distance)::numeric * count(p.distance) / NULLIF(
            count(*) FILTER (WHERE p.judge_label = 'wrong')
                * (count(*) FILTER (WHERE p.human_label = 'partly')
                    + 2 * count(*) FILTER (WHERE p.human_label = 'right'))
            + count(*) FILTER (WHERE p.judge_label = 'partly')
                * (count(*) FILTER (WHERE p.human_label = 'wrong')
                    + count(*) FILTER (WHERE p.human_label = 'right'))
            + count(*) FILTER (WHERE p.judge_label = 'right')
                * (count(*) FILTER (WHERE p.human_label = 'partly')
                    + 2 * count(*) FILTER (WHERE p.human_label = 'wrong')), 0)), 4)::float8
            AS kappa,
        count(DISTINCT v.evaluation_id) AS verdicts
    FROM analytics.verdicts v
    LEFT JOIN analytics.label_pairs p ON p.evaluation_id = v.evaluation_id
    WHERE v.correctness IS NOT NULL AND NOT v.degraded
    GROUP BY 1, 2, 3
    HAVING count(p.distance) > 0
    """,
)

# In the order in which one is made of another.
VIEWS: Mapping[str, View] = {
    "verdicts": VERDICTS,
    "sources": SOURCES,
    "claims": CLAIMS,
    "issues": ISSUES,
    "calls": CALLS,
    "feedback": FEEDBACK,
    "refinements": REFINEMENTS,
    "label_pairs": LABEL_PAIRS,
    "daily_quality": DAILY_QUALITY,
    "note_quality": NOTE_QUALITY,
    "model_comparison": MODEL_COMPARISON,
    "judge_cost_daily": JUDGE_COST_DAILY,
    "verdict_latency": VERDICT_LATENCY,
    "judge_reliability": JUDGE_RELIABILITY,
    "judge_agreement": JUDGE_AGREEMENT,
}


def upgrade() -> None:
    for role in (ANALYST, VIEW_OWNER):
        op.execute(_CREATE_ROLE.format(role=role))
        op.execute(_MAY_TAKE_ROLE.format(role=role))
    op.execute("CREATE SCHEMA analytics")
    op.execute(f"GRANT USAGE ON SCHEMA analytics TO {ANALYST}, {APP_ROLE}")
    op.execute(f"GRANT USAGE, CREATE ON SCHEMA analytics TO {VIEW_OWNER}")
    op.execute(_ACCESS)
    op.execute(create_function("visible_workspaces"))
    op.execute("REVOKE ALL ON FUNCTION analytics.visible_workspaces FROM PUBLIC")
    op.execute(
        "GRANT EXECUTE ON FUNCTION analytics.visible_workspaces"
        f" TO {ANALYST}, {APP_ROLE}, {VIEW_OWNER}"
    )
    for table in TABLES:
        op.execute(f"GRANT SELECT ON {table} TO {VIEW_OWNER}")
        op.execute(f"CREATE POLICY analytics ON {table} FOR SELECT TO {VIEW_OWNER} USING ({_SEEN})")
    for name, view in VIEWS.items():
        _create_view(f"analytics.{name}", view)
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {VIEW_OWNER}")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"DROP POLICY analytics ON {table}")
        op.execute(f"REVOKE ALL ON {table} FROM {VIEW_OWNER}")
    # The roles stay: other databases of the cluster may use them.
    op.execute("DROP SCHEMA analytics CASCADE")


def _create_view(name: str, view: View) -> None:
    op.execute(f"CREATE VIEW {name} AS {view.query}")
    _comment(f"VIEW {name}", f"Version 1. {view.comment}")
    for column, meaning in view.columns.items():
        _comment(f"COLUMN {name}.{column}", meaning)
    op.execute(f"GRANT SELECT ON {name} TO {ANALYST}, {APP_ROLE}")
    op.execute(f"ALTER VIEW {name} OWNER TO {VIEW_OWNER}")


def _comment(what: str, text: str) -> None:
    quoted = text.replace("'", "''")
    op.execute(f"COMMENT ON {what} IS '{quoted}'")
