"""Judges' prompts in a workspace's own words, kept in versions that never change."""
