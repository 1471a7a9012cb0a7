"""The common core of experiments: runs over datasets, benches and trials of judges."""
