"""How good an improved answer is, for the refine loop."""
