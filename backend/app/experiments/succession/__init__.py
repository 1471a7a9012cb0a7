"""A judge and its successor on the same stored answers, and the switch from one to the other."""
