"""When models end: by their servers (`shutdown_date` of GET …/models), else by our own list."""

import asyncio
import datetime as dt
import json
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import psycopg
from pydantic import BaseModel

from app.ai_router.router import Providers
from app.operations.system import queries
from app.platform.db.pool import Pool, execute, fetch
from app.platform.errors import ConfigurationError, ProviderError
from app.platform.settings import Settings

logger = logging.getLogger(__name__)

# Days before its end on which people are warned of a model.
WARNING_DAYS = (60, 30, 7)
ASK_SECONDS = 86_400.0
RETRY_SECONDS = 600.0
_DEADLINE_SECONDS = 30.0
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
    await execute(pool, queries.SAVE_LISTED, {"listed": json.dumps(dict(listed_endings()))})
    await execute(pool, queries.COUNT_WORKSPACES, {})


async def read_endings(pool: Pool, settings: Settings) -> list[ModelEnding]:
    """Models in use that end within the first of WARNING_DAYS or have ended, the first to end
    first. Raises psycopg.Error."""
    given = {"days": WARNING_DAYS[0], "server": list(server_models(settings))}
    return [ModelEnding(*row) for row in await fetch(pool, queries.ENDINGS, given)]


def endings_of_workspace(found: Iterable[Any], settings: Settings) -> list[EndingModel]:
    """As `read_endings`, with what of a workspace and of the server names each. found: the rows of
    `queries.ENDINGS_OF_WORKSPACE`."""
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
    named |= {name for (name,) in await fetch(pool, queries.PROVIDERS_OF_POLICIES)}
    for provider in sorted(named - {"offline", "local"}):
        try:
            listed = await providers.models(provider, deadline=_DEADLINE_SECONDS)
        except (ProviderError, ConfigurationError) as error:
            logger.info("%s does not say when its models end (%s)", provider, error)
            continue
        served = {
            f"{provider}:{model['id']}": str(model["shutdown_date"])
            for model in listed
            if _is_day(model.get("shutdown_date")) and _NAME.fullmatch(str(model.get("id")))
        }
        given = {"provider": provider, "served": json.dumps(served)}
        await execute(pool, queries.SAVE_SERVED, given)


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


def _is_day(written: object) -> bool:
    """Not what else fromisoformat reads, which PostgreSQL may not."""
    try:
        return str(dt.date.fromisoformat(str(written))) == written
    except ValueError:
        return False
