"""A workspace's own criteria beside correctness and utility."""
