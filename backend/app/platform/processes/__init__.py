"""Functions called in child processes, under a limit of time and memory."""
