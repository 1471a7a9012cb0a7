"""Dataset runs: retrieval and answers judged over many test cases at once."""
