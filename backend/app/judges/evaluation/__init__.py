"""Published paths of evaluators, kept as adapters."""
