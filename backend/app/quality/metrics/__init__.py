"""Metrics of retrieval, answers and judges, with their uncertainty. No I/O."""
