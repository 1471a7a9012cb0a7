"""The life of a verdict, from the row of an answer to the event of its verdict."""
