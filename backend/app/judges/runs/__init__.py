"""Scores of answers in dataset runs: faithfulness and relevancy."""
