"""Releases of the applications whose answers are judged, each beside the one before it."""
