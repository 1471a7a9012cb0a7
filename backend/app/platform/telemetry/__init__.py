"""What operators see of the processes: figures for Prometheus, spans for OpenTelemetry."""
