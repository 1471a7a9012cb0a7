"""Judge benches: judges measured against labels of people."""
