"""Addresses and clients of Redis."""
