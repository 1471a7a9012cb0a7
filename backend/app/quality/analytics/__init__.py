"""Named questions to the views of schema `analytics`, the same by HTTP, command line and psql."""
