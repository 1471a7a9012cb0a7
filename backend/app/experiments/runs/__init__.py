"""Runs over datasets: retrieval and answers measured case by case."""
