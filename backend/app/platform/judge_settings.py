"""Settings of answering and judging: models, policy defaults, deadlines and limits."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, SecretStr, model_validator

from app.platform.setting_types import ByServer, CommaSeparated, Limits, Prices, Seconds, Subject

# Done by rules, or by the judge model.
PhasePlan = Literal[
    "citation",
    "completeness",
    "completeness:model",
    "groundedness",
    "groundedness:model",
    "next_steps",
    "next_steps:model",
]
GatePlan = Literal["search_qa", "insight", "insight:model", "writing", "writing:model"]

DEFAULT_PACK = "generic"
_MIN_LEASE_SECONDS = 90.0
_MIN_TASK_LIMIT_SECONDS = 120.0
# Added to a limit for the next one that is derived from it.
_MARGIN_SECONDS = 30.0
# A lease outlasts the deadline of its judge by more than this.
_LEASE_MARGIN_SECONDS = 10.0


class AnsweringSettings(Subject):
    model: str = Field("offline:extractive", alias="SEARCHQA_ANSWER_MODEL")
    deadline_seconds: Seconds = Field(60, alias="SEARCHQA_ANSWER_DEADLINE")
    # How long a stream stays open for the verdict.
    stream_wait_seconds: Seconds = Field(30, alias="SEARCHQA_STREAM_WAIT")


class ModelSettings(Subject):
    """Servers of models, keys and prices."""

    # False for processes that call no model: they drop the keys.
    keep_keys: bool = Field(default=True, alias="SEARCHQA_MODEL_KEYS")
    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str = Field("https://api.openai.com/v1", alias="OPENAI_BASE_URL")
    anthropic_api_key: SecretStr | None = Field(None, alias="ANTHROPIC_API_KEY")
    anthropic_base_url: str = Field("https://api.anthropic.com", alias="ANTHROPIC_BASE_URL")
    ollama_base_url: str = Field("http://127.0.0.1:11434/v1", alias="OLLAMA_BASE_URL")
    # Servers of OpenAI's protocol by name, and the keys of those that need one.
    servers: Annotated[dict[str, str], ByServer] = Field(
        default_factory=dict, alias="SEARCHQA_SERVERS"
    )
    server_keys: Annotated[dict[str, SecretStr], ByServer] = Field(
        default_factory=dict, alias="SEARCHQA_SERVER_KEYS"
    )
    # For models that the price list lacks, or other contracts.
    prices: Prices = Field(default_factory=dict, alias="SEARCHQA_MODEL_PRICES")
    # Cores of one run of a local model, as embedding model or as judge.
    local_threads: int = Field(2, ge=1, le=256, alias="SEARCHQA_LOCAL_THREADS")

    @model_validator(mode="after")
    def _drop_keys(self) -> Self:
        if not self.keep_keys:
            self.openai_api_key = self.anthropic_api_key = None
            self.server_keys = {}
        return self

    @model_validator(mode="after")
    def _check_server_keys(self) -> Self:
        if unknown := sorted(self.server_keys.keys() - self.servers.keys()):
            raise ValueError(
                f"SEARCHQA_SERVER_KEYS has a key of {unknown[0]}, which SEARCHQA_SERVERS does not"
                " name; correct one of them"
            )
        return self


class BatchSettings(Subject):
    """Batches of requests that a provider works off at a lower price."""

    # Share of the usual price; unset: half at the vendors' own addresses, all of it elsewhere.
    price: float | None = Field(None, gt=0, le=1, alias="SEARCHQA_BATCH_PRICE")
    # A batch without a new row for this long is submitted.
    collect_seconds: Seconds = Field(30, alias="SEARCHQA_BATCH_COLLECT_SECONDS")
    # First interval between polls; it grows up to twenty times as long.
    poll_seconds: Seconds = Field(30, alias="SEARCHQA_BATCH_POLL_SECONDS")


class EmbeddingSettings(Subject):
    """Vector search beside full text; without a model, full text alone."""

    model: str | None = Field(None, alias="SEARCHQA_EMBEDDING_MODEL")
    deadline_seconds: Seconds = Field(1, alias="SEARCHQA_EMBEDDING_DEADLINE")
    # The minimum cosine of a passage that matches a question; it depends on the model.
    min_similarity: float = Field(0.3, ge=-1, le=1, alias="SEARCHQA_EMBEDDING_MIN_SIMILARITY")
    # Vectors of a workspace from which it gets an index; below, all are compared.
    index_min_vectors: int = Field(5_000, ge=1, alias="SEARCHQA_VECTOR_INDEX_FROM")


class EvaluationSettings(Subject):
    """Which answers are judged, and in what detail; workspaces' policies override it."""

    enabled: bool = Field(default=True, alias="SEARCHQA_EVALUATION_ENABLED")
    sample_rate: float = Field(1.0, ge=0, le=1, alias="SEARCHQA_SAMPLE_RATE")
    quality_gate: bool = Field(default=True, alias="SEARCHQA_QUALITY_GATE")
    # By rules, or `insight:model` for the judge model. The checklist of an answer from notes
    # belongs to its verdict and comes from the judge of that verdict.
    quality_gate_features: Annotated[frozenset[GatePlan], CommaSeparated] = Field(
        frozenset({"search_qa", "insight", "writing"}), alias="SEARCHQA_QUALITY_GATE_FEATURES"
    )
    # Domain knowledge: a shipped pack, or the path of a YAML file.
    domain_pack: str = Field(DEFAULT_PACK, alias="SEARCHQA_DOMAIN_PACK")
    # By rules, or `groundedness:model` for the judge model.
    phases: Annotated[tuple[PhasePlan, ...], CommaSeparated] = Field(
        ("citation", "completeness", "groundedness", "next_steps"), alias="SEARCHQA_PHASES"
    )


class RefineSettings(Subject):
    """Whether poor answers are improved automatically, and when an answer is good enough."""

    automatic: bool = Field(default=False, alias="SEARCHQA_AUTO_REFINE")
    threshold: float = Field(0.5, ge=0, le=1, alias="SEARCHQA_REFINE_THRESHOLD")
    max_iterations: int = Field(2, ge=1, le=5, alias="SEARCHQA_REFINE_ITERATIONS")


def _derive_lease(data: dict[str, Any]) -> float:
    longest = max(data["deadline_seconds"], data["rules_time_limit_seconds"])
    return max(_MIN_LEASE_SECONDS, float(longest) + _MARGIN_SECONDS)


def _derive_task_limit(data: dict[str, Any]) -> float:
    return max(_MIN_TASK_LIMIT_SECONDS, float(data["lease_seconds"]) + _MARGIN_SECONDS)


class JudgeSettings(Subject):
    """The judge, its time limits, retries and circuit breaker. Only the deadline needs to be set:
    unset limits that must outlast it are derived from it."""

    model: str = Field("offline:rules", alias="SEARCHQA_JUDGE_MODEL")
    # Folders that policies and requests may name as local:FOLDER, beside the judge model.
    local_folders: Annotated[tuple[str, ...], CommaSeparated] = Field(
        (), alias="SEARCHQA_LOCAL_JUDGES"
    )
    fallback: Literal["failed", "rules"] = Field("rules", alias="SEARCHQA_JUDGE_FALLBACK")

    deadline_seconds: Seconds = Field(60, alias="SEARCHQA_JUDGE_DEADLINE")
    # Of judging by rules, in a child process, which is killed then.
    rules_time_limit_seconds: Seconds = Field(10, alias="SEARCHQA_RULES_TIME_LIMIT")
    lease_seconds: Seconds = Field(default_factory=_derive_lease, alias="SEARCHQA_JUDGE_LEASE")
    task_limit_seconds: Seconds = Field(
        default_factory=_derive_task_limit, alias="SEARCHQA_TASK_TIME_LIMIT"
    )

    max_attempts: int = Field(5, ge=1, le=20, alias="SEARCHQA_MAX_ATTEMPTS")
    retry_base_seconds: Seconds = Field(2, alias="SEARCHQA_RETRY_BASE")
    retry_max_seconds: Seconds = Field(300, alias="SEARCHQA_RETRY_MAX")
    # Between probes of a judge that is paused for its configuration.
    pause_seconds: Seconds = Field(300, alias="SEARCHQA_PAUSE_SECONDS")
    # Failed tries within the window that open the circuit breaker, and the time to its first probe.
    breaker_failures: int = Field(5, ge=1, le=1000, alias="SEARCHQA_BREAKER_FAILURES")
    breaker_window_seconds: Seconds = Field(60, alias="SEARCHQA_BREAKER_WINDOW")
    breaker_probe_seconds: Seconds = Field(5, alias="SEARCHQA_BREAKER_PROBE")

    # Calls to models for one answer; the default: verdicts/judging/call_budget.py.
    max_calls_per_answer: int | None = Field(
        None, ge=1, le=1000, alias="SEARCHQA_MAX_CALLS_PER_ANSWER"
    )
    # How long a reply serves identical requests of its workspace; 0: never.
    reuse_replies_hours: int = Field(24, ge=0, le=168, alias="SEARCHQA_REUSE_REPLIES_HOURS")
    # Limits of the judges' servers, shared by all workers, and whether they are also learned from
    # the headers of replies.
    limits: Limits = Field(default_factory=dict, alias="SEARCHQA_JUDGE_LIMITS")
    learn_limits: bool = Field(default=True, alias="SEARCHQA_JUDGE_LIMITS_LEARNED")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        deadline = ("JUDGE_DEADLINE", self.deadline_seconds)
        lease = ("JUDGE_LEASE", self.lease_seconds)
        task = ("TASK_TIME_LIMIT", self.task_limit_seconds)
        _check_longer(lease, deadline, "plus 10", _LEASE_MARGIN_SECONDS)
        _check_longer(lease, ("RULES_TIME_LIMIT", self.rules_time_limit_seconds))
        _check_longer(task, lease, "less 10", -_LEASE_MARGIN_SECONDS)
        return self


def _check_longer(
    longer: tuple[str, float], shorter: tuple[str, float], shift: str = "", seconds: float = 0
) -> None:
    (name, value), (other, bound) = longer, shorter
    if value <= bound + seconds:
        raise ValueError(
            f"SEARCHQA_{name} ({value:g} seconds) must be longer than SEARCHQA_{other}"
            f" ({bound:g} seconds){shift and f' {shift}'}; leave it unset to have it derived"
        )


class WorkerSettings(Subject):
    # Calls of one workspace; a process has a quarter more, kept for others: see worker/places.py.
    max_in_flight: int = Field(1024, ge=1, le=10_000, alias="SEARCHQA_MAX_IN_FLIGHT")
    bulk_in_flight: int = Field(16, ge=1, le=1000, alias="SEARCHQA_BULK_IN_FLIGHT")
    # Deprecated: waiting takes no threads. A worker warns when it is set.
    threads: int | None = Field(None, alias="SEARCHQA_WORKER_THREADS")
    stop_grace_seconds: Seconds = Field(4, alias="SEARCHQA_STOP_GRACE")
    # A job is held by heartbeats, however long it takes.
    job_lease_seconds: Seconds = Field(30, alias="SEARCHQA_JOB_LEASE")
    dispatch_interval_seconds: Seconds = Field(0.5, alias="SEARCHQA_DISPATCH_INTERVAL")
    dispatch_batch: int = Field(20, ge=1, le=500, alias="SEARCHQA_DISPATCH_BATCH")
    republish_after_seconds: Seconds = Field(30, alias="SEARCHQA_REPUBLISH_AFTER")


class TextSettings(Subject):
    """Limits of a child process that reads untrusted text; it is killed when it exceeds them."""

    import_time_limit_seconds: Seconds = Field(120, alias="SEARCHQA_IMPORT_TIME_LIMIT")
    memory_limit_megabytes: int = Field(1024, ge=64, alias="SEARCHQA_TEXT_MEMORY_LIMIT")
