"""Connections and background tasks of an API process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app.ai_router.limits.states import LimitStates
from app.ai_router.router import Providers
from app.answering.chat import ChatService
from app.api.known_tokens import KnownTokens
from app.api.otlp import SpanIntake
from app.api.progress import ProgressHub
from app.api.rate_limits import RateCounter, RateLimits
from app.notes.vectors import check_vectors, vector_search
from app.operations.system.diagnosis import HealthWatch
from app.operations.system.presence import ProcessKind, present
from app.platform.broker import Publisher
from app.platform.db.pool import Pool, create_pool, end_task
from app.platform.db.replica import Replica, Source, WriteProbe
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.errors import SetupError
from app.platform.processes.calls import Limits
from app.platform.settings import Settings
from app.text.packs.loader import load_pack
from app.verdicts.judging.gate import Gate
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading.event_hub import EventHub
from app.verdicts.reading.following import SharedViews, VerdictFollower
from app.workspaces.oidc import OidcProvider
from app.workspaces.service import TokenWatch

# Of the pool: one reads events, the others store answers and look verdicts up. Of the other pool,
# one listens for events and one for tokens.
MAX_CONNECTIONS = 18
LISTENING = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    settings: Settings
    sessions: Sessions
    pool: Pool
    follower: VerdictFollower
    tokens: TokenWatch
    chat: ChatService
    policy: EvaluationPolicy
    background_publisher: BackgroundPublisher
    progress: ProgressHub
    rate_limits: RateLimits
    judge_limits: LimitStates
    write_probe: WriteProbe
    health: HealthWatch
    spans: SpanIntake
    gate: Gate
    known_tokens: KnownTokens
    replica: Replica | None
    oidc: OidcProvider | None

    async def lagging_source(self) -> Source:
        """For reads that may be some seconds old: the replica's where there is one."""
        found = await self.replica.source() if self.replica else None
        return found or Source(self.sessions)


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """Connects to PostgreSQL and starts the hub, the token watch and the publishing thread.

    Redis may be down: answers do not depend on it. Raises SetupError when an address is
    missing, PoolTimeout when PostgreSQL is.
    """
    if not settings.database.url or not settings.redis.url:
        raise SetupError(
            "Set DATABASE_URL and REDIS_URL for the API, or run `searchqa up`. With BROKER_URL too,"
            " REDIS_URL counts requests."
        )
    async with AsyncExitStack() as stack:
        engine = create_engine(settings.database.url)
        stack.push_async_callback(engine.dispose)
        sessions = create_sessions(engine)
        pool = create_pool(settings.database.url, name="api", max_size=MAX_CONNECTIONS)
        await stack.enter_async_context(pool)
        await check_vectors(pool, settings)
        address = settings.database.session_url or settings.database.url
        listening = await stack.enter_async_context(
            create_pool(address, name="listening", max_size=LISTENING)
        )
        await stack.enter_async_context(present(pool, settings, ProcessKind.API))
        providers = Providers(settings)
        stack.push_async_callback(providers.aclose)
        counter = RateCounter(settings.redis.url)
        stack.push_async_callback(counter.aclose)
        judge_limits = LimitStates(settings.judge.limits, settings.redis.url)
        stack.push_async_callback(judge_limits.aclose)
        publisher = Publisher(settings.redis.broker_url or settings.redis.url, settings)
        stack.callback(publisher.close)
        background_publisher = BackgroundPublisher(publisher, batch=settings.worker.dispatch_batch)
        background_publisher.start()
        stack.callback(background_publisher.stop)
        hub = EventHub(pool, listening)
        await hub.start()
        stack.push_async_callback(hub.stop)
        tokens = TokenWatch(pool, listening)
        tokens.start()
        stack.push_async_callback(tokens.stop)
        policy = EvaluationPolicy.from_settings(settings)
        router = providers.router(
            settings.answering.model, deadline=settings.answering.deadline_seconds
        )
        pack = load_pack(settings.evaluation.domain_pack)
        vectors = vector_search(providers, settings)
        chat = ChatService(sessions, pool, router, policy, background_publisher, pack, vectors)
        stack.push_async_callback(chat.aclose)
        views = SharedViews(pool)
        stack.push_async_callback(views.stop)
        progress = ProgressHub()
        stack.push_async_callback(progress.stop)
        replica = await stack.enter_async_context(_open_replica(settings, pool))
        oidc = None
        if settings.oidc.issuer:
            oidc = OidcProvider(settings.oidc, settings.api.public_url or "")
            stack.push_async_callback(oidc.aclose)
        yield Services(
            settings=settings,
            sessions=sessions,
            pool=pool,
            follower=VerdictFollower(
                sessions=sessions, pool=pool, hub=hub, views=views, tokens=tokens
            ),
            tokens=tokens,
            chat=chat,
            policy=policy,
            background_publisher=background_publisher,
            progress=progress,
            rate_limits=RateLimits(counter, settings),
            judge_limits=judge_limits,
            write_probe=WriteProbe(pool),
            health=HealthWatch(pool, settings, judge_limits),
            spans=SpanIntake(),
            gate=Gate(settings),
            known_tokens=KnownTokens(),
            replica=replica,
            oidc=oidc,
        )


@asynccontextmanager
async def _open_replica(settings: Settings, primary: Pool) -> AsyncIterator[Replica | None]:
    """It may be away: then the primary is read."""
    if settings.database.read_url is None:
        yield None
        return
    engine = create_engine(settings.database.read_url)
    pool = create_pool(settings.database.read_url, max_size=1)
    await pool.open()
    replica = Replica(
        primary, pool, create_sessions(engine), settings.database.replica_max_lag_seconds
    )
    looking = asyncio.create_task(replica.run())
    try:
        yield replica
    finally:
        await end_task(looking)
        await pool.close()
        await engine.dispose()


def import_limits(settings: Settings) -> Limits:
    """Of reading one file that was sent."""
    return Limits(settings.texts.import_time_limit_seconds, settings.texts.memory_limit_megabytes)


def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


ServicesDep = Annotated[Services, Depends(get_services)]
