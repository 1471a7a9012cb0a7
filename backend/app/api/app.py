"""The ASGI application."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, RedirectResponse

from app.api import (
    ai,
    analytics,
    audit,
    auth,
    conversations,
    criteria,
    datasets,
    evaluation_settings,
    explorer,
    failures,
    gate,
    jobs,
    judge_benches,
    judges,
    login,
    mcp,
    notes,
    qa_evaluations,
    rejudging,
    review,
    runs,
    saved_views,
    successions,
    system,
    tokens,
    traces,
    webhooks,
)
from app.api.middleware import BodyLimit, InternalErrors, SecurityHeaders, add_cors, policy_of_page
from app.api.openapi import DocumentedAPI
from app.api.pages import pages
from app.api.problems import add_problem_handlers
from app.api.services import open_services
from app.platform.heartbeat import heartbeat
from app.platform.metrics import serve_metrics, stop_metrics
from app.platform.processes.pool import close_lanes
from app.platform.processes.system import configure_logging
from app.platform.settings import Settings, get_settings
from app.platform.spans import start_spans, stop_spans

DESCRIPTION = """Answers questions from notes and judges every answer in the background:
is each claim grounded in the notes, and does it answer the question?"""

# Room for 200,000 characters of notes in JSON.
MAX_BODY_BYTES = 2 * 1024 * 1024


def _include_all() -> APIRouter:
    """Every call of the API. FastAPI works out what an included route takes at its first request;
    applications of one process share what it has worked out."""
    # Clients that are generated call their functions so.
    routes = APIRouter(generate_unique_id_function=lambda route: route.name)
    for router in (
        system.health_router,
        login.router,
        ai.router,
        gate.router,
        conversations.router,
        review.feedback_router,
        review.router,
        review.labelling_router,
        explorer.router,
        saved_views.selection_router,
        saved_views.router,
        conversations.answer_router,
        conversations.user_router,
        qa_evaluations.router,
        conversations.refinement_router,
        rejudging.router,
        notes.router,
        notes.embedding_router,
        successions.router,
        judges.router,
        system.router,
        jobs.router,
        datasets.router,
        runs.comparison_router,
        runs.router,
        jobs.batch_router,
        judge_benches.router,
        judges.prompt_router,
        criteria.router,
        analytics.alarm_router,
        failures.router,
        analytics.router,
        evaluation_settings.router,
        tokens.router,
        audit.router,
        traces.router,
        traces.intake,
        webhooks.router,
        mcp.router,
    ):
        routes.include_router(router)
    return routes


_ROUTES = _include_all()


def create_app(
    settings: Settings | None = None, *, at_end: Callable[[], None] = close_lanes
) -> FastAPI:
    """The application; it connects when it starts. Settings come from the environment. at_end:
    called when it has stopped; the children that it shares with its process end with it, unless
    the process goes on and needs them."""
    settings = settings or get_settings()
    configure_logging(settings.telemetry.log_level)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        start_spans(settings, "api")
        serve_metrics(settings, "api", heartbeat.silences)
        beating = asyncio.create_task(heartbeat.keep("api"))
        app.state.mcp = mcp.MCPSessions(app, settings.api.public_url)
        async with open_services(settings) as services:
            app.state.services = services
            yield
        await app.state.mcp.close()
        beating.cancel()
        at_end()
        await asyncio.to_thread(stop_metrics)
        await asyncio.to_thread(stop_spans)

    app = DocumentedAPI(
        routes=_ROUTES.routes,
        title="SearchQA",
        description=DESCRIPTION,
        version=version("searchqa"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.add_middleware(
        BodyLimit,
        default=MAX_BODY_BYTES,
        limits={
            **dict.fromkeys(
                (notes.IMPORT_FILE_PATH, datasets.IMPORT_PATH, *judge_benches.IMPORT_PATHS),
                notes.MAX_IMPORT_BYTES,
            ),
            traces.INTAKE_PATH: traces.MAX_REQUEST_BYTES,
        },
    )
    app.add_middleware(InternalErrors)
    app.add_middleware(mcp.ProtocolErrors)
    if settings.api.cors_origins:
        add_cors(app, settings.api.cors_origins)
    app.add_middleware(SecurityHeaders)
    add_problem_handlers(app)
    _add_documentation(app)
    app.mount("/ui", pages(settings.api.ui_dir))
    return app


def _add_documentation(app: FastAPI) -> None:
    guard = [Depends(auth.current_principal)]

    @app.get("/openapi.json", include_in_schema=False, dependencies=guard)
    async def openapi() -> dict[str, object]:
        return app.openapi()

    @app.get("/docs", include_in_schema=False, dependencies=guard)
    async def docs() -> HTMLResponse:
        page = get_swagger_ui_html(openapi_url="/openapi.json", title="SearchQA")
        page.headers["Content-Security-Policy"] = policy_of_page(bytes(page.body).decode())
        return page

    @app.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/ui/")
