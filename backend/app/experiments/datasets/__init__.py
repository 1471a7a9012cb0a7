"""Datasets: questions with the chunks that answer them; imported, generated, reviewed."""
