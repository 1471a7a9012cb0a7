"""Trials of judges: a stored answer judged by another prompt or model, beside its verdict."""
