"""Human review of verdicts: the list and its export, labels, the queue, agreement."""
