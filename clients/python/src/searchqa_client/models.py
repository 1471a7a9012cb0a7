"""What the API takes and gives. Made by `make client-types`; not to be edited."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

from searchqa_client.reply import Reply

EvaluationType: TypeAlias = Literal["retrieval_only", "full_rag"] | str

Feature: TypeAlias = Literal["search_qa", "insight", "writing"] | str

JobStatus: TypeAlias = (
    Literal["queued", "running", "retrying", "succeeded", "failed", "cancelled"] | str
)

Retrieval: TypeAlias = Literal["text", "vector", "hybrid", "evidence"] | str

RunStatus: TypeAlias = Literal["pending", "running", "completed", "failed", "cancelled"] | str

Status: TypeAlias = Literal["queued", "running", "retrying", "succeeded", "failed", "skipped"] | str


class MatchedNote(Reply):
    """`note_index` 1 is `[노트 1]` in the answer."""

    note_index: int
    note_id: uuid.UUID | None
    title: str
    score: float | None


class QualityRead(Reply):
    """Where the verdict of an answer stands. evaluation_id is null and status is `not_stored`
    when the database did not take the answer: then there will be no verdict."""

    answer_id: uuid.UUID | None
    evaluation_id: uuid.UUID | None
    status: Status | str
    reason: str | None


class AIChatResponse(Reply):
    """standalone_question: what a question that needs the turns before it was understood as; null
    where it stands alone."""

    content: str
    standalone_question: str | None
    provider: str
    model: str
    lang: Literal["ko", "en"] | str
    matched_notes: list[MatchedNote]
    quality: QualityRead


class CaseNoteView(Reply):
    """deleted: it was a note of the workspace, which is gone since."""

    title: str = ""
    content: str
    note_id: uuid.UUID | None = None
    deleted: bool


class CaseSourceView(Reply):
    """deleted: the answer is gone since."""

    answer_id: uuid.UUID
    evaluation_id: uuid.UUID
    app_version: str | None
    answered_at: dt.datetime
    was_bad: bool
    added_at: dt.datetime
    added_by: str
    deleted: bool


class CaseState(Reply):
    """How a case with notes of its own came out in runs over the versions of its dataset: it fails,
    it passes, or it passes after it failed (`mended`). release: that of the run since which it
    passes, else the run's name; null while it fails."""

    state: Literal["failing", "passing", "mended"] | str
    release: str | None
    run_id: uuid.UUID | None


class CaseView(Reply):
    """notes: its own, which runs answer it from; empty where they search. expects_refusal: the
    notes do not say, and the answer is to say so. source: the answer that it is made from. state:
    null until a run could tell."""

    id: uuid.UUID
    position: int
    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None
    lang: str
    notes: list[CaseNoteView]
    expects_refusal: bool
    source: CaseSourceView | None
    state: CaseState | None


class AddedCase(Reply):
    """The case that an answer is in. added: false where the dataset had it already, with the same
    question and notes."""

    added: bool
    dataset_id: uuid.UUID
    dataset_name: str
    dataset_version: int
    test_case: CaseView


class CriterionVersion(Reply):
    """A version of a criterion. reference: how the evaluators of a verdict name it. question: what
    is asked of an answer. kind: who decides: the judge's model, or a rule. scale: words, the lowest
    first; empty for a number from 0 to 1, or for a rule, 0 or 1. features, languages: of the
    answers that it is for, null for all. in_force: whether new verdicts have it. archived_at: since
    when no version of the name is; null otherwise."""

    id: uuid.UUID
    name: str
    version: int
    reference: str
    question: str
    kind: Literal["model", "regex", "json_schema", "length"] | str
    scale: list[str]
    pattern: str | None
    json_schema: dict[str, Any] | None
    min_chars: int | None
    max_chars: int | None
    features: list[str] | None
    languages: list[Literal["ko", "en"] | str] | None
    note: str
    made_by: str
    in_force: bool
    created_at: dt.datetime
    archived_at: dt.datetime | None


class CriterionPage(Reply):
    """`next` continues the list; it is null on the last page."""

    items: list[CriterionVersion]
    next: uuid.UUID | None


class DatasetDetail(Reply):
    id: uuid.UUID
    name: str
    version: int
    notebook_id: uuid.UUID | None
    origin: dict[str, Any]
    cases: int
    created_at: dt.datetime
    test_cases: list[CaseView]
    review: Literal["proposed", "accepted"] | str | None


class DatasetView(Reply):
    """One version of a dataset; `cases` is how many it has. `origin` says where they are from.
    `review` is `proposed` for generated questions, `accepted` for what a person has left of a
    version, and null for questions that were brought in."""

    id: uuid.UUID
    name: str
    version: int
    notebook_id: uuid.UUID | None
    origin: dict[str, Any]
    cases: int
    created_at: dt.datetime
    review: Literal["proposed", "accepted"] | str | None


class DatasetPage(Reply):
    """`next` continues the list; it is null on the last page."""

    items: list[DatasetView]
    next: uuid.UUID | None


class EstimateRead(Reply):
    """Calls of models, tokens and US dollars; null where nobody knows a price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class EvaluationCreated(Reply):
    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None


class QualitySummary(Reply):
    """The checklist in short: `met` of `items`, and whether that is enough. `source` ticked it."""

    passed: bool
    met: int
    items: int
    source: Literal["judge", "rules"] | str


class CriterionSummary(Reply):
    """The score by a criterion of the workspace in that version; null where nobody said."""

    version: int
    value: float | None
    label: str | None


class HumanSummary(Reply):
    """What people say: how many called the whole answer right, partly right and wrong, and how
    many labels its claims have."""

    right: int
    partly: int
    wrong: int
    claims: int


class EvaluationRow(Reply):
    """One verdict in a list. Scores are null without a verdict. `answered_at`: when the answer was
    stored, `created_at`: when this verdict was asked for. `answer_snippet` is the beginning of the
    answer, `cited_title` the title of the first note that it cites; `issues` counts grounding
    issues. `provider` and `model` judged, `judge_model` was asked to; `judged_by` says what kind of
    judge gave the verdict. `outcome`: of rules, null for models; `decided`: false where rules could
    not tell, and scores say little. `state`: what the verdict comes to, in one word. `criteria`:
    the scores by the workspace's own, by name."""

    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None
    error: str | None
    degraded: bool
    judged_by: Literal["model", "local", "rules"] | str | None
    is_current: bool
    question: str
    lang: str
    feature: str
    notebook_id: uuid.UUID | None
    answer_model: str | None
    judge_model: str
    provider: str | None
    model: str | None
    confidence: str | None
    outcome: (
        Literal["matches", "mismatch", "undecided", "rightly_refused", "falsely_refused"]
        | str
        | None
    )
    decided: bool
    state: (
        Literal[
            "confirmed",
            "incomplete",
            "off_topic",
            "partly",
            "contradicted",
            "not_in_notes",
            "rightly_refused",
            "falsely_refused",
            "not_judged",
        ]
        | str
        | None
    )
    correctness: float | None
    utility: float | None
    overall_score: float | None
    needs_improvement: bool | None
    cost_usd: float | None
    created_at: dt.datetime
    answered_at: dt.datetime
    finished_at: dt.datetime | None
    quality: QualitySummary | None
    criteria: dict[str, CriterionSummary]
    human: HumanSummary | None
    app_version: str | None
    environment: str | None
    user_ref: str | None
    session_id: str | None
    tags: list[str]
    attributes: dict[str, str | int | float | bool]
    answer_snippet: str
    cited_title: str | None
    issues: int


class EvaluationPage(Reply):
    """`next` continues the list; it is null on the last page."""

    items: list[EvaluationRow]
    next: str | None


class DisposalRules(Reply):
    """The best note of a search as it was when the answer was made: up to 2,000 characters of its
    text. category: as the note has it now, null without one and when the note is gone. The name
    is from the first domain this was made for."""

    key: str
    category: str | None
    data: str


class EvidenceView(Reply):
    """A passage that was found for the question, and how."""

    chunk_id: str
    relevance: Literal["high", "medium", "low"] | str
    quoted_text: str
    matched_tags: list[str]
    method: Literal["classification", "contextual", "keyword", "client", "note"] | str
    note_index: int | None


class SearchView(Reply):
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


class CascadeStepView(Reply):
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


class SourceCoverageView(Reply):
    """A note that the answer was given; note_id is null for notes that are not ours or gone."""

    note_index: int
    note_title: str
    cited: bool
    relevant_claim: str
    quote: str = ""
    quote_found: bool | None = None
    note_id: uuid.UUID | None


class Extent(Reply):
    """Lengths in characters. What was judged is the beginning of the answer; of the notes, each
    has its share."""

    answer_chars: int
    judged_answer_chars: int
    note_chars: int
    judged_note_chars: int


class GuaranteeView(Reply):
    """What people's labels promise of a verdict with high confidence: of answers that this judge
    calls high with a correctness of at least `threshold`, at least a share `precision` is right,
    with this confidence; all 0 to 1. labels, labels_right: what it was tested on, at
    `calibrated_at`.

    state: holds; below: the verdict is older than the guarantee and its score below the threshold;
    lapsed: the guarantee is for another judge, or another version of its prompt."""

    state: Literal["holds", "below", "lapsed"] | str
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    calibrated_at: dt.datetime


class SearchQAEvaluationView(Reply):
    """state: what the verdict comes to, in one word.
    guarantee: null unless confidence is high and a judge of the workspace is calibrated.
    probability: the chance that people find the answer right, 0 to 1, by the judge's calibration
    when the verdict was recorded; null without one."""

    correctness: float
    utility: float
    confidence: Literal["high", "medium", "low"] | str
    source_coverage: list[SourceCoverageView]
    grounding_issues: list[str]
    summary: str
    flags: list[str] | None = None
    extent: Extent | None = None
    outcome: (
        Literal["matches", "mismatch", "undecided", "rightly_refused", "falsely_refused"]
        | str
        | None
    ) = None
    state: (
        Literal[
            "confirmed",
            "incomplete",
            "off_topic",
            "partly",
            "contradicted",
            "not_in_notes",
            "rightly_refused",
            "falsely_refused",
            "not_judged",
        ]
        | str
    )
    guarantee: GuaranteeView | None
    probability: float | None
    decided: bool


class QualityItem(Reply):
    """One item of a checklist, whether the reply meets it, and why."""

    item: str
    passed: bool
    reason: str


class QualityResultView(Reply):
    """`source`: who ticked the checklist, the verdict's judge or rules."""

    passed: bool
    pass_ratio: float
    items: list[QualityItem]
    source: Literal["judge", "rules"] | str


class CitationView(Reply):
    """A sentence of the answer (characters `start` to `end`) that uses a note. `supported` is
    null where it cannot be told."""

    note_index: int
    start: int
    end: int
    marked: bool
    supported: bool | None
    quote: str


class CitationPhaseView(Reply):
    """`context_relevance`: cited of all evidence; `citation_relevance`: the mean relevance of
    what was cited. Null when there is no evidence. `unknown_notes`: numbers that the answer
    cites and no note has."""

    source: Literal["judge", "rules"] | str
    fallback: str | None
    context_relevance: float | None
    citation_relevance: float | None
    citations: list[CitationView]
    unknown_notes: list[int]


class NuggetView(Reply):
    """A piece of information that a good answer has."""

    text: str
    importance: Literal["vital", "okay"] | str
    support: Literal["supported", "partly", "not"] | str


class CompletenessPhaseView(Reply):
    """Null `completeness`: nobody knows what a complete answer holds."""

    source: Literal["judge", "rules"] | str
    fallback: str | None
    completeness: float | None
    nuggets: list[NuggetView]


class ClaimView(Reply):
    """A statement of the answer, its characters `start` to `end`; both null when it could not
    be found there. `note_index` and `quote` are what bears it out or says otherwise; `position`
    (from 1) names the claim where people label it. `fault`, of one that is not supported:
    `contradicted` (a note says otherwise), `not_in_notes`, `misattributed` (another note than the
    cited one says it) or `stitched` (it joins what no note joins); null on older verdicts."""

    position: int
    claim: str
    verdict: Literal["supported", "partly", "unsupported"] | str
    fault: Literal["contradicted", "not_in_notes", "misattributed", "stitched"] | str | None = None
    note_index: int | None
    quote: str
    quote_found: bool | None
    start: int | None
    end: int | None
    reasoning: str


class GroundednessPhaseView(Reply):
    """Supported claims of all claims; null `groundedness`: nothing to check."""

    source: Literal["judge", "rules"] | str
    fallback: str | None
    groundedness: float | None
    claims: list[ClaimView]


class NextStepsPhaseView(Reply):
    source: Literal["judge", "rules"] | str
    fallback: str | None
    urgency: Literal["high", "medium", "low"] | str
    suggested_queries: list[str]
    action_items: list[str]


class FeedbackView(Reply):
    """Those of the four phases that were run. `overall_score` is null when none of the first
    three had anything to check; below 0.7 the answer needs improvement."""

    overall_score: float | None
    needs_improvement: bool | None
    citation: CitationPhaseView | None
    completeness: CompletenessPhaseView | None
    groundedness: GroundednessPhaseView | None
    next_steps: NextStepsPhaseView | None


class CriterionScoreView(Reply):
    """What the verdict says by a criterion of the workspace, in that version. value: 0 to 1, null
    where nobody said; label: the word of its scale; reasoning: the judge's, or why a rule could not
    be applied."""

    name: str
    version: int
    value: float | None
    label: str | None
    reasoning: str | None
    source: Literal["judge", "rules"] | str


class RefinementSummary(Reply):
    """The newest attempt to improve the answer. `best_iteration` above 0: a better one is there,
    by `lift` (of 0 to 1). automatic: a poor verdict began it, else somebody asked."""

    id: uuid.UUID
    automatic: bool
    status: JobStatus
    stop_reason: str | None
    best_iteration: int | None
    lift: float | None


class Turn(Reply):
    """A question that was asked earlier in the dialogue, and what it was answered. What a question
    asked helps to understand the next one; what an answer said is no evidence."""

    question: str
    answer: str


class EvaluationView(Reply):
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
    judged_by: Literal["model", "local", "rules"] | str | None
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
    attributes: dict[str, str | int | float | bool]
    history: list[Turn]
    standalone_question: str | None


class GateClaim(Reply):
    """The beginning of a statement of the answer. note_index: the note that bears or contradicts
    it, from 1."""

    claim: str
    verdict: Literal["supported", "partly", "unsupported"] | str
    note_index: int | None


class GateRead(Reply):
    """decision: `allow` where the notes bear the answer out or it rightly says that they do not
    say; `hold` where they say otherwise; else `unknown`. outcome: why, for programs; reason: in a
    sentence, in the language of the answer. claims: the doubted ones first. quality: where the
    whole verdict stands that is to come; `not_stored` where the database did not take the answer by
    now."""

    decision: Literal["allow", "hold", "unknown"] | str
    outcome: (
        Literal[
            "matches",
            "mismatch",
            "undecided",
            "rightly_refused",
            "falsely_refused",
            "no_notes",
            "over_budget",
            "overloaded",
            "failed",
        ]
        | str
    )
    reason: str
    claims: list[GateClaim]
    quality: QualityRead
    elapsed_ms: float


class HumanFeedbackView(Reply):
    """What `author` says of the answer, or where `claim_position` is set, of that claim."""

    id: uuid.UUID
    evaluation_id: uuid.UUID
    answer_id: uuid.UUID
    claim_position: int | None
    label: Literal["right", "partly", "wrong"] | str
    utility_label: Literal["useful", "partly", "useless"] | str | None
    comment: str | None
    author: str
    created_at: dt.datetime
    updated_at: dt.datetime


class Interval(Reply):
    """A percentile interval: between `low` and `high` lie 95 % of the resampled figures."""

    low: float
    high: float


class RetrievalMetrics(Reply):
    """Means over the measured cases, each 0 to 1.

    cases: how many were measured; missing_chunks: ground-truth ids that no longer exist and count
    as missed.
    intervals: 95 % bootstrap interval of each mean by its name; None with fewer than two cases."""

    precision_at_k: float
    recall_at_k: float
    hit_rate_at_k: float
    mrr: float
    map: float
    ndcg_at_k: float
    k: int
    cases: int
    missing_chunks: int
    intervals: dict[str, Interval | None]


class JudgedMean(Reply):
    """A mean of judged scores with what it rests on.

    mean: over all scored cases, failures as 0.0; mean_of_parsed: without failures, None when there
    are only failures; the intervals are 95 % bootstrap intervals, None with fewer than two cases.
    scored: cases that a judge was asked about; parsed: those with a usable reply; undecided: cases
    that rules could not tell, rightly_refused: right refusals, which count in none of these; total:
    cases of the run; coverage: parsed / total."""

    mean: float
    interval: Interval | None
    mean_of_parsed: float | None
    interval_of_parsed: Interval | None
    scored: int
    parsed: int
    undecided: int = 0
    rightly_refused: int = 0
    total: int
    coverage: float


class GenerationMetrics(Reply):
    """The means over all cases, failures counting 0.0, and what each rests on."""

    mean_faithfulness: float
    mean_answer_relevancy: float
    faithfulness: JudgedMean
    answer_relevancy: JudgedMean


class CriterionMean(Reply):
    """Of a criterion of the workspace: the mean over the `scored` of the answers that it was for;
    null where none has a score."""

    name: str
    version: int
    mean: float | None
    scored: int
    answers: int


class RunSummary(Reply):
    """The figures of a completed run. `metrics` is null when every search failed, `generation` when
    nothing was generated or no answer could be judged; `failed` cases could not be measured at
    all. criteria: the workspace's own that were in force when it began."""

    metrics: RetrievalMetrics | None
    generation: GenerationMetrics | None
    failed: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    mean_latency_ms: float | None
    criteria: list[CriterionMean]


class CriterionOfCase(Reply):
    """The score by a criterion of the workspace; null where nobody said."""

    version: int
    value: float | None
    label: str | None
    reasoning: str | None


class ResultView(Reply):
    """One case of a run. Retrieval figures are null where the search failed;
    `missing_chunk_ids` are of the ground truth, no longer exist and count as missed.
    faithfulness_decided: false where rules could not tell, and the score counts in no mean; null
    for models. outcome: `rightly_refused` where no score counts in a mean. passed: whether the
    answer to a case with notes of its own is as expected, null where nobody could tell; mended_in:
    where it failed before, the release, else the name, of the run since which it passes."""

    id: str
    test_case_id: uuid.UUID
    question: str
    retrieved_chunk_ids: list[str]
    missing_chunk_ids: list[str]
    precision: float | None
    recall: float | None
    hit: bool | None
    reciprocal_rank: float | None
    average_precision: float | None
    ndcg: float | None
    generated_answer: str | None
    faithfulness: float | None
    faithfulness_reasoning: str | None
    faithfulness_decided: bool | None
    outcome: (
        Literal["matches", "mismatch", "undecided", "rightly_refused", "falsely_refused"]
        | str
        | None
    )
    answer_relevancy: float | None
    answer_relevancy_reasoning: str | None
    criteria: dict[str, CriterionOfCase] | None
    passed: bool | None
    mended_in: str | None
    error: str | None


class RunDetail(Reply):
    id: uuid.UUID
    name: str
    dataset_id: uuid.UUID | None
    dataset_name: str
    dataset_version: int
    status: RunStatus
    k: int
    evaluation_type: EvaluationType
    retrieval: Retrieval
    embedding_model: str | None
    answer_model: str
    judge_model: str
    prompt_version: str | None
    app_version: str | None
    cases: int
    done: int
    metrics: RetrievalMetrics | None
    mean_faithfulness: float | None
    mean_answer_relevancy: float | None
    summary: RunSummary | None
    error_message: str | None
    waits_for: Literal["budget_spent", "budget_held", "budget_unpriced"] | str | None
    waits_until: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime
    results: list[ResultView]


class RunView(Reply):
    """A run; `done` of `cases` are measured. The means are null until it is completed.
    `embedding_model` is null where the retrieval asks none; prompt_version is of the judge;
    app_version is the release of the application that it measures. While a run waits for money of
    the daily budget, `waits_for` says why and `waits_until` when its next part is looked at
    again."""

    id: uuid.UUID
    name: str
    dataset_id: uuid.UUID | None
    dataset_name: str
    dataset_version: int
    status: RunStatus
    k: int
    evaluation_type: EvaluationType
    retrieval: Retrieval
    embedding_model: str | None
    answer_model: str
    judge_model: str
    prompt_version: str | None
    app_version: str | None
    cases: int
    done: int
    metrics: RetrievalMetrics | None
    mean_faithfulness: float | None
    mean_answer_relevancy: float | None
    summary: RunSummary | None
    error_message: str | None
    waits_for: Literal["budget_spent", "budget_held", "budget_unpriced"] | str | None
    waits_until: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime


class RunPage(Reply):
    """`next` continues the list; it is null on the last page."""

    items: list[RunView]
    next: uuid.UUID | None


class CaseFromAnswer(TypedDict):
    """dataset_id: any version; name: of a dataset that is there, or of a new one; neither: the
    dataset that an answer was put into last. reference_answer: the right answer, empty for none;
    left out, the comment of the newest label `wrong` or `partly`. expects_refusal: the notes do not
    say, and the answer is to say so."""

    evaluation_id: uuid.UUID | str
    dataset_id: NotRequired[uuid.UUID | str | None]
    name: NotRequired[str | None]
    reference_answer: NotRequired[str | None]
    expects_refusal: NotRequired[bool]


class TurnCreate(TypedDict):
    """A question that was asked earlier in the dialogue, and what it was answered; either may be
    blank."""

    question: str
    answer: str


class Classification(TypedDict):
    """What the question is about, as another program has found it (from a picture, say)."""

    major_category: str
    minor_category: NotRequired[str | None]


class Slots(TypedDict):
    """Age in years, sex, conditions and medications, each where known. Fields may be given by
    their English or their Korean names (나이, 성별, 질환, 약물)."""

    age: NotRequired[int | None]
    sex: NotRequired[str | None]
    conditions: NotRequired[list[str]]
    medications: NotRequired[list[str]]


class ChatOptions(TypedDict):
    """mode `search` lets insight answer from notes. context_notes replace the search;
    note_titles name them in the same order. classification leads the search; profile and slots
    tell about the asker and lead the improvement of an answer. conversation_id: a UUID that the
    client chose; the answer is added to that conversation of the asker, which begins with its
    first answer."""

    history: NotRequired[list[TurnCreate] | None]
    conversation_id: NotRequired[uuid.UUID | str | None]
    app_version: NotRequired[str | None]
    environment: NotRequired[str | None]
    user_ref: NotRequired[str | None]
    session_id: NotRequired[str | None]
    tags: NotRequired[list[str]]
    attributes: NotRequired[dict[str, Any]]
    mode: NotRequired[str | None]
    notebook_id: NotRequired[uuid.UUID | str | None]
    note_id: NotRequired[uuid.UUID | str | None]
    classification: NotRequired[Classification | None]
    profile: NotRequired[str | None]
    slots: NotRequired[Slots | None]


class CriterionCreate(TypedDict):
    """question: what is asked of each answer. kind: `model` has the judge asked in the call of the
    verdict; `regex` looks for `pattern` in the answer, `json_schema` wants the answer to be JSON of
    that schema, and `length` counts its characters. scale: two to five words, the lowest first, or
    empty for a number from 0 to 1; of a rule the words for no and yes, or empty. features,
    languages: of the answers that it is for; null for all. note: what changed, and why."""

    name: str
    question: str
    kind: NotRequired[Literal["model", "regex", "json_schema", "length"] | str]
    scale: NotRequired[list[str]]
    pattern: NotRequired[str | None]
    json_schema: NotRequired[dict[str, Any] | None]
    min_chars: NotRequired[int | None]
    max_chars: NotRequired[int | None]
    features: NotRequired[list[Literal["search_qa", "insight", "writing"] | str] | None]
    languages: NotRequired[list[Literal["ko", "en"] | str] | None]
    note: NotRequired[str]


class CaseCreate(TypedDict):
    """A question, the ids of the chunks that answer it, and the answer where it is known."""

    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: NotRequired[str | None]


class DatasetCreate(TypedDict):
    """A new version of the dataset of that name. notebook_id: the only notebook to search."""

    name: str
    notebook_id: NotRequired[uuid.UUID | str | None]
    test_cases: list[CaseCreate]


class FeedbackCreate(TypedDict):
    """`claim_position` names one claim of the evaluation; without it the answer as a whole is
    meant, and only that may have a `utility_label`. `author` is the token's name when left out;
    another one takes the scope `admin`."""

    label: Literal["right", "partly", "wrong"] | str
    utility_label: NotRequired[Literal["useful", "partly", "useless"] | str | None]
    claim_position: NotRequired[int | None]
    comment: NotRequired[str | None]
    author: NotRequired[str | None]


class RunEvaluation(TypedDict):
    """name: by default that of the dataset with a number. app_version: the release of the
    application that the run measures. k: how many chunks the search gives;
    full_rag answers each question and has the answer judged, three model calls a case. retrieval:
    which search; left out it is `hybrid` where an embedding model is configured, else `text`.

    answer_model, judge_model, prompt: only for full_rag. Left out, the judge is that of the
    workspace's policy and the answer model that of the server; others than the policy names take
    the scope `admin`. prompt: a version of the judge's prompt; left out, that of the policy where
    it names another than the usual one, else the two prompts of runs."""

    name: NotRequired[str | None]
    app_version: NotRequired[str | None]
    k: NotRequired[int]
    evaluation_type: NotRequired[EvaluationType]
    retrieval: NotRequired[Retrieval | None]
    answer_model: NotRequired[str | None]
    judge_model: NotRequired[str | None]
    prompt: NotRequired[str | None]


class EvaluationFilters(TypedDict):
    status: NotRequired[Status | None]
    reason: NotRequired[str | None]
    outcome: NotRequired[
        Literal[
            "asked",
            "scored",
            "unscored",
            "unrated",
            "undecided",
            "rightly_refused",
            "falsely_refused",
            "unjudged",
            "pending",
        ]
        | str
        | None
    ]
    confidence: NotRequired[Literal["high", "medium", "low"] | str | None]
    fault: NotRequired[
        Literal["contradicted", "not_in_notes", "misattributed", "stitched"] | str | None
    ]
    answer_id: NotRequired[uuid.UUID | str | None]
    failure_id: NotRequired[uuid.UUID | str | None]
    min_correctness: NotRequired[float | None]
    max_correctness: NotRequired[float | None]
    correctness_below: NotRequired[float | None]
    min_utility: NotRequired[float | None]
    max_utility: NotRequired[float | None]
    judge_model: NotRequired[str | None]
    made_by: NotRequired[str | None]
    prompt_version: NotRequired[str | None]
    answer_model: NotRequired[str | None]
    feature: NotRequired[Feature | None]
    lang: NotRequired[Literal["ko", "en"] | str | None]
    notebook_id: NotRequired[uuid.UUID | str | None]
    app_version: NotRequired[str | None]
    environment: NotRequired[str | None]
    user_ref: NotRequired[str | None]
    session_id: NotRequired[str | None]
    tag: NotRequired[str | None]
    attribute: NotRequired[str | None]
    since: NotRequired[dt.datetime | str | None]
    until: NotRequired[dt.datetime | str | None]
    first_day: NotRequired[dt.date | str | None]
    last_day: NotRequired[dt.date | str | None]
    tz: NotRequired[str]
    degraded: NotRequired[bool | None]
    from_cache: NotRequired[bool | None]
    judged_by: NotRequired[Literal["model", "local", "rules"] | str | None]
    has_issues: NotRequired[bool | None]
    issue_kind: NotRequired[str | None]
    cited_note: NotRequired[str | None]
    misquoted_note: NotRequired[str | None]
    labelled: NotRequired[bool | None]
    current: NotRequired[bool | None]
    criterion: NotRequired[str | None]
    criterion_label: NotRequired[str | None]
    min_criterion: NotRequired[float | None]
    max_criterion: NotRequired[float | None]
    question: NotRequired[str | None]
