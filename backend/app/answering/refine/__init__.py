"""Improves a bad answer: says what it lacks, searches for that, and answers again."""
