"""Workspaces, and the tokens that open them."""
