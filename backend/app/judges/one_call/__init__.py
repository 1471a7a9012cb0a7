"""A verdict with all that belongs to it from one reply of a model."""
