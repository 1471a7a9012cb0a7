"""What people make of verdicts: the list and its export, labels, the review queue, agreement."""
