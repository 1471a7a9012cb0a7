"""Celery workers that judge, and the dispatcher that finds what is due."""
