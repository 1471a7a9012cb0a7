"""The client with asyncio; `_sync` is made from it."""
