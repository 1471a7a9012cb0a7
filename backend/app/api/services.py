"""Connections and background tasks of an API process."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app.ai_router.limits.states import LimitStates
from app.ai_router.router import Providers
from app.api.progress import ProgressHub
from app.api.rate_counter import RateCounter
from app.api.rate_limits import RateLimits
from app.api.span_intake import SpanIntake
from app.broker import Publisher
from app.chat.service import ChatService
from app.db.pool import Pool, create_pool
from app.db.session import Sessions, create_engine, create_sessions
from app.db.write_probe import WriteProbe
from app.errors import SetupError
from app.packs.loader import load_pack
from app.processes import Limits
from app.search.vectors import vector_search
from app.settings import Settings
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading.event_hub import EventHub
from app.verdicts.reading.following import VerdictFollower
from app.verdicts.reading.shared_views import SharedViews
from app.workspaces.token_watch import TokenWatch

# Of the pool: two listen, one reads events, the others store answers and look verdicts up.
MAX_CONNECTIONS = 20


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
    spans: SpanIntake


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """Connects to PostgreSQL and starts the hub, the token watch and the publishing thread.

    Redis may be down: answers do not depend on it. Raises SetupError when an address is
    missing, PoolTimeout when PostgreSQL is.
    """
    if not settings.database_url or not settings.redis_url:
        raise SetupError("Set DATABASE_URL and REDIS_URL for the API, or run `searchqa up`.")
    async with AsyncExitStack() as stack:
        engine = create_engine(settings.database_url)
        stack.push_async_callback(engine.dispose)
        sessions = create_sessions(engine)
        pool = create_pool(settings.database_url, name="api", max_size=MAX_CONNECTIONS)
        await stack.enter_async_context(pool)
        providers = Providers(settings)
        stack.push_async_callback(providers.aclose)
        counter = RateCounter(settings.redis_url)
        stack.push_async_callback(counter.aclose)
        judge_limits = LimitStates(settings.judge_limits, settings.redis_url)
        stack.push_async_callback(judge_limits.aclose)
        publisher = Publisher(settings.redis_url, settings)
        stack.callback(publisher.close)
        background_publisher = BackgroundPublisher(publisher, batch=settings.dispatch_batch)
        background_publisher.start()
        stack.callback(background_publisher.stop)
        hub = EventHub(pool)
        await hub.start()
        stack.push_async_callback(hub.stop)
        tokens = TokenWatch(pool)
        tokens.start()
        stack.push_async_callback(tokens.stop)
        policy = EvaluationPolicy.from_settings(settings)
        router = providers.router(settings.answer_model, deadline=settings.answer_deadline)
        pack = load_pack(settings.domain_pack)
        vectors = vector_search(providers, settings)
        chat = ChatService(sessions, pool, router, policy, background_publisher, pack, vectors)
        stack.push_async_callback(chat.aclose)
        views = SharedViews(pool)
        stack.push_async_callback(views.stop)
        progress = ProgressHub()
        stack.push_async_callback(progress.stop)
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
            spans=SpanIntake(),
        )


def import_limits(settings: Settings) -> Limits:
    """Of reading one file that was sent."""
    return Limits(settings.import_time_limit, settings.text_memory_limit)


def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


ServicesDep = Annotated[Services, Depends(get_services)]
