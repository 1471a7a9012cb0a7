"""Text itself: its morphemes, sentences and language."""
