"""SQL of labels and agreement, of the review queue, of reservations and of random draws."""

from collections.abc import Mapping, Sequence
from typing import Literal

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from app.platform.db.statements import SqlFile, load_sql
from app.quality.review.explorer_queries import ROW
from app.verdicts.reading.queries import OF_VERDICT

# So many past labels of an author are kept of an answer.
_MAX_PAST = 100
# Reasons are worked out for so many of the newest verdicts, so that the queue takes as long in a
# large workspace as in a small one.
_WINDOW = 5_000
_GRADE = "CASE {}.label WHEN 'right' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END"

StratifyBy = Literal["confidence", "lang", "judge", "model", "notebook", "feature"]

STRATIFY: Mapping[StratifyBy, str] = {
    "confidence": "COALESCE(e.confidence, '-')",
    "lang": "a.lang",
    "judge": "e.provider || ':' || e.model",
    "model": "COALESCE(a.provider || ':' || a.model, a.model, '-')",
    "notebook": "COALESCE(a.notebook_id::text, '-')",
    "feature": "a.feature",
}


def _ranked(more: str = "") -> str:
    """The beginning of a statement: the CTE `ranked` (id, score, reasons)."""
    return load_sql(__package__, "queue", window=str(_WINDOW), more=more)


def _labelled(row: str, more: str = "") -> str:
    """Whether anybody has labelled the whole answer that `row` names by its answer_id. more: what
    else must hold for f, the label."""
    return f"""EXISTS (
    SELECT FROM qa_feedback f
    WHERE f.answer_id = {row}.answer_id AND f.claim_position IS NULL {more})"""


def _reserved(row: str) -> str:
    return f"EXISTS (SELECT FROM review_reservations v WHERE v.answer_id = {row}.answer_id)"


_BY_AUTHOR = "AND f.author = :author"
_SQL = SqlFile(
    __package__,
    "queries",
    max_past=str(_MAX_PAST),
    of_verdict=OF_VERDICT,
    row=ROW,
    ordinal=_GRADE.format("l"),
    ordinal_of_other=_GRADE.format("o"),
    ranked=_ranked(),
    ranked_labelled=_ranked(f"AND {_labelled('c')} = :again"),
    labelled_by_author=_labelled("e", _BY_AUTHOR),
    labelled_item=_labelled("i"),
    # Whether `author` is to label it: nobody has or, with `again`, others have.
    unlabelled_item=f"NOT {_labelled('i', _BY_AUTHOR)} AND {_labelled('i')} = :again",
    reserved_item=_reserved("i"),
    reserved_evaluation=_reserved("e"),
    reserved_chosen=_reserved("chosen"),
)


def _upsert(key: str, same: str) -> TextClause:
    return text(_SQL("upsert", rows=_SQL("replaced", same=same), key=key))


def _with_ids(name: str, *ids: str) -> TextClause:
    """ids: the parameters that are arrays of ids."""
    return text(_SQL(name)).bindparams(*(bindparam(each, type_=ARRAY(UUID)) for each in ids))


# Answer and workspace are those of the evaluation; without one nothing is inserted.
UPSERT_OF_ANSWER = _upsert(
    "(answer_id, author) WHERE claim_position IS NULL",
    "f.answer_id = e.answer_id AND f.claim_position IS NULL",
)
UPSERT_OF_CLAIM = _upsert(
    "(evaluation_id, author, claim_position)",
    "f.evaluation_id = e.id AND f.claim_position = CAST(:claim_position AS int)",
)
FEEDBACK_OF_EVALUATION = text(_SQL("feedback_of_evaluation"))
DELETE_FEEDBACK = text(_SQL("delete_feedback", rows="f"))
FEEDBACK_AUTHOR = text(_SQL("feedback_author"))
EXISTS = text(_SQL("exists"))
ANSWER_PAIRS = text(_SQL("answer_pairs"))
CLAIM_PAIRS = text(_SQL("claim_pairs"))
DOUBLE_LABELS = text(_SQL("double_labels"))
GRADES = text(_SQL("grades"))
LABELLED = text(_SQL("labelled_answers"))
CELLS = text(_SQL("cells"))
QUEUE = text(_SQL("queue"))
LOCK_LABELLING = text(_SQL("lock_labelling"))
RELEASE = _with_ids("release", "ids")
RESERVE = _with_ids("reserve", "ids")
DOUBTFUL = text(_SQL("doubtful"))
CHOSEN = _with_ids("chosen", "ids")
ITEMS = _with_ids("items", "ids")
LOCK_DRAWS = text(_SQL("lock_draws"))
INSERT_DRAW = text(_SQL("insert_draw"))
INSERT_STRATUM = _with_ids("insert_stratum", "answer_ids")
INSERT_ITEMS = _with_ids("insert_items", "answer_ids", "stratum_ids")
DRAWS = text(_SQL("draws"))
DRAW_QUEUE = text(_SQL("draw_queue"))
PROGRESS = text(_SQL("progress"))


def draw_frame(stratify: Sequence[StratifyBy]) -> TextClause:
    """A row for each stratum: its name, the ids of its answers, and of those not drawn yet."""
    stratum = " || ' · ' || ".join(STRATIFY[each] for each in stratify) or "'all'"
    return text(_SQL("draw_frame", stratum=stratum))
