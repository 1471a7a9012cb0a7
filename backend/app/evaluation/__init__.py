"""Judges an answer in four phases: citation, completeness, groundedness, next steps."""
