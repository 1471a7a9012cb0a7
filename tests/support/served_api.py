"""The API of a test on a port of its own, for clients that speak HTTP themselves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import uvicorn

from api_client import Api
from app.platform.processes import Limits, quick_lane
from app.text.morphemes import morphemes_of_many

_PATIENT = Limits(seconds=100, megabytes=1024)


class Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves the signals of the test run alone."""
        yield


@asynccontextmanager
async def served(api: Api) -> AsyncIterator[str]:
    """Its address, without a slash at the end."""
    config = uvicorn.Config(
        api.app, port=0, log_config=None, ws="none", lifespan="off", timeout_graceful_shutdown=1
    )
    server = Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        while not server.started:
            assert not serving.done(), "it did not start"
            await asyncio.sleep(0.01)
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        await serving


async def load_korean_model() -> None:
    """On a busy machine a first verdict by rules would wait for it for longer than it may take."""
    await quick_lane().run(_PATIENT, morphemes_of_many, ["변성은 95도에서 한다."])


def token_of(api: Api) -> str:
    """With all scopes of the default workspace."""
    return api.client.headers["Authorization"].removeprefix("Bearer ")
