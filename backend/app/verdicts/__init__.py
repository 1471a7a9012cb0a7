"""The life of a verdict, from the row that an answer gets to the event that reports it."""
