"""How the installation is doing: which processes live, what waits, and what is wrong."""
