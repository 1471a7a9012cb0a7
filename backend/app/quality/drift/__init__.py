"""Watches quality day by day, and raises an alarm when it has changed."""
