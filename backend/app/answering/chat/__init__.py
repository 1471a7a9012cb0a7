"""Answering: from a question to a finished, stored answer."""
