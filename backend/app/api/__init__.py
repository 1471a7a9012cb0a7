"""The HTTP API. Nothing imports it."""
