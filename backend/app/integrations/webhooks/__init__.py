"""Webhooks: what happens in a workspace, sent to addresses that its people name."""
