"""Domain packs: what is known of a field, as YAML."""
