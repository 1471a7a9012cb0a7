export OTEL_EXPORTER_OTLP_ENDPOINT={{url}}
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20{{token}}"
