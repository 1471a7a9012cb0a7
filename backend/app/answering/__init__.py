"""From a question to a stored answer: chat, conversations, refinement."""
