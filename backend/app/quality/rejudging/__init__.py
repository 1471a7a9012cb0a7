"""Judging answers again: by another judge or prompt, or by the judge that had been away."""
