"""A hash of each note's text, so that analytics count copies of a note as one."""

from collections.abc import Sequence

from alembic import op

revision: str = "0081"
down_revision: str | None = "0080"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

# Computed when it is read, of the few notes that answers cite: a stored column would rewrite the
# table. Case and white space differ between exports of one text. What is shorter is no copy of
# another: the capacities of two rooms may be the same.
_VIEW = r"""
CREATE VIEW analytics.note_texts AS
SELECT workspace_id, id AS note_id, CASE WHEN length(content_text) >= 40 THEN
    md5(replace(replace(replace(replace(lower(content_text),
        ' ', ''), E'\n', ''), E'\r', ''), E'\t', '')) END AS text_hash
FROM notes
"""
_MEANINGS = {
    "workspace_id": "Workspace.",
    "note_id": "The note.",
    "text_hash": "The same for notes with the same text, but for case and white space; NULL for"
    " texts of fewer than 40 characters.",
}


def upgrade() -> None:
    op.execute("GRANT SELECT ON notes TO searchqa_views")
    op.execute(
        "CREATE POLICY analytics ON notes FOR SELECT TO searchqa_views"
        " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
    )
    # Giving views away takes the right to make them there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute(_VIEW)
    op.execute(
        "COMMENT ON VIEW analytics.note_texts IS"
        " 'Version 1. One row for each note, with a hash by which copies are found.'"
    )
    for column, meaning in _MEANINGS.items():
        op.execute(f"COMMENT ON COLUMN analytics.note_texts.{column} IS '{meaning}'")
    op.execute("GRANT SELECT ON analytics.note_texts TO searchqa_analyst, searchqa_app")
    op.execute("ALTER VIEW analytics.note_texts OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def downgrade() -> None:
    op.execute("DROP VIEW analytics.note_texts")
    op.execute("DROP POLICY analytics ON notes")
    op.execute("REVOKE SELECT ON notes FROM searchqa_views")
