"""What servers list of their models (GET …/models): which there are, and when they end; dates that
they lack are those of our own list."""

import asyncio
import datetime as dt
import json
import logging
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import psycopg
from pydantic import BaseModel

from app.ai_router.router import Providers
from app.judges.judge_names import RULES_MODEL
from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.statements import SqlFile
from app.platform.errors import ConfigurationError, ProviderError
from app.platform.setting_types import PROVIDERS
from app.platform.settings import Settings
from app.verdicts.policy.judge_prices import JudgePrices

_SQL = SqlFile(__package__, "queries")
_SAVE_LISTED = _SQL("save_listed").encode()
_SAVE_SERVED = _SQL("save_served").encode()
_COUNT_WORKSPACES = _SQL("count_workspaces").encode()
_PROVIDERS_OF_POLICIES = _SQL("providers_of_policies").encode()
_ENDINGS = _SQL("endings").encode()
USES = _SQL("uses").encode()
ENDINGS_OF_WORKSPACE = _SQL("endings_of_workspace")

logger = logging.getLogger(__name__)

# Days before its end on which people are warned of a model.
WARNING_DAYS = (60, 30, 7)
ASK_SECONDS = 86_400.0
RETRY_SECONDS = 600.0
_DEADLINE_SECONDS = 30.0
# Somebody waits for it.
_OFFER_SECONDS = 5.0
_SERVERLESS = {"offline", "local"}
# What a server lists beside models that chat.
_NO_CHAT = re.compile(r"embed|whisper|tts|dall-e|image|audio|moderation|realtime|transcribe|sora")
# What a policy can name; a server may send anything.
_NAME = re.compile(r"[!-~]{1,200}")


@dataclass(frozen=True, slots=True)
class ModelEnding:
    """The last day of a `provider:model`. source: server or list. workspaces: how many name it.
    days: until then, 0 or less once it has come."""

    model: str
    ends_on: dt.date
    source: str
    workspaces: int
    days: int


class ModelUse(BaseModel):
    """What names a model: a `server` setting, a setting of the `policy`, a `cascade`, the prompt of
    a `guarantee`, or a `dataset` with runs of the last 90 days."""

    kind: Literal["server", "policy", "cascade", "guarantee", "dataset"]
    name: str


class EndingModel(BaseModel):
    """days: until its last day, 0 or less once that has come."""

    model: str
    ends_on: dt.date
    days: int
    uses: list[ModelUse]


class OfferedModel(BaseModel):
    """A `provider:model` that can judge. Prices: US dollars for a million tokens that are read and
    that are written, null where nobody knows. paused: no answer is judged by it now. ends_on: its
    last day."""

    model: str
    prompt_usd: float | None
    completion_usd: float | None
    paused: bool
    ends_on: dt.date | None


class OfferedModels(BaseModel):
    """unreachable: names of servers in use that do not list their models."""

    models: list[OfferedModel]
    unreachable: list[str]


@cache
def listed_endings() -> Mapping[str, str]:
    """Our own list, as vendors' pages had it on its day `checked`: dates by `provider:model`."""
    written = json.loads(Path(__file__).with_name("endings.json").read_text("utf-8"))
    del written["checked"]
    return {
        f"{provider}:{name}": day
        for provider, days in written.items()
        for day, names in days.items()
        for name in names
    }


def server_models(settings: Settings) -> Mapping[str, list[str]]:
    """The models that this server's settings name, with the variables that do."""
    named = {
        "SEARCHQA_JUDGE_MODEL": settings.judge.model,
        "SEARCHQA_ANSWER_MODEL": settings.answering.model,
        "SEARCHQA_EMBEDDING_MODEL": settings.embedding.model,
    }
    return {
        model: [variable for variable, of in named.items() if of == model]
        for model in named.values()
        if model
    }


async def save_listed(pool: Pool) -> None:
    """Stores our own list, and how many workspaces use each model that ends. Raises
    psycopg.Error."""
    await execute(pool, _SAVE_LISTED, {"listed": json.dumps(dict(listed_endings()))})
    await execute(pool, _COUNT_WORKSPACES, {})


async def read_endings(pool: Pool, settings: Settings) -> list[ModelEnding]:
    """Models in use that end within the first of WARNING_DAYS or have ended, the first to end
    first. Raises psycopg.Error."""
    given = {"days": WARNING_DAYS[0], "server": list(server_models(settings))}
    return [ModelEnding(*row) for row in await fetch(pool, _ENDINGS, given)]


def endings_of_workspace(found: Iterable[Any], settings: Settings) -> list[EndingModel]:
    """As `read_endings`, with what of a workspace and of the server names each. found: the rows of
    `ENDINGS_OF_WORKSPACE`."""
    variables = server_models(settings)
    endings: dict[str, EndingModel] = {}
    for row in found:
        if row.model not in endings:
            uses = [ModelUse(kind="server", name=name) for name in variables.get(row.model, ())]
            endings[row.model] = EndingModel(
                model=row.model, ends_on=row.ends_on, days=row.days, uses=uses
            )
        if row.kind:
            endings[row.model].uses.append(ModelUse(kind=row.kind, name=row.name))
    return [ending for ending in endings.values() if ending.uses]


async def ask_servers(providers: Providers, pool: Pool, settings: Settings) -> None:
    """Stores what the servers of all models in use say. One that does not answer keeps what it said
    before. Raises psycopg.Error."""
    named = {model.partition(":")[0] for model in server_models(settings)}
    named |= {name for (name,) in await fetch(pool, _PROVIDERS_OF_POLICIES)}
    for provider in sorted(named - _SERVERLESS):
        try:
            listed = await providers.models(provider, deadline=_DEADLINE_SECONDS)
        except (ProviderError, ConfigurationError) as error:
            logger.info("%s does not say when its models end (%s)", provider, error)
            continue
        served = {name: day for name, day in _names(provider, listed).items() if day}
        given = {"provider": provider, "served": json.dumps(served)}
        await execute(pool, _SAVE_SERVED, given)


async def offered_models(
    settings: Settings, used: Collection[str], paused: Collection[str]
) -> OfferedModels:
    """What the servers of these settings offer now, and what needs none. used: models whose servers
    are in use too."""
    in_use = {model.partition(":")[0] for model in (*used, *server_models(settings))}
    in_use |= settings.models.servers.keys()
    asked = sorted({*PROVIDERS, *settings.models.servers} - _SERVERLESS)

    async def ask(provider: str) -> dict[str, str | None] | None:
        try:
            return _names(provider, await providers.models(provider, deadline=_OFFER_SECONDS))
        except (ProviderError, ConfigurationError):
            return None

    async with Providers(settings) as providers:
        replies = dict(zip(asked, await asyncio.gather(*map(ask, asked)), strict=True))
    days: dict[str, str | None] = {RULES_MODEL: None}
    days |= {f"local:{folder}": None for folder in settings.judge.local_folders}
    for served in replies.values():
        days |= {name: day for name, day in (served or {}).items() if not _NO_CHAT.search(name)}
    prices = JudgePrices(settings)

    def offer(model: str, day: str | None) -> OfferedModel:
        prompt, completion = prices.per_token(model) or (None, None)
        last = day or listed_endings().get(model)
        return OfferedModel(
            model=model,
            prompt_usd=None if prompt is None else float(prompt * 1_000_000),
            completion_usd=None if completion is None else float(completion * 1_000_000),
            paused=model in paused,
            ends_on=dt.date.fromisoformat(last) if last else None,
        )

    return OfferedModels(
        models=[offer(model, day) for model, day in days.items()],
        unreachable=[name for name in asked if replies[name] is None and name in in_use],
    )


async def keep_asking(providers: Providers, pool: Pool, settings: Settings) -> None:
    """Asks them once a day, until it is cancelled."""
    while True:
        seconds = ASK_SECONDS
        try:
            await ask_servers(providers, pool, settings)
        except psycopg.Error as error:
            logger.warning("When models end cannot be stored (%s)", error)
            seconds = RETRY_SECONDS
        except Exception:  # a mistake of ours must not end judging
            logger.exception("When models end is not known")
        await asyncio.sleep(seconds)


def _names(provider: str, listed: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """The models of a list by `provider:model`, with the last day of those that have one."""
    return {
        f"{provider}:{model['id']}": str(day)
        if _is_day(day := model.get("shutdown_date"))
        else None
        for model in listed
        if _NAME.fullmatch(str(model.get("id")))
    }


def _is_day(written: object) -> bool:
    """Not what else fromisoformat reads, which PostgreSQL may not."""
    try:
        return str(dt.date.fromisoformat(str(written))) == written
    except ValueError:
        return False
