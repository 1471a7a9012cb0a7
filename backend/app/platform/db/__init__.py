"""The database: declarative base, column types, sessions and migrations."""
