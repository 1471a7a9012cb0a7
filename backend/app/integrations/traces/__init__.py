"""Traces of other applications: spans by OTLP, and the answers that they make."""
