"""Conversations: which answers a person asked for one after the other."""
