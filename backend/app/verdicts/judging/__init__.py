"""From a claimed row to its outcome."""
