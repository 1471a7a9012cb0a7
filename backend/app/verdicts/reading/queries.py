"""SQL that reads verdicts and events."""

from sqlalchemy import text

from app.judges.prompts.one_call import HISTORY_VERSION
from app.platform.db.statements import SqlFile, in_list, load_sql
from app.verdicts.answers.queries import ATTRIBUTES
from app.verdicts.reading.state import LEFT_OUT
from app.verdicts.status import UNFINISHED

# A label on the answer as a whole is one on each of its verdicts, one on a claim on that one.
OF_VERDICT = """f.answer_id = e.answer_id
        AND (f.claim_position IS NULL OR f.evaluation_id = e.id)"""
HUMAN = load_sql(__package__, "human", of_verdict=OF_VERDICT)
# Who gave the verdict `e`; NULL while there is none.
JUDGED_BY = """CASE WHEN e.provider = 'offline' THEN 'rules' WHEN e.provider = 'local' THEN 'local'
        WHEN e.provider IS NOT NULL THEN 'model' END"""
# A right refusal has no score that counts, nor one to be shown.
CORRECTNESS, UTILITY = (
    f"CASE WHEN e.outcome IS DISTINCT FROM 'rightly_refused' THEN e.{name} END"
    for name in ("correctness", "utility")
)
# What is concluded; earlier releases stored the confidence of rules alone.
OUTCOME = """COALESCE(e.outcome, CASE WHEN e.provider = 'offline' THEN
        CASE e.confidence WHEN 'high' THEN 'matches' WHEN 'medium' THEN 'undecided'
            WHEN 'low' THEN 'mismatch' END END)"""
# What `state.py` decides the answer's state by.
FINDINGS = f"""CASE WHEN e.correctness IS NOT NULL THEN (SELECT json_build_object(
        'outcome', {OUTCOME}, 'correctness', e.correctness, 'utility', e.utility,
        'confidence', e.confidence, 'needs_improvement', e.needs_improvement,
        'supported', e.claims_supported, 'partly', e.claims_partly,
        'unsupported', e.claims_unsupported, 'contradicted', e.claims_contradicted,
        'issues', count(*) FILTER (WHERE i.kind = 'grounding'),
        'whole', e.judged_answer_chars >= e.answer_chars IS NOT FALSE
            AND count(*) FILTER (WHERE i.kind IN ({in_list(LEFT_OUT)})) = 0)
     FROM qa_evaluation_issues i WHERE i.evaluation_id = e.id) END"""
# A guarantee holds for answers with turns before them too, see `guarantee_for`.
_GUARANTEED_VERSION = f"replace(e.prompt_version, '+{HISTORY_VERSION}', '')"
VIEW_BY_ID = load_sql(
    __package__,
    "view",
    human=HUMAN,
    judged_by=JUDGED_BY,
    outcome=OUTCOME,
    findings=FINDINGS,
    attributes=ATTRIBUTES,
    guaranteed_version=_GUARANTEED_VERSION,
).encode()

_SQL = SqlFile(__package__, "queries", unfinished=in_list(UNFINISHED))
EVENTS_PAGE = 1000
NEW_EVENTS = load_sql(__package__, "new_events", event=_SQL("event")).encode()
EARLY_EVENTS = load_sql(__package__, "early_events", event=_SQL("event")).encode()
DELIVERED = _SQL("delivered").encode()
EVENT_HORIZON = _SQL("event_horizon").encode()
REPLAY = text(_SQL("replay"))
PLACE = text(_SQL("place"))
STATUS_COUNTS = text(_SQL("status_counts"))
