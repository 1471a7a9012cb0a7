"""Verdicts as readers get them."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from psycopg.rows import dict_row
from pydantic import BaseModel

from app.judges.answer import Extent, SearchQAEvaluation, SourceCoverage
from app.judges.checklists import QualityResult
from app.judges.criteria.criterion import is_criterion, name_of
from app.judges.phases.citation import UNKNOWN_NOTE
from app.platform.db.pool import Pool, transaction_in_workspace
from app.platform.jobs.status import JobStatus
from app.text.evidence import KEYWORD_SUCCESS, SEARCH_METHODS, EvidenceMethod, Relevance
from app.text.turns import Turn
from app.verdicts.answers.attributes import Scalar
from app.verdicts.lifecycle.record_rows import GROUNDING, QUALITY_GATE
from app.verdicts.policy.cascade import GuaranteeState
from app.verdicts.reading import queries
from app.verdicts.reading.feedback_views import FeedbackView, Source
from app.verdicts.reading.state import State
from app.verdicts.status import Status, WaitReason


class CascadeStepView(BaseModel):
    """One judge of a cascade, in the order in which they were asked. decided: its verdict is the
    answer's. sure: its score was beyond its thresholds, null for the last judge, who need not be;
    checked: it was, and the last judge was asked all the same, as a random part is. confidence: of
    its verdict; null with its scores where it had none, and `error` says why. cost_usd: of all its
    calls for this answer."""

    judge_model: str
    prompt_version: str | None
    correctness: float | None
    utility: float | None
    confidence: str | None
    sure: bool | None
    checked: bool
    decided: bool
    cost_usd: float | None
    judge_ms: float | None
    error: str | None


class GuaranteeView(BaseModel):
    """What people's labels promise of a verdict with high confidence: of answers that this judge
    calls high with a correctness of at least `threshold`, at least a share `precision` is right,
    with this confidence; all 0 to 1. labels, labels_right: what it was tested on, at
    `calibrated_at`.

    state: holds; below: the verdict is older than the guarantee and its score below the threshold;
    lapsed: the guarantee is for another judge, or another version of its prompt.
    """

    state: GuaranteeState
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    calibrated_at: dt.datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self | None:
        if (found := row["guarantee"]) is None:
            return None
        state: GuaranteeState = "lapsed"
        if found["holds_for"]:
            state = "holds" if row["correctness"] >= found["threshold"] else "below"
        return cls(state=state, **found)


# A model that reads, a detector in a local folder, or rules.
JudgedBy = Literal["model", "local", "rules"]


class SourceCoverageView(SourceCoverage):
    """A note that the answer was given; note_id is null for notes that are not ours or gone."""

    note_id: uuid.UUID | None


class SearchQAEvaluationView(SearchQAEvaluation):
    """state: what the verdict comes to, in one word.
    guarantee: null unless confidence is high and a judge of the workspace is calibrated.
    probability: the chance that people find the answer right, 0 to 1, by the judge's calibration
    when the verdict was recorded; null without one."""

    source_coverage: list[SourceCoverageView]  # type: ignore[assignment]  # a list of a subclass
    state: State
    guarantee: GuaranteeView | None
    probability: float | None


class QualityResultView(QualityResult):
    """`source`: who ticked the checklist, the verdict's judge or rules."""

    source: Source


class CriterionScoreView(BaseModel):
    """What the verdict says by a criterion of the workspace, in that version. value: 0 to 1, null
    where nobody said; label: the word of its scale; reasoning: the judge's, or why a rule could not
    be applied."""

    name: str
    version: int
    value: float | None
    label: str | None
    reasoning: str | None
    source: Source


class EvidenceView(BaseModel):
    """A passage that was found for the question, and how."""

    chunk_id: str
    relevance: Relevance
    quoted_text: str
    matched_tags: list[str]
    method: EvidenceMethod
    note_index: int | None


class DisposalRules(BaseModel):
    """The best note of a search as it was when the answer was made: up to 2,000 characters of its
    text. category: as the note has it now, null without one and when the note is gone. The name
    is from the first domain this was made for."""

    key: str
    category: str | None
    data: str


class SearchView(BaseModel):
    """How the answer's notes were found: `method` is null when none were looked for, `events`
    tell what was tried. found: whether the answer was given any notes. matched_keyword: the word
    that found them where nothing but single words did. disposal_rules: null without a search
    that found something."""

    found: bool
    method: str | None
    matched_keyword: str | None
    disposal_rules: DisposalRules | None
    events: list[str]
    evidence: list[EvidenceView]

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        method, events, best = row["search_method"], row["events"] or [], row["best_note"]
        words = (event.partition(KEYWORD_SUCCESS) for event in events)
        return cls(
            found=best is not None,
            method=method,
            matched_keyword=next((word for _, found, word in words if found), None),
            disposal_rules=best if method in SEARCH_METHODS else None,
            events=events,
            evidence=row["evidence"] or [],
        )


class RefinementSummary(BaseModel):
    """The newest attempt to improve the answer. `best_iteration` above 0: a better one is there,
    by `lift` (of 0 to 1). automatic: a poor verdict began it, else somebody asked."""

    id: uuid.UUID
    automatic: bool
    status: JobStatus
    stop_reason: str | None
    best_iteration: int | None
    lift: float | None


class HumanSummary(BaseModel):
    """What people say: how many called the whole answer right, partly right and wrong, and how
    many labels its claims have."""

    right: int
    partly: int
    wrong: int
    claims: int


class EvaluationView(BaseModel):
    """One verdict. `qa_evaluation`, `quality` and `feedback` are null until it has succeeded, and
    where they were not asked for; `human` is null while nobody has labelled it. `current_id` is
    the verdict of the answer that counts: another one where it was judged again since, or is
    being judged again now.
    judged_by: who gave the verdict, null until it has succeeded; degraded: rules did, because the
    judge that was asked for failed.
    fallback_because: why another judge than was asked for judges.
    from_cache: a reply was one to an identical request for another answer, and cost nothing.
    cascade: the judges that were asked in turn, empty where one judged alone; tokens and cost are
    those of all of them together.
    criteria: scores by the workspace's own criteria that are for this answer.
    policy_version: of the workspace's policy when the answer was finished, 0 without one.
    app_version … attributes: what the application said of the answer. user_ref: begins with `hmac:`
    where it is a hash.
    history: the turns before it that the judge was shown, the oldest first; standalone_question:
    what its question was understood as, null where it stands alone."""

    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None
    error: str | None
    degraded: bool
    judged_by: JudgedBy | None
    is_current: bool
    current_id: uuid.UUID
    attempt: int
    question: str
    answer: str
    lang: str
    feature: str
    search: SearchView
    evaluators: list[str]
    judge_model: str
    fallback_because: str | None
    cascade: list[CascadeStepView]
    policy_version: int
    provider: str | None
    model: str | None
    prompt_version: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    from_cache: bool
    queue_ms: float | None
    judge_ms: float | None
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    next_attempt_at: dt.datetime | None
    qa_evaluation: SearchQAEvaluationView | None
    quality: QualityResultView | None
    feedback: FeedbackView | None
    criteria: list[CriterionScoreView]
    refinement: RefinementSummary | None
    human: HumanSummary | None
    app_version: str | None
    environment: str | None
    user_ref: str | None
    session_id: str | None
    tags: list[str]
    attributes: dict[str, Scalar]
    history: list[Turn]
    standalone_question: str | None

    @property
    def settled(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.status.final and not (self.refinement and not self.refinement.status.final)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        return cls(
            **{name: row[name] for name in cls.model_fields if name in row and name != "cascade"},
            cascade=row["cascade"] or [],
            next_attempt_at=row["run_at"] if _waits_for_a_time(row) else None,
            qa_evaluation=_qa_evaluation(row),
            quality=_quality(row["scores"] or {}),
            feedback=FeedbackView.from_row(row),
            criteria=_criteria(row),
            search=SearchView.from_row(row),
        )


def _criteria(row: Mapping[str, Any]) -> list[CriterionScoreView]:
    """In the order of the evaluators."""
    scores = row["scores"] or {}
    names = [name_of(each) for each in row["evaluators"] if is_criterion(each)]
    return [CriterionScoreView(name=name, **scores[name]) for name in names if name in scores]


def _waits_for_a_time(row: Mapping[str, Any]) -> bool:
    return row["status"] == Status.RETRYING or (
        row["status"] == Status.QUEUED
        and row["reason"] in {WaitReason.BUDGET_HELD, WaitReason.BUDGET_SPENT}
    )


def _quality(scores: Mapping[str, Mapping[str, Any]]) -> QualityResultView | None:
    score = scores.get(QUALITY_GATE)
    if score is None:
        return None
    return QualityResultView(
        passed=score["label"] == "pass",
        pass_ratio=score["value"],
        items=score["details"],
        source=score["source"],
    )


def _qa_evaluation(row: Mapping[str, Any]) -> SearchQAEvaluationView | None:
    if row["correctness"] is None:
        return None
    issues: Sequence[Mapping[str, str]] = row["issues"] or []
    return SearchQAEvaluationView(
        correctness=row["correctness"],
        utility=row["utility"],
        confidence=row["confidence"],
        outcome=row["outcome"],
        state=row["state"],
        summary=row["summary"],
        source_coverage=[SourceCoverageView(**source) for source in row["sources"] or []],
        grounding_issues=[i["detail"] for i in issues if i["kind"] == GROUNDING],
        flags=[
            f"{i['kind']}:{i['detail']}" if i["detail"] else i["kind"]
            for i in issues
            if i["kind"] not in {GROUNDING, UNKNOWN_NOTE}
        ],
        guarantee=GuaranteeView.from_row(row),
        probability=row["probability"],
        extent=None
        if row["answer_chars"] is None
        else Extent(**{name: row[name] for name in Extent.model_fields}),
    )


async def view_of(pool: Pool, workspace_id: uuid.UUID, id_: uuid.UUID) -> EvaluationView | None:
    """The verdict as it stands now; None when the workspace has no such verdict. Raises
    psycopg.Error."""
    async with transaction_in_workspace(pool, workspace_id) as connection:
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(queries.VIEW_BY_ID, {"workspace_id": workspace_id, "id": id_})
        row = await cursor.fetchone()
    return EvaluationView.from_row(row) if row else None
