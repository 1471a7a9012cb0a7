"""One Settings class, the only reader of the environment.

Server addresses and vendor keys keep the names they have everywhere (DATABASE_URL,
OPENAI_API_KEY); everything of our own starts with SEARCHQA_.
"""

import itertools
import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.platform.errors import SetupError
from app.platform.time_zones import is_time_zone

Seconds = Annotated[float, Field(gt=0)]
Days = Annotated[int, Field(ge=1, le=36_500)]

OFF = "off"
_RATE = re.compile(r"[1-9]\d{0,8}/(second|minute|hour|day)", re.ASCII)


def _check_rate(written: str) -> str:
    if written != OFF and not _RATE.fullmatch(written):
        raise ValueError(f"write it as 600/minute (or second, hour, day), or {OFF}: {written!r}")
    return written


Rate = Annotated[str, AfterValidator(_check_rate)]

_ORIGIN = re.compile(r"https?://[^/?#@*\s\\]+")


def _check_origin(written: str) -> str:
    origin = written.lower().removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise ValueError(f"write each origin as https://notes.example.com: {written!r}")
    return origin


Origin = Annotated[str, AfterValidator(_check_origin)]


def _check_time_zone(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError(f"write each time zone like Asia/Seoul: {name!r}")
    return name


TimeZone = Annotated[str, AfterValidator(_check_time_zone)]


def _to_network(written: object) -> object:
    if not isinstance(written, str):
        return written
    try:
        return ip_network(written, strict=False)
    except ValueError:
        raise ValueError(f"write each network as 10.0.0.0/8 or an address: {written!r}") from None


Network = Annotated[IPv4Network | IPv6Network, BeforeValidator(_to_network)]

_DEAREST = Decimal(10_000)


class ModelPrice(NamedTuple):
    """US dollars for a million tokens: of the prompt, of the reply, and of the prompt where the
    vendor read them from its cache or wrote them to it."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal
    cache_write: Decimal


def _read_prices(written: object) -> object:
    """`openai:my-model=0.15/0.60,…` by model, perhaps with prices of the cache behind it."""
    if not isinstance(written, str):
        return written
    prices = {}
    for entry in filter(None, (entry.strip() for entry in written.split(","))):
        model, _, price = entry.rpartition("=")
        try:
            given = [Decimal(each.strip()) for each in price.split("/")]
        except InvalidOperation:
            given = []
        named = all(model.strip().partition(":"))
        known = 2 <= len(given) <= len(ModelPrice._fields)
        if not (named and known) or not all(
            each.is_finite() and 0 <= each <= _DEAREST for each in given
        ):
            raise ValueError(
                "write provider:model=in/out, or in/out/cached/cache-write, US dollars for a"
                f" million tokens, as in openai:my-model=0.15/0.60: {entry!r}"
            )
        # Without a price of their own, tokens of the cache cost what the others do.
        given += given[:1] * (len(ModelPrice._fields) - len(given))
        prices[model.strip()] = ModelPrice(*given)
    return prices


class ModelLimit(NamedTuple):
    """What a model's server allows: requests and tokens a minute, and calls in flight; None where
    it allows any number."""

    requests: int | None = None
    tokens: int | None = None
    in_flight: int | None = None


# Of openai, anthropic and ollama, because other models are on no server.
_LIMITED_MODEL = re.compile(r"(?:openai|anthropic|ollama):\S.*")
_LIMIT = re.compile(r"-|[1-9]\d{0,8}", re.ASCII)


def _read_limits(written: object) -> object:
    """`openai:my-model=600/400000/64,…` by model."""
    if not isinstance(written, str):
        return written
    limits = {}
    for entry in filter(None, (entry.strip() for entry in written.split(","))):
        model, _, values = (part.strip() for part in entry.rpartition("="))
        each = [value.strip() for value in values.split("/")]
        if not (
            _LIMITED_MODEL.fullmatch(model)
            and 1 <= len(each) <= 3
            and all(map(_LIMIT.fullmatch, each))
            and set(each) != {"-"}
        ):
            raise ValueError(
                "write provider:model=requests/tokens/calls, requests and tokens of a minute and"
                " calls in flight, each 1 or more or - for no limit, of an openai, anthropic or"
                f" ollama model, as in openai:my-model=600/400000/-: {entry!r}"
            )
        limits[model] = ModelLimit(*(None if value == "-" else int(value) for value in each))
    return limits


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


def _alias(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="SEARCHQA_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        populate_by_name=True,
    )

    # Servers
    database_url: str | None = Field(None, validation_alias=_alias("DATABASE_URL"))
    # The same database without a pooler such as PgBouncer, which cannot do what a session does:
    # LISTEN, migrations, backups. And a replica that analytics, lists and exports may be read from,
    # while it is no more than so many seconds behind.
    database_direct_url: str | None = Field(None, validation_alias=_alias("DATABASE_DIRECT_URL"))
    database_read_url: str | None = Field(None, validation_alias=_alias("DATABASE_READ_URL"))
    replica_max_lag: Seconds = 30
    redis_url: str | None = Field(None, validation_alias=_alias("REDIS_URL"))
    # Another broker than REDIS_URL for messages: RabbitMQ, or a Redis of its own.
    broker_url: str | None = Field(None, validation_alias=_alias("BROKER_URL"))
    data_dir: Path = Path(".searchqa")
    host: str = "127.0.0.1"
    port: int = Field(8765, ge=0, le=65535)
    flower_port: int = Field(5555, ge=0, le=65535)
    flower_basic_auth: SecretStr | None = None
    public_url: str | None = None
    # Of what the command line prints; the system's by default.
    lang: Literal["ko", "en"] | None = None
    auth: bool = True
    # The pages that `make ui` builds.
    ui_dir: Path = Path(__file__).resolve().parents[2] / "frontend" / "dist"
    # Pages of other origins that may call the API with a token of their own.
    cors_origins: Annotated[frozenset[Origin], NoDecode] = frozenset()
    # Reverse proxies whose forwarded headers name the client.
    trusted_proxies: Annotated[frozenset[Network], NoDecode] = frozenset()

    # How many requests one token may send, and one address with wrong tokens.
    rate_limit: Rate = "3000/minute"
    rate_limit_writes: Rate = "600/minute"
    rate_limit_guesses: Rate = "30/minute"
    # Connections to the API, and those of one address that have sent no valid token.
    max_connections: int = Field(4096, ge=16, le=100_000)
    connections_per_address: int = Field(100, ge=1)

    # Which server the command line talks to; without these, the stack that runs on data_dir.
    url: str | None = None
    token: SecretStr | None = None

    # Models
    answer_model: str = "offline:extractive"
    judge_model: str = "offline:rules"
    # Folders whose models policies and requests may name as local:FOLDER, beside the judge model.
    local_judges: Annotated[tuple[str, ...], NoDecode] = ()
    # False for processes that call no model: they do not keep the keys.
    model_keys: bool = True
    openai_api_key: SecretStr | None = Field(None, validation_alias=_alias("OPENAI_API_KEY"))
    openai_base_url: str = Field(
        "https://api.openai.com/v1", validation_alias=_alias("OPENAI_BASE_URL")
    )
    anthropic_api_key: SecretStr | None = Field(None, validation_alias=_alias("ANTHROPIC_API_KEY"))
    anthropic_base_url: str = Field(
        "https://api.anthropic.com", validation_alias=_alias("ANTHROPIC_BASE_URL")
    )
    ollama_base_url: str = Field(
        "http://127.0.0.1:11434/v1", validation_alias=_alias("OLLAMA_BASE_URL")
    )
    # Where the price list does not know a model or a contract sets others.
    model_prices: Annotated[dict[str, ModelPrice], NoDecode, BeforeValidator(_read_prices)] = Field(
        default_factory=dict
    )
    # The share of its price that a request costs in a batch; unset, half of it at the vendors' own
    # addresses, and all of it elsewhere.
    batch_price: float | None = Field(None, gt=0, le=1)
    # A batch is handed in when no row has been added to it for so long; how far a batch is, is
    # asked after so long, and then up to twenty times as long.
    batch_collect_seconds: Seconds = 30
    batch_poll_seconds: Seconds = 30
    # What the servers of judges allow, shared by all workers, and whether it is also learned from
    # the headers of their replies.
    judge_limits: Annotated[dict[str, ModelLimit], NoDecode, BeforeValidator(_read_limits)] = Field(
        default_factory=dict
    )
    judge_limits_learned: bool = True
    answer_deadline: Seconds = 60
    # Search by meaning beside full text; without a model, full text alone.
    embedding_model: str | None = None
    embedding_deadline: Seconds = 1
    # The cosine from which a note is like a question; models differ in what is far apart.
    embedding_min_similarity: float = Field(0.3, ge=-1, le=1)
    # A workspace with so many vectors gets an index; fewer are all compared.
    vector_index_from: int = Field(5_000, ge=1)
    # Cores that one run of a local model may use, as embedding model or as judge.
    local_threads: int = Field(2, ge=1, le=256)

    # What is judged, and how
    evaluation_enabled: bool = True
    sample_rate: float = Field(1.0, ge=0, le=1)
    quality_gate: bool = True
    # By rules, and `insight:model` where the judge model is to tick the checklist. That of an
    # answer from notes belongs to its verdict and comes from whoever judges it.
    quality_gate_features: Annotated[frozenset[GatePlan], NoDecode] = frozenset(
        {"search_qa", "insight", "writing"}
    )
    # What is known of the domain: a shipped pack, or the path of a YAML file.
    domain_pack: str = "generic"
    # The four phases that are run, `groundedness:model` where the judge model does one of them;
    # without that, rules do.
    phases: Annotated[tuple[PhasePlan, ...], NoDecode] = (
        "citation",
        "completeness",
        "groundedness",
        "next_steps",
    )
    # Whether poor answers are improved without being asked to, and when an answer is good enough.
    auto_refine: bool = False
    refine_threshold: float = Field(0.5, ge=0, le=1)
    refine_iterations: int = Field(2, ge=1, le=5)
    judge_fallback: Literal["failed", "rules"] = "rules"
    max_attempts: int = Field(5, ge=1, le=20)
    retry_base: Seconds = 2
    retry_max: Seconds = 300
    pause_seconds: Seconds = 300
    # How long the reply of a judge also serves identical requests of its workspace; 0: never.
    reuse_replies_hours: int = Field(24, ge=0, le=168)
    # Calls to models that one answer may take; the default: verdicts/judging/call_budget.py.
    max_calls_per_answer: int | None = Field(None, ge=1, le=1000)
    # The circuit breaker of a judge: failed tries within the window that open it, and the seconds
    # to the first probe.
    breaker_failures: int = Field(5, ge=1, le=1000)
    breaker_window: Seconds = 60
    breaker_probe: Seconds = 5

    # Timing: each of these must be shorter than the next, see _timing_is_ordered.
    judge_deadline: Seconds = 60
    judge_lease: Seconds = 90
    task_time_limit: Seconds = 120
    visibility_timeout: Seconds = 300
    dispatch_interval: Seconds = 0.5
    dispatch_batch: int = Field(20, ge=1, le=500)
    republish_after: Seconds = 30
    # Not of that order: a job is held by heartbeats, however long it takes.
    job_lease: Seconds = 30
    stream_wait: Seconds = 30
    stop_grace: Seconds = 4
    # What texts of strangers may take in the child process that reads them: seconds of judging by
    # rules, of an import or a question, and megabytes. Then that process is killed.
    rules_time_limit: Seconds = 10
    import_time_limit: Seconds = 120
    text_memory_limit: int = Field(1024, ge=64)
    # Seconds without a turn of its event loops after which a process is ended and restarted.
    heartbeat_limit: float = Field(30, ge=1)
    # Seconds without a report after which a process counts as dead, and seconds that a verdict may
    # wait for a worker before pages, `searchqa doctor` and /readyz say so.
    process_timeout: float = Field(45, ge=15)
    max_queue_wait: Seconds = 60
    # Where the process writes its heartbeat for probes; `searchqa up` names one for each part.
    heartbeat_file: Path | None = None
    # The socket of the server that shares the Korean model among the processes of a stack;
    # `searchqa up` names it.
    fork_server: Path | None = None

    # Traces of other applications become answers this long after their last span, once their root
    # has ended, and without a root after the longer time. Seconds.
    trace_settle: Seconds = 5
    trace_max_wait: Seconds = 300

    # Spans of SearchQA itself go out by OTLP, as the OTEL_* variables say; with texts of questions,
    # notes and replies only where that is switched on.
    otel_traces: bool = False
    otel_content: bool = False

    # Where this process answers Prometheus with its figures, without a token; unset: nowhere.
    # `searchqa up` gives each of its processes a port of its own.
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(None, ge=1, le=65535)

    # Rollups keep percentiles of the days of these time zones; those of others are worked out when
    # they are asked for.
    rollup_time_zones: Annotated[tuple[TimeZone, ...], NoDecode] = ("UTC", "Asia/Seoul")

    # Webhooks: networks that are not public and may be delivered to all the same, the seconds that
    # one attempt may take, the days without a success after which a webhook is switched off, and
    # how long deliveries are kept.
    webhook_allowed_networks: Annotated[frozenset[Network], NoDecode] = frozenset()
    webhook_timeout: float = Field(15, gt=0, le=60)
    webhook_disable_after_days: Days = 5
    keep_webhook_deliveries_days: Days = 30

    # Retention; see app/platform/db/retention.py
    keep_judge_bodies_days: Days = 30
    keep_events_days: Days = 30
    keep_answers_days: Days | None = None
    # Of what has become of traces, not of the answers that they gave.
    keep_traces_days: Days = 7
    # Of alarms, and of watched days until the last one: those since are what the next is based on.
    # A workspace is looked at from 60 days back, with labels of 60 days before each: what is
    # forgotten sooner would be looked at again.
    keep_quality_days: int = Field(400, ge=120, le=36_500)

    # Of jobs and batches that have ended, and of trials of prompts.
    keep_jobs_days: Days = 90

    # Worker
    # Processes for fresh answers that `searchqa up` starts; one for each core by default.
    live_workers: int | None = Field(None, ge=1, le=64)
    # Deprecated: waiting takes no threads. A worker warns when it is set.
    worker_threads: int | None = None
    # Calls of one workspace; a process has a quarter more, kept for others: see worker/places.py.
    max_in_flight: int = Field(1024, ge=1, le=10_000)
    bulk_in_flight: int = Field(16, ge=1, le=1000)
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def message_broker(self) -> str | None:
        """The address of what carries messages."""
        return self.broker_url or self.redis_url

    @property
    def session_url(self) -> str | None:
        """The address of the database for what needs a session of its own."""
        return (self.database_url and self.database_direct_url) or self.database_url

    @model_validator(mode="before")
    @classmethod
    def _split_lists(cls, values: dict[str, object]) -> dict[str, object]:
        lists = (
            *("quality_gate_features", "phases", "cors_origins", "trusted_proxies"),
            *("local_judges", "webhook_allowed_networks", "rollup_time_zones"),
        )
        for name in (*lists, *(f"searchqa_{name}" for name in lists)):
            given = values.get(name)
            if isinstance(given, str):
                parts = [] if given == OFF else given.split(",")
                values[name] = [part.strip() for part in parts if part.strip()]
        return values

    @model_validator(mode="after")
    def _leave_keys_out(self) -> Self:
        if not self.model_keys:
            self.openai_api_key = self.anthropic_api_key = None
        return self

    @model_validator(mode="after")
    def _timing_is_ordered(self) -> Self:
        steps = (
            self.judge_deadline,
            self.judge_lease - 10,
            self.task_time_limit,
            self.visibility_timeout,
        )
        if not all(a < b for a, b in itertools.pairwise(steps)):
            raise ValueError(
                "judge_deadline < judge_lease - 10 < task_time_limit < visibility_timeout"
                f" must hold, got {steps}"
            )
        if self.trace_settle > self.trace_max_wait:
            raise ValueError(
                "trace_settle <= trace_max_wait must hold, got"
                f" {self.trace_settle:g} and {self.trace_max_wait:g}"
            )
        if self.rules_time_limit >= self.judge_lease:
            raise ValueError(
                "rules_time_limit < judge_lease must hold, got"
                f" {self.rules_time_limit:g} and {self.judge_lease:g}"
            )
        return self


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once. Raises SetupError naming each bad variable."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'settings'}: {e['msg']}" for e in error.errors()
        )
        raise SetupError(f"The configuration is not valid: {problems}.") from None
