"""What each round of a refinement did, the verdict on its answer, and what its searches found."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_REFINEMENTS = import_module("migrations.versions.0012_analytics_views").REFINEMENTS.query.strip()

_MEASURED = {
    "relevance": ("text", "How notes were told relevant: ground_truth (of a dataset) or words."),
    "targeted_retrieval": (
        "double precision",
        "Share of the missing information that the searches for it found, 0 to 1.",
    ),
    "first_precision": ("double precision", "Share of relevant notes in the first search."),
    "first_recall": ("double precision", "Share of the relevant notes that it found."),
    "last_precision": ("double precision", "Share of relevant notes in the last search."),
    "last_recall": ("double precision", "Share of the relevant notes that it found."),
    "correctness_lift": (
        "double precision",
        "Correctness of the better answer minus that of the first, by the same judge.",
    ),
    "utility_lift": (
        "double precision",
        "Utility of the better answer minus that of the first, by the same judge.",
    ),
}
_ROUND_COLUMNS = {
    "searched": "boolean NOT NULL DEFAULT true",
    "calls": "integer NOT NULL DEFAULT 0",
    "judged_by": "text",
    "correctness": "double precision",
    "utility": "double precision",
    "confidence": "varchar(16)",
    "verdict_overall": "double precision",
    "verdict_error": "text",
}
_ROUNDS_VIEW = """
CREATE VIEW analytics.refinement_rounds AS
SELECT r.workspace_id, r.evaluation_id, i.refinement_id, i.position, i.query, i.rewritten_by,
    i.searched, jsonb_array_length(i.documents) AS notes, i.grounding, i.completeness, i.accuracy,
    i.overall_score, i.needs_retrieval, i.heuristic, i.judged_by, i.correctness, i.utility,
    i.confidence, i.verdict_overall, i.verdict_error, i.calls, i.cost_usd
FROM refinement_iterations i JOIN refinements r ON r.id = i.refinement_id
"""
_ROUNDS_COMMENTS = {
    "workspace_id": "Workspace of the answer.",
    "evaluation_id": "Verdict of the first answer, as in verdicts.",
    "refinement_id": "The refinement, as in refinements.",
    "position": "0 is the first answer.",
    "query": "What was searched for.",
    "rewritten_by": "llm, profile or keywords; NULL for the question as it was asked.",
    "searched": "False where the answer was rewritten from the notes of the round before.",
    "notes": "How many notes the answer was given.",
    "grounding": "How far the answer rests on them, 0 to 1.",
    "completeness": "How completely it deals with the question, 0 to 1.",
    "accuracy": "How correct it is, 0 to 1.",
    "overall_score": ".4 grounding + .4 completeness + .2 accuracy.",
    "needs_retrieval": "Whether the evaluation wants another search.",
    "heuristic": "The scores were estimated: no model judged, or its replies were of no use.",
    "judged_by": "Who gave the verdict: provider:model/version.",
    "correctness": "Of that verdict, 0 to 1.",
    "utility": "Of that verdict, 0 to 1.",
    "confidence": "Of that verdict: high, medium or low.",
    "verdict_overall": "Overall score of the phases of that verdict, 0 to 1.",
    "verdict_error": "Why there is no verdict on an answer that should have one.",
    "calls": "Calls to models that the round took; those of a verdict count for the last one.",
    "cost_usd": "What they cost; NULL where unknown.",
}


def upgrade() -> None:
    _add("refinement_iterations", _ROUND_COLUMNS)
    _add("refinements", {name: type_ for name, (type_, _) in _MEASURED.items()})
    _replace_view({name: name for name in _MEASURED})
    for name, (_, meaning) in _MEASURED.items():
        _comment(f"COLUMN analytics.refinements.{name}", meaning)
    _create_rounds_view()


def downgrade() -> None:
    op.execute("DROP VIEW analytics.refinement_rounds")
    op.execute("DROP POLICY analytics ON refinement_iterations")
    op.execute("REVOKE ALL ON refinement_iterations FROM searchqa_views")
    # Columns of a view cannot be taken away: they stay, empty.
    _replace_view({name: f"NULL::{type_}" for name, (type_, _) in _MEASURED.items()})
    _drop("refinements", _MEASURED)
    _drop("refinement_iterations", _ROUND_COLUMNS)


def _add(table: str, columns: Mapping[str, str]) -> None:
    added = ", ".join(f"ADD {name} {type_}" for name, type_ in columns.items())
    op.execute(f"ALTER TABLE {table} {added}")


def _drop(table: str, columns: Iterable[str]) -> None:
    op.execute(f"ALTER TABLE {table} {', '.join(f'DROP {name}' for name in columns)}")


def _replace_view(columns: dict[str, str]) -> None:
    more = "".join(f", {value} AS {name}" for name, value in columns.items())
    query = _REFINEMENTS.replace("finished_at", f"finished_at{more}")
    op.execute(f"CREATE OR REPLACE VIEW analytics.refinements AS {query}")


def _create_rounds_view() -> None:
    op.execute("GRANT SELECT ON refinement_iterations TO searchqa_views")
    op.execute(
        "CREATE POLICY analytics ON refinement_iterations FOR SELECT TO searchqa_views"
        " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
    )
    op.execute(_ROUNDS_VIEW)
    _comment("VIEW analytics.refinement_rounds", "Version 1. One row for each round of an attempt.")
    for column, meaning in _ROUNDS_COMMENTS.items():
        _comment(f"COLUMN analytics.refinement_rounds.{column}", meaning)
    op.execute("GRANT SELECT ON analytics.refinement_rounds TO searchqa_analyst, searchqa_app")
    # Giving it away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute("ALTER VIEW analytics.refinement_rounds OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def _comment(what: str, text: str) -> None:
    op.execute(f"COMMENT ON {what} IS '{text}'")
