"""Datasets, runs, judge benches and trials."""
