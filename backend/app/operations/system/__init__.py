"""Health of the installation: live processes, backlog, and problems."""
