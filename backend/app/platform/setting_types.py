"""Types of settings, parsed from the environment."""

import json
import re
import tomllib
import zoneinfo
from decimal import Decimal, InvalidOperation
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field


@cache
def _known() -> frozenset[str]:
    # To list them opens some hundred files, which takes 7 ms.
    return frozenset(zoneinfo.available_timezones())


def is_time_zone(name: str) -> bool:
    """Whether it is an IANA name such as Asia/Seoul or UTC."""
    return name in _known()


class Subject(BaseModel):
    """Settings of one subject. The alias of a field is its variable in the environment."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, hide_input_in_errors=True)


Seconds = Annotated[float, Field(gt=0)]
Days = Annotated[int, Field(ge=1, le=36_500)]

OFF = "off"


def _split(written: object) -> object:
    """Comma-separated values; `off` for none."""
    if not isinstance(written, str):
        return written
    parts = [] if written == OFF else written.split(",")
    return [part.strip() for part in parts if part.strip()]


CommaSeparated = BeforeValidator(_split)

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

_MAX_PRICE_USD = Decimal(10_000)


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
            each.is_finite() and 0 <= each <= _MAX_PRICE_USD for each in given
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


# Not of offline and local, whose models are on no server.
_LIMITED_MODEL = re.compile(r"(?!offline:|local:)[a-z][a-z0-9-]*:\S.*", re.ASCII)
LIMIT_EXAMPLE = "as in openai:my-model=600/400000/-"
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
                " calls in flight, each 1 or more or - for no limit, of a model on a server,"
                f" {LIMIT_EXAMPLE}: {entry!r}"
            )
        limits[model] = ModelLimit(*(None if value == "-" else int(value) for value in each))
    return limits


# What the first part of a model's name may be without a server of that name.
PROVIDERS = ("openai", "anthropic", "ollama", "offline", "local")
_SERVER_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)


def _read_by_server(written: object) -> object:
    """`house=… edge=…` by name. No error quotes a value: it may be a key."""
    if not isinstance(written, str):
        return written
    values: dict[str, str] = {}
    for name, _, value in (entry.partition("=") for entry in re.split(r"[\s,]+", written) if entry):
        if not value or not _SERVER_NAME.fullmatch(name):
            raise ValueError(
                "write name=value for each server, the name in lower-case letters, digits and"
                " hyphens, as in house=http://127.0.0.1:8000/v1"
            )
        if name in PROVIDERS:
            raise ValueError(f"{name} is the name of a provider; give the server another one")
        if name in values:
            raise ValueError(f"two servers have the name {name}; rename one")
        values[name] = value
    return values


ByServer = BeforeValidator(_read_by_server)
Prices = Annotated[dict[str, ModelPrice], BeforeValidator(_read_prices)]
Limits = Annotated[dict[str, ModelLimit], BeforeValidator(_read_limits)]


class GroupRights(BaseModel):
    """What a group of the login provider gives: scopes in one workspace."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    workspace: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    scopes: Annotated[frozenset[Literal["read", "write", "admin", "operator"]], Field(min_length=1)]


def _read_groups(written: object) -> object:
    """JSON, or the path of a TOML file with a table for each group."""
    if not isinstance(written, str):
        return written
    example = '{"staff": {"workspace": "default", "scopes": ["read", "write"]}}'
    try:
        if written.lstrip().startswith("{"):
            return json.loads(written)
        return tomllib.loads(Path(written).read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"write {example}, or a file of TOML: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"write {example}, or a file of TOML: {error}") from None


Groups = Annotated[dict[str, GroupRights], BeforeValidator(_read_groups)]
