"""Quality over many verdicts: metrics, labels, analytics, drift, judging again."""
