"""Notebooks and notes: importing them and finding them."""
