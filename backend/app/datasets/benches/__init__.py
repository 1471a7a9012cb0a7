"""Judges measured against labels of people: stored, done by workers, reported."""
