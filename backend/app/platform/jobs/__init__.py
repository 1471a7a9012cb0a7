"""Background jobs: work longer than a verdict, kept in PostgreSQL until it is done."""
