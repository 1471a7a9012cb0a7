"""Doubted answers in groups that recur, each with an owner and a state."""
