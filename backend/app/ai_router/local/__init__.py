"""Models that run in this process, from a folder with their files; needs searchqa[local]."""
