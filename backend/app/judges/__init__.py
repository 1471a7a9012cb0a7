"""Everything that judges: by rules, by a model, in phases."""
