"""An evaluation policy as people write and read it."""

import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    model_validator,
)

from app.ai_router.types import Lang
from app.judges.verdict_prompts import DEFAULT_PROMPT, in_place_of
from app.platform.judge_settings import GatePlan, PhasePlan
from app.platform.setting_types import Days
from app.platform.settings import Settings
from app.text.redaction import MAX_PATTERN_CHARS

MIN_BUDGET_USD = 0.0001
UTC = "UTC"
DEFAULT_CASCADE_CHECK = 0.05
# How long a row may wait for a batch, where the policy does not say.
BATCH_HOURS = 24


def _json_number(value: object) -> object:
    """Accepts JSON numbers only (2.0 as an int); rejects bool and str, which pydantic takes. Its
    strict mode would refuse 2.0."""
    if isinstance(value, bool | str):
        raise ValueError("must be a number")  # noqa: TRY004  what pydantic understands
    return value


Number = BeforeValidator(_json_number)


def _worth_a_call(dollars: float) -> float:
    if dollars < MIN_BUDGET_USD:
        raise ValueError(
            f"must be at least {MIN_BUDGET_USD:.4f} US dollars; to judge nothing set `enabled`"
            " to false, to spend without a limit leave the budget out"
        )
    return dollars


Feature = Literal["search_qa", "insight", "writing"]
GATES: tuple[GatePlan, ...] = get_args(GatePlan)
Model = Annotated[str, StringConstraints(pattern=r"^[!-~]+$", max_length=200)]
Prompt = Annotated[str, StringConstraints(pattern=r"^[!-~]+$", max_length=64)]
Zone = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_+/-]+$", max_length=64)]
Chars = Annotated[int, Field(ge=0, le=1_000_000), Number]
Share = Annotated[float, Field(ge=0, le=1), Number]
Budget = Annotated[
    float,
    # In the schema only, because the refusal says more than "too small".
    Field(le=100_000, json_schema_extra={"minimum": MIN_BUDGET_USD}),
    AfterValidator(_worth_a_call),
    Number,
]
Kept = Annotated[Days, Number]
BulkBy = Literal["calls", "batch"]
UserRefs = Literal["hashed", "plain"]
Pattern = Annotated[str, StringConstraints(pattern=r"^[^\x00]+$", max_length=MAX_PATTERN_CHARS)]


class WorkspacePolicy(BaseModel):
    """What a workspace has judged, by whom and for how much. null leaves a setting to the server.

    sample_rate: the share of answers that are judged, 0 to 1, chosen by a hash of the answer's
    id. features, languages, notebook_ids (those that were asked, by name), min_answer_chars and
    max_answer_chars: only such answers are judged. phases, quality_gate_features: none where the
    list is empty. Without notes rules tick the checklist, or the judge where it is named with
    `:model`. judge_prompt: the version of the judge's own prompt. fallback_models: judge in the
    place of judge_model, in this order, when it cannot; judge_fallback: what comes after the last
    of them. cascade: judges that are asked in turn until one is sure, the last of them
    judge_model; only where it is calibrated. cascade_check: the share of sure verdicts that the
    last one checks. jury: three to five judges, the last of them judge_model, of whom each is
    asked in turn until more than half give the same confidence; a tie is the last one's.
    reuse_replies: whether identical requests take the stored reply, where the
    server keeps to that; never where it is false. daily_budget_usd: what the judges may cost from
    midnight to midnight in time_zone; answers beyond it wait for the next day.
    auto_refine_features: whose poor answers auto_refine improves, those of all features where it
    is left out; only answers from notes can be improved. keep_…_days: how long answers, replies of
    judges and events are kept. bulk_by: whether what nobody waits for (judging again) asks a model
    by calls, or in batches of its provider, which cost less; batch_hours: how long an answer may
    wait for its batch before it is judged by calls. user_refs: whether who asked is stored as a
    keyed hash or as the application wrote it; e-mail addresses are hashed in any case. redact:
    whether e-mail addresses, phone numbers and Korean resident numbers are replaced by marks before
    answers and comments are stored and judged; redact_pattern: what else is, an expression of
    RE2."""

    model_config = ConfigDict(extra="forbid")

    enabled: StrictBool | None = None
    sample_rate: Share | None = None
    features: Annotated[list[Feature], Field(min_length=1, max_length=3)] | None = None
    languages: Annotated[list[Lang], Field(min_length=1, max_length=2)] | None = None
    notebook_ids: Annotated[list[uuid.UUID], Field(min_length=1, max_length=100)] | None = None
    min_answer_chars: Chars | None = None
    max_answer_chars: Chars | None = None
    quality_gate: StrictBool | None = None
    quality_gate_features: Annotated[list[GatePlan], Field(max_length=5)] | None = None
    phases: Annotated[list[PhasePlan], Field(max_length=7)] | None = None
    judge_model: Model | None = None
    judge_prompt: Prompt | None = None
    fallback_models: Annotated[list[Model], Field(max_length=5)] | None = None
    judge_fallback: Literal["failed", "rules"] | None = None
    cascade: Annotated[list[Model], Field(max_length=5)] | None = None
    cascade_check: Share | None = None
    jury: Annotated[list[Model], Field(max_length=5)] | None = None
    reuse_replies: StrictBool | None = None
    daily_budget_usd: Budget | None = None
    time_zone: Zone | None = None
    auto_refine: StrictBool | None = None
    auto_refine_features: Annotated[list[Feature], Field(max_length=3)] | None = None
    refine_threshold: Share | None = None
    refine_iterations: Annotated[int, Field(ge=1, le=5), Number] | None = None
    keep_answers_days: Kept | None = None
    keep_judge_bodies_days: Kept | None = None
    keep_events_days: Kept | None = None
    bulk_by: BulkBy | None = None
    batch_hours: Annotated[int, Field(ge=1, le=24), Number] | None = None
    user_refs: UserRefs | None = None
    redact: StrictBool | None = None
    redact_pattern: Pattern | None = None

    @model_validator(mode="after")
    def _has_lengths_between(self) -> Self:
        shortest, longest = self.min_answer_chars, self.max_answer_chars
        if shortest is not None and longest is not None and shortest > longest:
            raise ValueError("max_answer_chars must not be less than min_answer_chars")
        return self

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "WorkspacePolicy":
        """The policy as it is stored, unchecked, with what is shipped in place of a retired prompt;
        None is the default."""
        values = {name: row[name] for name in cls.model_fields}
        if (retired := values["judge_prompt"]) and (shipped := in_place_of(retired)) != retired:
            values["judge_prompt"] = None if shipped == DEFAULT_PROMPT else shipped
        return cls.model_construct(**values)

    def with_defaults(self, server: "WorkspacePolicy") -> "WorkspacePolicy":
        """The policy in effect: these settings, and those of `server` where they are unset."""
        given = {name: value for name, value in self if value is not None}
        return server.model_copy(update=given)


def server_policy(settings: Settings) -> WorkspacePolicy:
    """What the environment says, for workspaces that do not."""
    return WorkspacePolicy.model_construct(
        enabled=settings.evaluation.enabled,
        sample_rate=settings.evaluation.sample_rate,
        quality_gate=settings.evaluation.quality_gate,
        quality_gate_features=[
            name for name in GATES if name in settings.evaluation.quality_gate_features
        ],
        phases=list(settings.evaluation.phases),
        judge_model=settings.judge.model,
        judge_prompt=DEFAULT_PROMPT,
        fallback_models=[],
        judge_fallback=settings.judge.fallback,
        cascade=[],
        cascade_check=DEFAULT_CASCADE_CHECK,
        jury=[],
        reuse_replies=settings.judge.reuse_replies_hours > 0,
        time_zone=UTC,
        auto_refine=settings.refine.automatic,
        refine_threshold=settings.refine.threshold,
        refine_iterations=settings.refine.max_iterations,
        keep_answers_days=settings.retention.answers_days,
        keep_judge_bodies_days=settings.retention.judge_bodies_days,
        keep_events_days=settings.retention.events_days,
        bulk_by="calls",
        user_refs="hashed",
        redact=False,
        batch_hours=BATCH_HOURS,
    )
