"""Batch endpoints of model servers: many requests handed in together, answered within a day at a
lower price."""
