"""The four phases, each by rules, and all but the first also by a model."""
