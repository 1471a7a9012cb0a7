"""Models behind one interface, and the evaluators that ask them."""
