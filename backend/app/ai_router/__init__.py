"""Models behind one interface, and the published paths of the evaluators."""
