"""Finished answers and the notes that they were given."""
