"""Ground that all packages stand on: settings, errors, database, jobs, broker, processes,
telemetry."""
