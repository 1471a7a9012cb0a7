"""Judging by detectors that run in this process; needs searchqa[local]."""
