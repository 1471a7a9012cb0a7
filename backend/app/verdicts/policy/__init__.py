"""Which answers are judged, by whom, and for how much."""
