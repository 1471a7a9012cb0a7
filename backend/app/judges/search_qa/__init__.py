"""The evaluator of answers from notes, by a model."""
