"""The whole stack on one machine: PostgreSQL, Redis and SearchQA's own processes, supervised."""
