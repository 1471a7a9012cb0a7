"""Rows that nobody waits for, judged by the batch endpoints of model servers."""
