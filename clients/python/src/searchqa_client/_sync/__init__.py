# Made from ../_async/__init__.py by `make client-types`; not to be edited.
"""The client with asyncio; `_sync` is made from it."""
