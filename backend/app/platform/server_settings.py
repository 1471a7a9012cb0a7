"""Settings of servers and processes: addresses, limits of the API, telemetry, retention."""

import datetime as dt
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator

from app.platform.setting_types import (
    CommaSeparated,
    Days,
    Groups,
    Network,
    Origin,
    Rate,
    Seconds,
    Subject,
    TimeZone,
)


class DatabaseSettings(Subject):
    """PostgreSQL, its address without a pooler, and a replica."""

    url: str | None = Field(None, alias="DATABASE_URL")
    # Without a pooler such as PgBouncer, which supports no LISTEN, migrations or backups.
    direct_url: str | None = Field(None, alias="DATABASE_DIRECT_URL")
    # A replica for analytics, lists and exports, used while its lag is at most this.
    read_url: str | None = Field(None, alias="DATABASE_READ_URL")
    replica_max_lag_seconds: Seconds = Field(30, alias="SEARCHQA_REPLICA_MAX_LAG")

    @property
    def session_url(self) -> str | None:
        """The address for what needs a session of its own."""
        return (self.url and self.direct_url) or self.url


class RedisSettings(Subject):
    url: str | None = Field(None, alias="REDIS_URL")
    # A Redis of its own for messages, where that is not REDIS_URL.
    broker_url: str | None = Field(None, alias="BROKER_URL")

    @property
    def message_url(self) -> str | None:
        """The address of the server that carries messages."""
        return self.broker_url or self.url


# In a wheel, and in a checkout.
_PAGES = Path(__file__).resolve().parents[1] / "pages"
_BUILT = _PAGES.parents[2] / "frontend" / "dist"


class ApiSettings(Subject):
    """Where the API listens, whom it serves, and its limits."""

    host: str = Field("127.0.0.1", alias="SEARCHQA_HOST")
    port: int = Field(8765, ge=0, le=65535, alias="SEARCHQA_PORT")
    public_url: str | None = Field(None, alias="SEARCHQA_PUBLIC_URL")
    auth: bool = Field(default=True, alias="SEARCHQA_AUTH")
    # The pages that `make ui` builds.
    ui_dir: Path = Field(_PAGES if _PAGES.is_dir() else _BUILT, alias="SEARCHQA_UI_DIR")
    # Pages of other origins that may call the API with a token of their own.
    cors_origins: Annotated[frozenset[Origin], CommaSeparated] = Field(
        frozenset(), alias="SEARCHQA_CORS_ORIGINS"
    )
    # Reverse proxies whose forwarded headers name the client.
    trusted_proxies: Annotated[frozenset[Network], CommaSeparated] = Field(
        frozenset(), alias="SEARCHQA_TRUSTED_PROXIES"
    )
    # Requests of one token, and of one address with wrong tokens.
    rate_limit: Rate = Field("3000/minute", alias="SEARCHQA_RATE_LIMIT")
    rate_limit_writes: Rate = Field("600/minute", alias="SEARCHQA_RATE_LIMIT_WRITES")
    rate_limit_guesses: Rate = Field("30/minute", alias="SEARCHQA_RATE_LIMIT_GUESSES")
    # Connections in all, and of one address that has sent no valid token.
    max_connections: int = Field(4096, ge=16, le=100_000, alias="SEARCHQA_MAX_CONNECTIONS")
    connections_per_address: int = Field(100, ge=1, alias="SEARCHQA_CONNECTIONS_PER_ADDRESS")


_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_https(url: str) -> str:
    """Raises ValueError for an address that is neither https nor of this machine."""
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not is_safe or not parts.hostname or parts.username is not None:
        raise ValueError(f"must be an https address: {url!r}")
    return url


class OidcSettings(Subject):
    """Login of browsers through a provider of OpenID Connect, and what its groups give."""

    issuer: Annotated[str, AfterValidator(check_https)] | None = Field(
        None, alias="SEARCHQA_OIDC_ISSUER"
    )
    client_id: str | None = Field(None, alias="SEARCHQA_OIDC_CLIENT_ID")
    # None for a public client, which PKCE protects.
    client_secret: SecretStr | None = Field(None, alias="SEARCHQA_OIDC_CLIENT_SECRET")
    # On the button of the sign-in page; the issuer's host by default.
    name: str | None = Field(None, alias="SEARCHQA_OIDC_NAME")
    scopes: str = Field("openid email profile", alias="SEARCHQA_OIDC_SCOPES")
    groups_claim: str = Field("groups", alias="SEARCHQA_OIDC_GROUPS_CLAIM")
    groups: Groups = Field({}, alias="SEARCHQA_OIDC_GROUPS")
    # By this name labels and conversations are kept. An email counts where it is verified.
    name_claim: str = Field("email", alias="SEARCHQA_OIDC_NAME_CLAIM")
    email_domains: Annotated[frozenset[str], CommaSeparated] = Field(
        frozenset(), alias="SEARCHQA_OIDC_EMAIL_DOMAINS"
    )
    # A session ends after this; the provider is asked for the groups at each login.
    session_minutes: int = Field(480, ge=5, le=43_200, alias="SEARCHQA_OIDC_SESSION_MINUTES")

    @property
    def session_lifetime(self) -> dt.timedelta:
        return dt.timedelta(minutes=self.session_minutes)

    @model_validator(mode="after")
    def _check_complete(self) -> Self:
        if self.issuer and not (self.client_id and self.groups):
            raise ValueError(
                "SEARCHQA_OIDC_ISSUER needs SEARCHQA_OIDC_CLIENT_ID and SEARCHQA_OIDC_GROUPS"
            )
        if "openid" not in self.scopes.split():
            raise ValueError("SEARCHQA_OIDC_SCOPES must name openid")
        return self


class CliSettings(Subject):
    """The server that the command line calls (by default the stack on the data folder), and the
    language that it prints (by default the system's)."""

    url: str | None = Field(None, alias="SEARCHQA_URL")
    token: SecretStr | None = Field(None, alias="SEARCHQA_TOKEN")
    lang: Literal["ko", "en"] | None = Field(None, alias="SEARCHQA_LANG")


class FlowerSettings(Subject):
    port: int = Field(5555, ge=0, le=65535, alias="SEARCHQA_FLOWER_PORT")
    basic_auth: SecretStr | None = Field(None, alias="SEARCHQA_FLOWER_BASIC_AUTH")


class StackSettings(Subject):
    """Processes that `searchqa up` starts and watches."""

    data_dir: Path = Field(Path(".searchqa"), alias="SEARCHQA_DATA_DIR")
    # Processes for fresh answers; by default one for each core.
    live_workers: int | None = Field(None, ge=1, le=64, alias="SEARCHQA_LIVE_WORKERS")
    # Set by `searchqa up`: where a process writes its heartbeat for probes, and the socket of the
    # server that shares the Korean model among processes.
    heartbeat_file: Path | None = Field(None, alias="SEARCHQA_HEARTBEAT_FILE")
    fork_server: Path | None = Field(None, alias="SEARCHQA_FORK_SERVER")
    # Without a turn of its event loops for this long, a process is ended and restarted.
    heartbeat_limit_seconds: float = Field(30, ge=1, alias="SEARCHQA_HEARTBEAT_LIMIT")
    # Without a report for this long, a process counts as dead.
    process_timeout_seconds: float = Field(7, ge=7, alias="SEARCHQA_PROCESS_TIMEOUT")
    # A verdict that waits longer than this for a worker is shown as a problem.
    max_queue_wait_seconds: Seconds = Field(60, alias="SEARCHQA_MAX_QUEUE_WAIT")


class TelemetrySettings(Subject):
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", alias="SEARCHQA_LOG_LEVEL"
    )
    # SearchQA's own spans by OTLP, configured by OTEL_*; content adds questions, notes and replies.
    otel_traces: bool = Field(default=False, alias="SEARCHQA_OTEL_TRACES")
    otel_content: bool = Field(default=False, alias="SEARCHQA_OTEL_CONTENT")
    # Prometheus metrics of this process, without a token; no port: none. `searchqa up` gives each
    # of its processes a port.
    metrics_host: str = Field("127.0.0.1", alias="SEARCHQA_METRICS_HOST")
    metrics_port: int | None = Field(None, ge=1, le=65535, alias="SEARCHQA_METRICS_PORT")


class AnalyticsSettings(Subject):
    # Rollups keep percentiles of the days of these zones; those of others are computed on demand.
    rollup_time_zones: Annotated[tuple[TimeZone, ...], CommaSeparated] = Field(
        ("UTC", "Asia/Seoul"), alias="SEARCHQA_ROLLUP_TIME_ZONES"
    )


class TraceSettings(Subject):
    """When spans of other applications become an answer: after their last span once the root has
    ended, and without a root after the longer time."""

    settle_seconds: Seconds = Field(5, alias="SEARCHQA_TRACE_SETTLE")
    max_wait_seconds: Seconds = Field(300, alias="SEARCHQA_TRACE_MAX_WAIT")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.settle_seconds > self.max_wait_seconds:
            raise ValueError(
                f"SEARCHQA_TRACE_SETTLE ({self.settle_seconds:g} seconds) must not be longer than"
                f" SEARCHQA_TRACE_MAX_WAIT ({self.max_wait_seconds:g} seconds)"
            )
        return self


class WebhookSettings(Subject):
    # Networks that are not public and may be delivered to nevertheless.
    allowed_networks: Annotated[frozenset[Network], CommaSeparated] = Field(
        frozenset(), alias="SEARCHQA_WEBHOOK_ALLOWED_NETWORKS"
    )
    # Of one attempt.
    timeout_seconds: float = Field(15, gt=0, le=60, alias="SEARCHQA_WEBHOOK_TIMEOUT")
    # Days without a success after which a webhook is disabled.
    disable_after_days: Days = Field(5, alias="SEARCHQA_WEBHOOK_DISABLE_AFTER_DAYS")


class RetentionSettings(Subject):
    """Days that rows are kept."""

    answers_days: Days | None = Field(None, alias="SEARCHQA_KEEP_ANSWERS_DAYS")
    events_days: Days = Field(30, alias="SEARCHQA_KEEP_EVENTS_DAYS")
    judge_bodies_days: Days = Field(30, alias="SEARCHQA_KEEP_JUDGE_BODIES_DAYS")
    # Jobs and batches that have ended, and trials of prompts.
    jobs_days: Days = Field(90, alias="SEARCHQA_KEEP_JOBS_DAYS")
    # Alarms, and watched days before the last alarm. At least 120: a workspace is examined from 60
    # days back, with labels of 60 days before each, and deleted days would be examined again.
    quality_days: int = Field(400, ge=120, le=36_500, alias="SEARCHQA_KEEP_QUALITY_DAYS")
    # Spans and their errors, not the answers made of them.
    traces_days: Days = Field(7, alias="SEARCHQA_KEEP_TRACES_DAYS")
    webhook_deliveries_days: Days = Field(30, alias="SEARCHQA_KEEP_WEBHOOK_DELIVERIES_DAYS")
    # The database keeps 30 days of it whatever is asked for.
    audit_days: int = Field(400, ge=30, le=36_500, alias="SEARCHQA_KEEP_AUDIT_DAYS")
