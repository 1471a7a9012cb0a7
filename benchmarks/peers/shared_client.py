"""The one connection pool of a peer, by aiohttp, which does not look through all of its connections
for each request as httpx does."""

from openai import AsyncOpenAI, DefaultAioHttpClient


def http_client() -> DefaultAioHttpClient:
    # openai lets it have 1,000 connections, more than there are calls in flight.
    return DefaultAioHttpClient(timeout=60)


def shared_client(base_url: str) -> AsyncOpenAI:
    return AsyncOpenAI(api_key="stub", base_url=base_url, max_retries=0, http_client=http_client())
