"""One Settings class, the only reader of the environment.

Server addresses and vendor keys keep the names they have everywhere (DATABASE_URL,
OPENAI_API_KEY); everything of our own starts with SEARCHQA_. Settings are grouped by subject in
code; their variables in the environment are the aliases of the fields.
"""

import os
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Self, get_type_hints

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from app.platform.errors import SetupError
from app.platform.judge_settings import (
    AnsweringSettings,
    BatchSettings,
    EmbeddingSettings,
    EvaluationSettings,
    JudgeSettings,
    ModelSettings,
    RefineSettings,
    TextSettings,
    WorkerSettings,
)
from app.platform.server_settings import (
    AnalyticsSettings,
    ApiSettings,
    CliSettings,
    DatabaseSettings,
    FlowerSettings,
    OidcSettings,
    RedisSettings,
    RetentionSettings,
    StackSettings,
    TelemetrySettings,
    TraceSettings,
    WebhookSettings,
    check_https,
)
from app.platform.setting_types import LIMIT_EXAMPLE, PROVIDERS

_PREFIX = "SEARCHQA_"


class Settings(BaseModel):
    """All settings of a process. Keyword arguments are variables in lower case, with or without
    `searchqa_` (`judge_deadline=240`); they override the environment, which overrides the file."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    database: DatabaseSettings
    redis: RedisSettings
    api: ApiSettings
    oidc: OidcSettings
    cli: CliSettings
    flower: FlowerSettings
    stack: StackSettings
    telemetry: TelemetrySettings
    answering: AnsweringSettings
    models: ModelSettings
    batches: BatchSettings
    embedding: EmbeddingSettings
    evaluation: EvaluationSettings
    refine: RefineSettings
    judge: JudgeSettings
    worker: WorkerSettings
    texts: TextSettings
    analytics: AnalyticsSettings
    traces: TraceSettings
    webhooks: WebhookSettings
    retention: RetentionSettings

    def __init__(
        self,
        _env_file: str | None = ".env",
        _environment: Mapping[str, str] = os.environ,
        **given: Any,
    ) -> None:
        file = dotenv_values(_env_file) if _env_file else {}
        pairs = (*file.items(), *_environment.items())
        written = {name.upper(): value for name, value in pairs if value}
        known = {name: written[name] for name in variables() if name in written}
        super().__init__(**_by_subject(known | {_variable(name): given[name] for name in given}))

    @model_validator(mode="after")
    def _check_limited_models(self) -> Self:
        for model in self.judge.limits:
            if model.partition(":")[0] not in {*PROVIDERS, *self.models.servers}:
                raise ValueError(
                    f"SEARCHQA_JUDGE_LIMITS names {model}, whose server is neither a provider nor"
                    f" in SEARCHQA_SERVERS; write it {LIMIT_EXAMPLE}"
                )
        return self

    @model_validator(mode="after")
    def _check_login_address(self) -> Self:
        if self.oidc.issuer:
            # The provider sends browsers back there, and https makes their cookies Secure.
            try:
                check_https(self.api.public_url or "")
            except ValueError as error:
                raise ValueError(
                    f"SEARCHQA_OIDC_ISSUER needs SEARCHQA_PUBLIC_URL, which {error}"
                ) from None
        return self

    def replace(self, **given: Any) -> Self:
        """A copy with other values, named as for the constructor; they are not validated."""
        changed = {
            subject: getattr(self, subject).model_copy(
                update={variables()[variable][1]: value for variable, value in values.items()}
            )
            for subject, values in _by_subject({_variable(k): v for k, v in given.items()}).items()
        }
        return self.model_copy(update=changed)


@cache
def variables() -> dict[str, tuple[str, str]]:
    """The subject and the field of each variable."""
    groups = get_type_hints(Settings)
    return {
        field.alias or name: (subject, name)
        for subject in Settings.model_fields
        for name, field in groups[subject].model_fields.items()
    }


def _variable(keyword: str) -> str:
    """Raises TypeError for a keyword that names no setting."""
    for variable in (keyword.upper(), _PREFIX + keyword.upper()):
        if variable in variables():
            return variable
    raise TypeError(f"no setting is named {keyword}")


def _by_subject(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    subjects: dict[str, dict[str, Any]] = {subject: {} for subject in Settings.model_fields}
    for variable, value in values.items():
        subjects[variables()[variable][0]][variable] = value
    return subjects


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once. Raises SetupError naming each bad variable."""
    try:
        return Settings()
    except ValidationError as error:
        derived = "default_factory_not_called"
        problems = "; ".join(_problem(e) for e in error.errors() if e["type"] != derived)
        raise SetupError(f"The configuration is not valid: {problems}.") from None


def _problem(error: ErrorDetails) -> str:
    """The location of an error is its subject, then perhaps its variable."""
    variable = next(iter(error["loc"][1:2]), None)
    message = error["msg"].removeprefix("Value error, ")
    return message if variable is None else f"{variable}: {message}"
