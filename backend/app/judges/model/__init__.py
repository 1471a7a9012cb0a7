"""What asks a model: the one call, its reply and what is made of it."""
