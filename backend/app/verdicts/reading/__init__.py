"""Verdicts and events as readers see them."""
