"""From a queued row to a recorded verdict."""
