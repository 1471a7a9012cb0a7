"""The tables of what people say of answers and claims, of answers drawn for them to label, and of
their views of the list."""

import datetime as dt
import uuid

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, Keyed, KeyedInWorkspace, foreign_key

MAX_COMMENT_CHARS = 4_000
MAX_AUTHOR_CHARS = 200
MAX_VIEW_NAME_CHARS = 100


class QAFeedback(Keyed, InWorkspace, Base):
    """The label of one author for an answer, or for one claim of its evaluation.

    `claim_position` is NULL for the answer as a whole; only that can be more or less useful, and
    `evaluation_id` is then the one that was looked at. An author has one row for each answer and
    each claim: saying it again replaces it. A trigger checks that the claim is there: it is in a
    partition, which a foreign key would keep from being dropped.
    """

    __tablename__ = "qa_feedback"
    __table_args__ = (
        sa.UniqueConstraint("evaluation_id", "author", "claim_position"),
        sa.Index(
            "uq_qa_feedback_whole_answer",
            *("answer_id", "author"),
            unique=True,
            postgresql_where=sa.text("claim_position IS NULL"),
        ),
        sa.Index(None, "answer_id"),
        sa.Index(None, "workspace_id", "id"),
        sa.CheckConstraint("label IN ('right', 'partly', 'wrong')", name="label_known"),
        sa.CheckConstraint(
            "utility_label IN ('useful', 'partly', 'useless')", name="utility_known"
        ),
        sa.CheckConstraint(
            "utility_label IS NULL OR claim_position IS NULL", name="utility_of_whole_answer"
        ),
        sa.CheckConstraint(f"char_length(comment) <= {MAX_COMMENT_CHARS}", name="comment_length"),
        sa.CheckConstraint(
            f"char_length(author) BETWEEN 1 AND {MAX_AUTHOR_CHARS}", name="author_length"
        ),
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id")
    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id")
    claim_position: Mapped[int | None]
    label: Mapped[str] = mapped_column(sa.String(8))
    utility_label: Mapped[str | None] = mapped_column(sa.String(8))
    comment: Mapped[str | None] = mapped_column(sa.Text)
    author: Mapped[str] = mapped_column(sa.Text)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=sa.func.now())


class PastFeedback(Keyed, InWorkspace, Base):
    """A label that was replaced or deleted, at `created_at`, as it was until then. said_at: since
    when it had held; ended_by: the name of the token that replaced or deleted it."""

    __tablename__ = "qa_past_feedback"
    __table_args__ = (sa.Index(None, "answer_id", "author"),)

    evaluation_id: Mapped[uuid.UUID] = mapped_column(sa.Uuid)
    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id")
    claim_position: Mapped[int | None]
    label: Mapped[str] = mapped_column(sa.String(8))
    utility_label: Mapped[str | None] = mapped_column(sa.String(8))
    comment: Mapped[str | None] = mapped_column(sa.Text)
    author: Mapped[str] = mapped_column(sa.Text)
    said_at: Mapped[dt.datetime]
    ended_by: Mapped[str] = mapped_column(sa.Text)


class ReviewDraw(KeyedInWorkspace, Base):
    """Answers drawn at random for people to label.

    seed: of the generator, so that the draw can be repeated; size: how many were asked for;
    since, until, notebook_id, judge_model: the frame: judged answers from `since` to before
    `until`, of this notebook or judge where one is named; stratify: by what they were divided.
    """

    __tablename__ = "review_draws"
    __table_args__ = (sa.Index(None, "workspace_id", "id"),)

    seed: Mapped[int] = mapped_column(sa.BigInteger)
    size: Mapped[int]
    since: Mapped[dt.datetime]
    until: Mapped[dt.datetime]
    notebook_id: Mapped[uuid.UUID | None]
    judge_model: Mapped[str | None] = mapped_column(sa.Text)
    stratify: Mapped[list[str]] = mapped_column(sa.ARRAY(sa.Text))


class ReviewStratum(InWorkspace, Base):
    """A part of a draw's frame, whose answers were picked with the same chance.

    answer_ids: all of its answers at the time of the draw, those that earlier draws had picked
    included. Verdicts change later, but who could have been picked must stay known: estimates rest
    on it. An array, since a row for each answer and draw would take four times the space.
    """

    __tablename__ = "review_strata"
    __table_args__ = (sa.UniqueConstraint("draw_id", "name"),)

    id: Mapped[uuid.UUID] = mapped_column(sa.Uuid, primary_key=True)
    draw_id: Mapped[uuid.UUID] = foreign_key("review_draws.id")
    name: Mapped[str] = mapped_column(sa.Text)
    answer_ids: Mapped[list[uuid.UUID]] = mapped_column(sa.ARRAY(sa.Uuid))


class ReviewItem(InWorkspace, Base):
    """A drawn answer; it is drawn once. position: its place in the random order of its draw, from
    1. inclusion_probability: the chance with which its draw picked it among the answers of its
    stratum that were not drawn before, above 0 to 1."""

    __tablename__ = "review_items"
    __table_args__ = (
        sa.UniqueConstraint("draw_id", "position"),
        sa.CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1", name="probability_range"
        ),
    )

    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id", primary_key=True)
    draw_id: Mapped[uuid.UUID] = foreign_key("review_draws.id")
    stratum_id: Mapped[uuid.UUID] = foreign_key("review_strata.id", index=True)
    position: Mapped[int]
    inclusion_probability: Mapped[float]


class ReviewReservation(InWorkspace, Base):
    """An answer that somebody has open to label; nobody else is given it before `expires_at`.
    holder: the window or command it is open in, under an id of its own choice: two people may
    use one token."""

    __tablename__ = "review_reservations"
    __table_args__ = (sa.Index(None, "workspace_id"),)

    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id", primary_key=True)
    holder: Mapped[uuid.UUID]
    expires_at: Mapped[dt.datetime]


class SavedView(KeyedInWorkspace, Base):
    """Filters, order and columns of the list of evaluations under a name, for everybody in the
    workspace.

    filters: value by name, as in the address of the page. list_order: `newest` or `worst`. columns:
    by their names on the page, NULL for its usual ones. Which of these there are, the page knows:
    one of another release opens a view without what it does not know. author: who made it.
    """

    __tablename__ = "saved_views"
    __table_args__ = (
        sa.UniqueConstraint("workspace_id", "name"),
        sa.CheckConstraint(
            f"char_length(name) BETWEEN 1 AND {MAX_VIEW_NAME_CHARS}", name="name_length"
        ),
    )

    name: Mapped[str] = mapped_column(sa.Text)
    filters: Mapped[dict[str, str]] = mapped_column(JSONB)
    list_order: Mapped[str] = mapped_column(sa.Text)
    columns: Mapped[list[str] | None] = mapped_column(sa.ARRAY(sa.Text))
    author: Mapped[str] = mapped_column(sa.Text)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=sa.func.now())
