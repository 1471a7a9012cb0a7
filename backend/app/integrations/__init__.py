"""Other systems: webhooks out, traces in."""
